// Multigrid cycles: one red-black smoothing on the way down and one on the way up, each level in one sweep through memory.
//
//   down: from zero; smooth red, then black; residual; restrict      reads r, writes y and the next level's r
//   up:   y + prolonged; smooth in an order of choice                reads r, y and the next level's z, writes z
//   over: up, and down again, in one sweep                           reads r, y and the next level's z, writes y and the next level's r
//   last: smooth red                                                 reads r and y, writes z
//
//   smooth_down(levels[0], levels[1]);
//   solve_next(levels);
//   double rr = smooth_over(levels[0], levels[1]);                   // after one cycle and more, with |r - A y|^2 = rr
//   smooth_last(levels[0]);                                          // levels[0].z
//
// A sweep carries a front of planes through a tile of rows, so that every value is still in cache when it is needed again. The way down
// solves its equations as they are: black cells, relaxed last, have no residual. Red cells are given what their black neighbours ask for
// whenever a smoothing begins, so that y holds black values only.
#pragma once
#include "numerics/level.h"

namespace phlo::numerics {

/// Of smoothing on the way up. `same`: red, then black, over-relaxed; this converges fastest. `mirrored`: black, then red, as equations
/// ask; the cycle is then symmetric, as conjugate gradients need it, but the two black half-sweeps next to each other do the work of one.
enum class Order { same, mirrored };

void smooth_down(Level& fine, Level& coarse);
double smooth_over(Level& fine, Level& coarse);  ///< in the same order
void smooth_up(Level& fine, const Level& coarse, Order order);
void smooth_last(Level& level);

/// Down, next level, up: levels[first].z from levels[first].r.
void cycle(std::vector<Level>& levels, std::size_t first, Order order);

/// levels[1].z from levels[1].r by two cycles: for a third of the time the finest level then sees nearly an exact solution.
void solve_next(std::vector<Level>& levels);

}  // namespace phlo::numerics
