// What of a frame is seen, brought to one lattice: the grids that dim light, and the hot gas.
//
//   Parts parts = find_parts(frame, look);
//   for (const Part& part : parts.dimming) sigma += part.per_unit * (*part.grid)(i, j, k);
#pragma once
#include <array>
#include <memory>
#include <optional>
#include <vector>

#include "render/volumes/hot_gas.h"
#include "render/volumes/lattice.h"
#include "render/look/params.h"

namespace phlo::render {

using GridPtr = std::shared_ptr<const field::Grid>;

/// A grid that dims light.
struct Part {
    GridPtr grid;
    float per_unit = 0;                ///< extinction of one unit [1/m]
    Vec3f albedo = {};
    bool glows = false;                ///< shines where the gas is hot
    Vec3f light = {};                  ///< radiance that it sends out by itself, per its extinction
    std::array<GridPtr, 3> tint = {};  ///< factors on the albedo in each cell, or null
    std::array<GridPtr, 3> colours = {}; ///< what a cell scatters, or sends out, in place of albedo and light: extinction times colour [1/m]; or null

    bool shines() const { return !(light == Vec3f()); }
    bool plain() const { return !shines() && !tint[0] && !colours[0]; }
    /// What a cell with extinction `sigma` of this part does with light.
    struct Share {
        Vec3f scattered, absorbed;
    };
    Share share(float sigma, int i, int j, int k) const {
        if (shines()) return {{}, Vec3f(sigma)};
        if (colours[0]) {
            const Vec3f scattered = at(colours, i, j, k);
            return {scattered, Vec3f(sigma) - scattered};
        }
        const Vec3f here = tint[0] ? albedo * min(Vec3f(1.f), at(tint, i, j, k)) : albedo;
        return {here * sigma, (Vec3f(1.f) - here) * sigma};
    }
    Vec3f own_light(float sigma, int i, int j, int k) const {
        if (!shines()) return {};
        return light * (colours[0] ? at(colours, i, j, k) : Vec3f(sigma));
    }

private:
    static Vec3f at(const std::array<GridPtr, 3>& grids, int i, int j, int k) {
        return {(*grids[0])(i, j, k), (*grids[1])(i, j, k), (*grids[2])(i, j, k)};
    }
};

struct Parts {
    OpticalLattice lattice;
    std::vector<Part> dimming;
    GridPtr temperature, flame;        ///< of the fire
    std::optional<HotGas> fire;        ///< none if no cell is hot enough to shine
};

/// Points with velocities are where they will be in `later` seconds.
/// Throws RunError for a grid with values that cannot be (not finite, negative), InputError for one that the look names and no frame has.
Parts find_parts(const field::Frame& frame, const RenderParams& look, double later = 0);

/// The colours of hot things, relative to `fire.brightness`. Emissivity ~ wavelength^-slope: 0 for bodies, 1 for soot.
optics::BlackBody fire_colours(const FireLook& look, double emissivity_slope);

}  // namespace phlo::render
