// What hot gas sends out and absorbs in a cell: means over the cell, not values at its centre.
//
//   HotGas fire{.temperature = &grid, .min_temperature = 800, .absorption = 2, .brightness = 10, .light = fire_colours(look, 1)};
//   HotGas::Glow glow = fire.in_cell(i, j, k);
//   sigma += glow.absorption;  emission = glow.own + absorbed * glow.light;
//
// Light grows with a high power of the temperature: a sheet of flame two cells thick is thinner than a cell in its light. Taken at centres,
// its light varies fourfold with where it passes between them (by 1.4 with the usual contrast), and a sheet that leans against the grid
// shows a stripe for every cell. So each cell is asked at 2^3 points, with the temperature between centres from limited slopes, and from
// parabolas at its peaks: 2.6 and 1.2 are left. Smoother ways leave less, and put a dark skin on whatever is hot and has a sharp edge.
#pragma once
#include "field/grid.h"
#include "optics/black_body.h"

namespace phlo::render {

struct HotGas {
    const field::Grid* temperature = nullptr;  ///< [K]
    const field::Grid* flame = nullptr;  ///< share of the gas that burns, or null: what is hot burns
    float min_temperature = 0;  ///< cooler gas does not shine [K]
    float absorption = 0;  ///< of hot gas by itself [1/m]
    float brightness = 0;
    optics::BlackBody light;

    struct Glow {
        float absorption = 0;  ///< by the hot gas itself [1/m]
        Vec3f own;  ///< radiance per metre of the hot gas itself
        Vec3f light;  ///< radiance per metre of whatever else absorbs there, per its absorption
    };
    Glow in_cell(int i, int j, int k) const;

    /// 0 at min_temperature, 1 a little above.
    float heat(float t) const;
};

}  // namespace phlo::render
