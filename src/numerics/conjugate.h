// The vector passes of the conjugate gradient method on the finest level. Each reads and writes every array at most once; A p is
// never stored. Rows are split (split_row.h).
//
//   advance    x += alpha p (of the last iteration);  p = z + beta p;  returns p . A p
//   reduce     r -= alpha A p;  returns r . r
//
// A p is a sum of differences, w (p - p_neighbour): in a large domain p is smooth and large, and 6 p - sum would lose in rounding what
// a tight tolerance asks for. For the same reason p . A p is the sum over faces of w (p - p_neighbour)^2. Next to a closed wall in x the
// ghost of p mirrors the last cell, so that rows without solids need no weights at all.
#pragma once
#include "numerics/level.h"

namespace phlo::numerics {

struct Unknowns {
    field::Grid x, p;
    std::array<bool, 2> open_x{};  ///< walls -x and +x
};

enum class Advance { first, second, later };  ///< of x: leave it alone, x = alpha p, x += alpha p. first: p holds z already

/// Splits the rows of r, clears cells outside the system, keeps a copy if one is asked for; returns r . r.
double prepare(Level& level, field::Grid* copy);
double advance(Level& level, Unknowns& u, float alpha, float beta, Advance stage);
double reduce(Level& level, const Unknowns& u, float alpha);

/// x += alpha p, or x = alpha p if x has not started.
void settle(const Level& level, Unknowns& u, float alpha, bool started);
/// r = b - A x; returns r . r. Differences of neighbours are exact or nearly so: what float does to their sum is far less than what it
/// did to x.
double true_residual(Level& level, Unknowns& u, const field::Grid& b);
/// Puts the rows of x in natural order.
void join_rows(const Level& level, Unknowns& u);

}  // namespace phlo::numerics
