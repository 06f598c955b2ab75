// What all models share: the box that is simulated and its walls, which frames are made, the bodies, the seed.
//
//   Shot shot;
//   shot.domain.resolution = 64;
//   field::Domain domain = make_domain(shot.domain);
#pragma once
#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "base/curve.h"
#include "base/vec.h"
#include "config/table.h"
#include "field/domain.h"
#include "flow/walls.h"
#include "geom/body.h"

namespace phlo::models {

using flow::WallKind;

/// Of a species, by its name [mol/m^3].
using Concentration = config::Named<Curve<double>>;

struct WallParams {
    WallKind kind = WallKind::open;
    Curve<double> velocity{0.0};           ///< into the domain [m/s]; inflow only
    Curve<double> density{0.0};            ///< carried in; inflow only
    Curve<double> temperature{293.15};     ///< carried in [K]; inflow only
    std::vector<Concentration> species = {};  ///< carried in [mol/m^3]; inflow only
};

/// In the order of DomainParams::walls.
inline constexpr std::array<const char*, 6> wall_names = {"left", "right", "front", "back", "floor", "ceiling"};

struct DomainParams {
    Vec3d size{1, 1, 1.5};                 ///< [m]
    Vec3d origin{-0.5, -0.5, 0};           ///< lower corner [m]; by default centred in x and y, standing on z = 0
    int resolution = 96;                   ///< cells along the longest side; cells are cubes, the other sides are rounded
    /// -x, +x, -y, +y, -z, +z: left right front back floor ceiling; only the floor is closed by default
    std::array<WallParams, 6> walls = {WallParams{}, WallParams{}, WallParams{}, WallParams{}, WallParams{.kind = WallKind::closed}, WallParams{}};
};

/// Cells of a domain: cubes, `resolution` of them along the longest side, the other sides rounded to whole cells.
field::Domain make_domain(const DomainParams& params);

struct TimeParams {
    int first_frame = 1;
    int last_frame = 120;
    double fps = 24;
    double cfl = 4;                        ///< most cells a fluid parcel may cross in one sub-step
    double fixed_step = 0;                 ///< [s]; 0: from cfl
    int max_substeps = 32;                 ///< per frame; reaching it is reported
    int checkpoints = 0;                   ///< every so many frames one is kept, to go on from; 0: only the last

    /// Time at which a frame is shown; the clock starts at the first frame [s].
    double seconds_at(double frame) const { return (frame - first_frame) / fps; }
};

struct Shot {
    DomainParams domain;
    TimeParams time;
    std::vector<geom::Body> bodies;
    std::uint64_t seed = 1;
};

const config::Table<DomainParams>& domain_table();
const config::Table<TimeParams>& time_table();

}  // namespace phlo::models
