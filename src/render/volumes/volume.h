// The optical side of a frame: what light meets in the gas. Every integrator works on this, none on the Frame's own fields.
//
//   OpticalVolume volume = make_volume(frame, params);
//   float sigma = volume.extinction_at(world_point);         // [1/m], trilinear, 0 outside the domain
//
// Several grids at once add up: extinction sigma_t = sum sigma_i, grey; scattering sigma_s = sum albedo_i sigma_i, coloured; and what is
// absorbed at a temperature T is emitted, by Kirchhoff: emission = sum (1 - albedo_i) sigma_i B(T), coloured.
#pragma once
#include <cmath>
#include <memory>
#include <vector>

#include "field/frame.h"
#include "render/look/params.h"

namespace phlo::render {

struct OpticalVolume {
    field::Domain domain;                  ///< where the grids lie (lattice.h): at least all that is not empty
    field::Domain room;                    ///< the whole domain; what is coarser than cells is laid out over it, the same in every frame
    field::Grid extinction;                ///< sigma_t at cell centres [1/m]; its ghosts are 0
    std::vector<field::Grid> emission;     ///< red, green, blue: radiance gained per metre by hot gas; empty if nothing glows
    std::vector<field::Grid> scattering;   ///< red, green, blue: sigma_s [1/m]; empty: `albedo` times extinction everywhere
    Vec3f albedo{1, 1, 1};
    float anisotropy = 0;                  ///< g of the Henyey-Greenstein phase function
    Vec3i first, last;                     ///< the box of cells that are not empty; last < first if all are

    bool glows() const { return !emission.empty(); }
    Vec3f emission_of(int i, int j, int k) const { return {emission[0](i, j, k), emission[1](i, j, k), emission[2](i, j, k)}; }
    /// The share of light that goes on at a scattering, in a cell.
    Vec3f albedo_of(int i, int j, int k) const {
        if (scattering.empty()) return albedo;
        const float sigma = extinction(i, j, k);
        return sigma > 0 ? Vec3f(scattering[0](i, j, k), scattering[1](i, j, k), scattering[2](i, j, k)) / sigma : Vec3f();
    }

    /// Cells from the room's lower corner to the grids'.
    Vec3i shift() const { return cells_between(room, domain); }
    bool empty() const { return last.x < first.x; }
    /// Continuous cell coordinates: cell centres are whole numbers.
    Vec3f grid_from_world(const Vec3f& p) const {
        const float inverse = float(1 / domain.h);
        return (p - Vec3f(domain.origin)) * inverse - Vec3f(0.5f);
    }
    float extinction_at(const Vec3f& world) const { return sample(extinction, grid_from_world(world)); }

    static float sample(const field::Grid& grid, const Vec3f& p);
};

/// Throws RunError for a grid with values that cannot be (not finite, negative), InputError for one that the look names and no frame has.
/// Points that no gas carries are where they will be `later` seconds after the frame; for the others see carry in shutter.h.
OpticalVolume make_volume(const field::Frame& frame, const RenderParams& look, double later = 0);

/// Sets `first` and `last`.
void find_box(OpticalVolume& volume);

}  // namespace phlo::render
