// Passes over the vectors of the finest level: before and after multigrid, and those of the conjugate gradient method. A p is never stored.
// Rows are split (split_row.h).
//
// A p is a sum of differences, w (p - p_neighbour): in a large domain p is smooth and large, and 6 p - sum would lose in rounding what
// a tight tolerance asks for. Next to a closed wall in x the ghost of p mirrors the last cell, so that rows without solids need no weights
// at all.
#pragma once
#include "numerics/level.h"

namespace phlo::numerics {

struct Unknowns {
    field::Grid x, p;              ///< solution and direction
    std::array<bool, 2> open_x{};  ///< walls -x and +x
};

/// Splits the rows of r and clears cells outside the system; returns r . r.
double prepare(Level& level);
/// |b - A x|^2; the residual itself goes to r if there is one, which may be b. Differences of neighbours are exact or nearly so: what float
/// does to their sum is far less than what it did to x.
double residual_square(const Level& level, field::Grid& x, std::array<bool, 2> open_x, const field::Grid& b, field::Grid* r);
/// Puts rows in natural order.
void join_rows(const Level& level, field::Grid& grid);

void copy(const Level& level, const field::Grid& from, field::Grid& to);
void add_to(field::Grid& x, const Level& level, const field::Grid& y);  ///< x += y
double dot(const Level& level, const field::Grid& a, const field::Grid& b);
void turn(const Level& level, Unknowns& u, float beta);  ///< p = z + beta p
double energy(const Level& level, const field::Grid& p);  ///< p . A p, after turn()
double advance(Level& level, Unknowns& u, float alpha);  ///< x += alpha p, r -= alpha A p; returns r . r

}  // namespace phlo::numerics
