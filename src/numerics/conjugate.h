// The vector passes of the conjugate gradient method on the finest level. Each reads and writes every array at most once; A p is
// never stored. Rows are split (split_row.h).
//
//   step       p = z + beta p;  x += alpha p;  r -= alpha A p;  returns r . r
//
// A p is a sum of differences, w (p - p_neighbour): in a large domain p is smooth and large, and 6 p - sum would lose in rounding what
// a tight tolerance asks for. Next to a closed wall in x the ghosts of p and x mirror the last cell, so that rows without solids need
// no weights at all.
#pragma once
#include "numerics/level.h"

namespace phlo::numerics {

struct Unknowns {
    field::Grid x, p;
    std::array<bool, 2> open_x{};  ///< walls -x and +x
};

/// What a step finds: nothing in x and the new direction in p; a new direction in p; the last direction in p.
enum class Step { first, restarted, later };

/// Splits the rows of r, clears cells outside the system, keeps a copy if one is asked for; returns r . r.
double prepare(Level& level, field::Grid* copy);
double step(Level& level, Unknowns& u, float alpha, float beta, Step stage);
/// r = b - A x after at least one step; returns r . r. Differences of neighbours are exact or nearly so: what float does to the sum is
/// far less than what it did to x.
double true_residual(Level& level, const Unknowns& u, const field::Grid& b);
/// Puts the rows of x in natural order.
void join_rows(const Level& level, Unknowns& u);

}  // namespace phlo::numerics
