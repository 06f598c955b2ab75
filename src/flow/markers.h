// The particle level set [enright2002]: markers on both sides of a surface, carried by the flow without any blur, tell the level set where
// it has lost or gained volume.
//
//   MarkerParams params{.h = h, .per_cell = 16, .seed = seed};
//   Markers markers;
//   reseed(params, phi, markers);                                        // the first time: all of them
//   ...
//   move_markers({.dt = dt, .h = h}, u, markers);                        // and the level set, by advect_level_set()
//   correct(phi, markers, h, scratch);
//   redistance({.h = h}, phi, march);
//   correct(phi, markers, h, scratch);
//   adjust_radii(params, phi, markers);
//   if (++markers.steps % params.reseed_interval == 0) reseed(params, phi, markers);
//   Drops drops = take_drops(params, domain, phi, u, markers);           // inside markers far out in the air: ballistic from here on
//
//        o    o   o     o    outside markers (o) within 3 h of the surface, each as large as its distance to it, 0.1 to 0.5 h
//      --------------------  surface
//        +  +   o   +   +    inside markers (+), and an outside one that has escaped
//
// A marker found more than its radius on the wrong side has escaped: the surface passed over it by mistake. Each escaped marker stands for
// a sphere of its own side; inside spheres lower the level set around them, outside spheres raise it, and where both want something the
// smaller magnitude wins.
//
// Markers are in cell coordinates: the centre of cell (0, 0, 0) is at (0, 0, 0). All is the same for any number of threads; markers'
// columns and the count of steps are all the state there is.
#pragma once
#include <cstdint>
#include <span>
#include <tuple>
#include <vector>

#include "field/domain.h"
#include "field/mac.h"
#include "flow/body_contacts.h"
#include "flow/advect.h"

namespace phlo::flow {

struct Solids;

struct MarkerParams {
    double h = 1;  ///< [m]
    int per_cell = 32;  ///< on each side: 16 for speed, 64 as in the paper
    double band = 3;  ///< markers live within this distance of the surface [cells]
    bool outside = true;  ///< markers in the air too
    double min_radius = 0.1;  ///< [cells]
    double max_radius = 0.5;  ///< [cells]
    int reseed_interval = 20;  ///< [steps]
    double drop_distance = 1.5;  ///< an inside marker this many of its radii out in the air becomes a drop
    double drown_depth = 0.3;  ///< an outside marker this deep in the liquid is gone: the air around it was swallowed [cells]
    std::uint64_t seed = 0;
    const field::Grid* solid_distance = nullptr;  ///< [m], < 0 inside bodies, where no markers are needed; null: none
    const Solids* solids = nullptr;  ///< the same bodies: none are seeded across a thin wall, where the level set goes on only seemingly; null: none
};

/// The markers of one side.
struct MarkerSet {
    std::vector<float> x, y, z;  ///< [cells]
    std::vector<float> radius;  ///< [cells]
    static constexpr std::tuple columns{&MarkerSet::x, &MarkerSet::y, &MarkerSet::z, &MarkerSet::radius};
};

struct Markers {
    MarkerSet inside, outside;
    std::uint32_t steps = 0;  ///< since the first seeding; reseeding draws other numbers each time

    std::size_t count() const { return inside.x.size() + outside.x.size(); }
    std::size_t bytes() const;
};

/// For checkpoints, exactly.
std::vector<char> save(const Markers& markers);
void load(std::span<const char> data, Markers& markers);

struct MarkerMotion {
    double dt = 0;  ///< [s]
    double h = 1;  ///< [m]
    Trace trace = Trace::rk2;
    const BodyContacts* contacts = nullptr;  ///< bodies that hold and push markers; null: none
    const field::Grid* solid_distance = nullptr;  ///< to them at the end of the step [m], < 0 inside; needed with bodies
};
/// Markers stay in the box, and on their side of bodies.
void move_markers(const MarkerMotion& how, const field::MacGrid& u, Markers& markers);

/// Grids of phi's layout that correct() may overwrite, whatever they hold.
struct CorrectScratch {
    field::Grid *low, *high;
};
/// Returns how many markers had escaped. Ghosts of phi are not touched.
std::size_t correct(field::Grid& phi, const Markers& markers, double h, const CorrectScratch& scratch);

/// Radii from a level set that is a distance: that to the surface, within bounds. Escaped markers get the smallest.
void adjust_radii(const MarkerParams& params, const field::Grid& phi, Markers& markers);

/// Fills cells near the surface up to `per_cell`, those in the far half of the band up to a quarter of it, takes surplus markers and those beyond the band away, and those that sit in the bottom of
/// a local extremum of the other side, where they can only be wrong. New ones are drawn in a cell and attracted to a random distance from
/// the surface within 15 iterations. Markers are sorted by cells. Escaped ones stay.
void reseed(const MarkerParams& params, const field::Grid& phi, Markers& markers);

/// Takes escaped markers away that say nothing of the surface. Outside ones in the liquid: where surfaces meet, air is caught between them that a level
/// set does not resolve, and its markers would keep a froth of tiny bubbles alive for ever. Inside ones at the skin of a body: it has pushed them out of
/// itself, and they would paint it with liquid. Returns how many.
std::size_t drop_misled_markers(const MarkerParams& params, const field::Grid& phi, Markers& markers);

/// Drops that fly by themselves.
struct Drops {
    std::vector<Vec3f> position;  ///< world space [m]
    std::vector<Vec3f> velocity;  ///< [m/s]
    std::vector<float> radius;  ///< [m]
    static constexpr std::tuple columns{&Drops::position, &Drops::velocity, &Drops::radius};
};
/// Takes inside markers that are too far out in the air to be the surface's.
Drops take_drops(const MarkerParams& params, const field::Domain& domain, const field::Grid& phi, const field::MacGrid& u,
                 Markers& markers);

/// The level set of spheres around particles: min(|x - x_p| - r), for the surface of particles alone. Right within a cell of the surface,
/// only the sign counts elsewhere: redistance it. Coordinates and radius in cells; the radius is sqrt(3)/2 at least, so that a particle
/// covers the centre of its cell wherever it is in it.
void spheres_level_set(std::span<const float> x, std::span<const float> y, std::span<const float> z, double radius, double h,
                       field::Grid& phi);

}  // namespace phlo::flow
