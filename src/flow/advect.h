// Semi-Lagrangian transport: the new value of a point is the old value where its fluid came from [stam1999].
//
//   Workspace work;                                                  // scratch grids, made when first needed, shared by all calls
//   Advection how{.scheme = Scheme::maccormack, .dt = dt, .h = h};
//   Carried carried[] = {{&density, &new_density, walls_with(0.0f)}, {&temperature, &new_temperature, walls_with(ambient)}};
//   advect_scalars(how, velocity, carried, active, work);            // one back-trace serves all of them
//   advect_velocity(how, velocity, new_velocity, active, work);
//
// Stable for any time step. No scheme makes a value outside the range of the values around the place it comes from.
// Paths that leave through a wall bring the wall's value, or the nearest cell's where the wall has none; paths end at solids.
#pragma once
#include <array>
#include <deque>
#include <optional>
#include <span>

#include "field/mac.h"
#include "flow/tiles.h"

namespace phlo::flow {

enum class Scheme {
    trilinear,    ///< first order, blurs
    cubic,        ///< monotone cubic interpolation [fedkiw2001]
    maccormack,   ///< forward and back, half of the error taken off, limited [selle2008]
};
enum class Trace { rk2, rk3 };

struct Advection {
    Scheme scheme = Scheme::maccormack;
    Trace trace = Trace::rk2;
    double dt = 0;                                     ///< [s]
    double h = 1;                                      ///< [m]
    double fastest = -1;                               ///< no component of the velocity is larger [m/s]; < 0: not known, looked for where needed
    const field::Grid* solid_distance = nullptr;       ///< signed distance to solids at cell centres [m], < 0 inside; null: none
    std::span<field::Grid* const> spare{};             ///< grids of this layout that may be overwritten: so many scratch grids less
};

/// What flows in through each wall (-x, +x, -y, +y, -z, +z); no value: the field continues with zero slope.
using Boundary = std::array<std::optional<float>, 6>;
inline Boundary walls_with(float value) { return {value, value, value, value, value, value}; }

struct Carried {
    field::Grid* from = nullptr;                       ///< its ghosts are filled here; its cells are not changed
    field::Grid* to = nullptr;
    Boundary boundary{};
};

/// Scratch grids of one layout. MacCormack uses three.
class Workspace {
public:
    field::Grid& grid(std::size_t index, const field::Layout& layout);
    std::size_t bytes() const;

private:
    std::deque<field::Grid> grids_;   // references stay valid as it grows
};

/// Cells of inactive tiles are copied. The ghosts of `u` are filled here.
void advect_scalars(const Advection& how, field::MacGrid& u, std::span<const Carried> carried, const TileSet& active, Workspace& work);

/// The velocity carries itself, each component traced from its own faces. Faces of inactive tiles are copied. A face belongs to
/// the cell above it; the last faces to the last cells.
void advect_velocity(const Advection& how, field::MacGrid& u, field::MacGrid& to, const TileSet& active, Workspace& work);

/// Ghosts beyond walls with a value take it, the others continue with zero slope.
void fill_ghosts(field::Grid& grid, Vec3i extent, const Boundary& boundary);

}  // namespace phlo::flow
