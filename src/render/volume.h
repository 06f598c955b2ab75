// The optical side of a frame: what light meets in the gas. Every integrator works on this, none on the Frame's own fields.
//
//   Volume volume = make_volume(frame, params.smoke);
//   float sigma = volume.extinction_at(world_point);         // [1/m], trilinear, 0 outside the domain
#pragma once
#include <memory>
#include <vector>

#include "field/frame.h"
#include "render/params.h"

namespace phlo::render {

struct Volume {
    field::Domain domain;
    field::Grid extinction;                ///< sigma_t at cell centres [1/m]; its ghosts are 0
    std::vector<field::Grid> emission;     ///< red, green, blue: radiance gained per metre by hot gas; empty if nothing glows
    Vec3f albedo{1, 1, 1};
    float anisotropy = 0;                  ///< g of the Henyey-Greenstein phase function
    Vec3i first, last;                     ///< the box of cells that are not empty; last < first if all are

    bool empty() const { return last.x < first.x; }
    /// Continuous cell coordinates: cell centres are whole numbers.
    Vec3f grid_from_world(const Vec3f& p) const {
        const float inverse = float(1 / domain.h);
        return (p - Vec3f(domain.origin)) * inverse - Vec3f(0.5f);
    }
    float extinction_at(const Vec3f& world) const { return sample(extinction, grid_from_world(world)); }

    static float sample(const field::Grid& grid, const Vec3f& p);
};

Volume make_volume(const field::Frame& frame, const SmokeLook& look);

}  // namespace phlo::render
