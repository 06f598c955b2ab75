// From particles to the grid: amounts at places are spread over the cells around them with weights that fall with the distance [kang2007, sec. 3.4.3].
//
//   const Spread into[] = {{&effects.heat, &excess}, {&effects.products[0], &smoke}};
//   std::vector<double> lost = splat({.domain = domain, .open = &room, .radius = r_sp}, particles.position, into);
//
// The open cells within R = 1.3 r share an amount, in proportion to (1 - d²/R²)² and to the part of them that is open. A field's
// value is an amount per open volume: the sum of what the cells get, times their open part and h³, is the amount, up to the rounding of the fields. The paper's Gaussian, cut off at its own standard deviation r, ends with a step of
// 0.6 of its height, and each amount shows as a ball; this bell is as wide in mean square and ends smoothly. Where no such cell is, the nearest
// open cell within four cells takes all. Returned is, by field, what found no cell at all: bodies all around.
#pragma once
#include <span>
#include <vector>

#include "field/domain.h"

namespace phlo::particles {

struct SplatPlace {
    field::Domain domain;
    const field::Grid* open = nullptr;   ///< the part of each cell that takes something, 0 to 1; null: every cell, all of it
    double radius = 0;                   ///< r [m]
    std::span<const float> radii = {};   ///< by place, where it is not 0: r of its own [m]; may be empty
};

/// amounts[i] at place i [unit m³], into a field [unit].
struct Spread {
    const std::vector<double>* amounts;
    field::Grid* field;
};

std::vector<double> splat(const SplatPlace& where, std::span<const Vec3f> places, std::span<const Spread> spreads);

}  // namespace phlo::particles
