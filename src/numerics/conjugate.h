// The vector passes of the conjugate gradient method on the finest level. Each reads and writes every array at most once; A p is
// never stored. Rows are split (split_row.h).
//
//   advance    p = z + beta p;  r -= alpha A p;  returns r . r;  every second time also x += alpha_before p_before + alpha p
//
// That is all the vector work of an iteration: alpha is known before p is (see poisson.cpp), and x can wait while p is at hand anyway.
//
// A p is a sum of differences, w (p - p_neighbour): in a large domain p is smooth and large, and 6 p - sum would lose in rounding what
// a tight tolerance asks for. Next to a closed wall in x the ghost of p mirrors the last cell, so that rows without solids need no weights
// at all.
#pragma once
#include "numerics/level.h"

namespace phlo::numerics {

struct Unknowns {
    field::Grid x, p;
    std::array<bool, 2> open_x{};  ///< walls -x and +x
};

struct Step {
    float alpha = 0, beta = 0;
    float alpha_before = 0;  ///< of the iteration before, if x is to take both; else 0 and x is left alone
    bool p_started = false;  ///< if not, p holds z already
    bool x_started = false;  ///< if not, x counts as zero
};

/// Splits the rows of r, clears cells outside the system, keeps a copy if one is asked for; returns r . r.
double prepare(Level& level, field::Grid* copy);
double advance(Level& level, Unknowns& u, const Step& step);
/// The same in two parts for when alpha is not known before p is: p = z + beta p alone, and p . A p.
void turn(Level& level, Unknowns& u, float beta);
double energy(const Level& level, Unknowns& u);
/// x += alpha p.
void settle(const Level& level, Unknowns& u, float alpha, bool x_started);

/// r = b - A x; returns r . r. Differences of neighbours are exact or nearly so: what float does to their sum is far less than what it
/// did to x.
double true_residual(Level& level, Unknowns& u, const field::Grid& b);
/// Puts the rows of x in natural order.
void join_rows(const Level& level, Unknowns& u);

}  // namespace phlo::numerics
