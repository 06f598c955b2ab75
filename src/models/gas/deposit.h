// From particles to the grid: amounts at places are spread over the cells around them with weights that fall with the distance [kang2007, sec. 3.4.3].
//
//   const Spread into[] = {{&effects.heat, &excess}, {&effects.products[0], &smoke}};
//   double lost = deposit({.domain = domain, .solids = &solids, .radius = r_sp}, particles.position, into);
//
// The cells within R = 1.3 r that hold gas share an amount, in proportion to (1 - d²/R²)² and to the part of them that is open: the sum of what
// they get, times h³, is the amount, up to the rounding of the fields. The paper's Gaussian, cut off at its own standard deviation r, ends with
// a step of 0.6 of its height, and each deposit shows as a ball; this bell is as wide in mean square and ends smoothly. Where no such cell is,
// the nearest cell with gas within four cells takes all. Returned is, by field, what found no cell at all: bodies all around.
#pragma once
#include <span>
#include <vector>

#include "field/domain.h"
#include "flow/solids.h"

namespace phlo::models {

struct DepositPlace {
    field::Domain domain;
    const flow::Solids* solids = nullptr;  ///< may be null
    double radius = 0;                     ///< r [m]
};

/// amounts[i] at place i [unit m³], into a field [unit].
struct Spread {
    const std::vector<double>* amounts;
    field::Grid* field;
};

std::vector<double> deposit(const DepositPlace& where, std::span<const Vec3f> places, std::span<const Spread> spreads);

}  // namespace phlo::models
