// The integrators on systems with known solutions: orders as slopes, stiffness, lanes.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "base/pack_math.h"
#include "numerics/batch_integrate.h"
#include "numerics/batch_lu.h"
#include "numerics/explicit_rk.h"
#include "numerics/rosenbrock.h"

namespace phlo::numerics {
namespace {

using P = simd::Pack<double>;

/// y' = f(t, y) with two unknowns, given by its functions; every cell starts at the same place.
struct Plane {
    std::function<void(P, const P*, P*)> f;
    std::function<void(P, const P*, double (&)[2][2], P (&)[2])> slopes;  ///< ∂f/∂y of lane 0 (all lanes are alike), ∂f/∂t
    double start[2];
    int cells = 1, given = 0, taken = 0;
    double end[2] = {};
    Outcome outcome = Outcome::failed;
    LuPattern pattern = make_lu_pattern(2, std::vector<std::pair<int, int>>{{0, 1}, {1, 0}});
    std::vector<P> matrix = std::vector<P>(4), work = std::vector<P>(2);
    P by_time[2] = {P(0.0), P(0.0)};

    int size() const { return 2; }
    P absolute(int) const { return P(1e-12); }
    P scale(int) const { return P(1.0); }
    const P* time_slope() const { return by_time; }
    bool load(int lane, P* y) {
        if (given == cells) return false;
        ++given;
        for (int k = 0; k < 2; ++k) y[k].set(lane, start[k]);
        return true;
    }
    void store(int lane, const P* y, Outcome how) {
        ++taken;
        outcome = how;
        for (int k = 0; k < 2; ++k) end[k] = y[k][lane];
    }
    P::Mask repair(P*) const { return P::Mask::every(); }
    void rates(P t, const P* y, P* out) { f(t, y, out); }
    void linearise(P t, const P* y, P* out) {
        f(t, y, out);
        double j[2][2];
        slopes(t, y, j, by_time);
        for (int a = 0; a < 2; ++a)
            for (int b = 0; b < 2; ++b) matrix[pattern.slot(a, b)] = P(-j[a][b]);
    }
    void factorise(P shift) {
        for (const int d : pattern.diagonal) matrix[d] += shift;
        lu_factorise(pattern, matrix.data(), work.data());
    }
    void solve(P* x) { lu_solve(pattern, matrix.data(), x, work.data()); }
};

/// y0' = −y0² + y1, y1' = cos t: not linear, depends on time, and has no simple solution; the reference is a run with tiny steps.
Plane driven() {
    return {.f =
                [](P t, const P* y, P* out) {
                    out[0] = y[1] - y[0] * y[0];
                    for (int l = 0; l < P::width; ++l) out[1].set(l, std::cos(3 * t[l]) * y[0][l]);
                },
            .slopes =
                [](P t, const P* y, double(&j)[2][2], P(&by_time)[2]) {
                    j[0][0] = -2 * y[0][0], j[0][1] = 1, j[1][0] = std::cos(3 * t[0]), j[1][1] = 0;
                    by_time[0] = P(0.0), by_time[1] = P(-3 * std::sin(3 * t[0])) * y[0];
                },
            .start = {1, 0.5}};
}

template <class Stepper>
double driven_end(double step) {
    Plane plane = driven();
    Stepper stepper(plane);
    integrate_batch<P>(plane, stepper, 1.0, {.fixed_step = step});
    EXPECT_EQ(plane.outcome, Outcome::arrived);
    return plane.end[0];
}

template <class Stepper>
double measured_order() {
    const double exact = driven_end<Rosenbrock<Rodas4, Plane, P>>(1.0 / 2048);
    const double coarse = std::abs(driven_end<Stepper>(1.0 / 32) - exact), fine = std::abs(driven_end<Stepper>(1.0 / 128) - exact);
    return std::log2(coarse / fine) / 2;
}

TEST(ode, modified_euler_is_of_second_order) { EXPECT_NEAR((measured_order<ExplicitRk<Rk2, Plane, P>>()), 2, 0.15); }
TEST(ode, runge_kutta_3_is_of_third_order) { EXPECT_NEAR((measured_order<ExplicitRk<Rk3, Plane, P>>()), 3, 0.2); }
TEST(ode, rosenbrock_is_of_fourth_order) { EXPECT_NEAR((measured_order<Rosenbrock<Rodas4, Plane, P>>()), 4, 0.25); }

/// y0' = −10⁶ (y0 − y1), y1' = −y1.
Plane stiff() {
    return {.f =
                [](P, const P* y, P* out) {
                    out[0] = P(-1e6) * (y[0] - y[1]);
                    out[1] = -y[1];
                },
            .slopes =
                [](P, const P*, double(&j)[2][2], P(&by_time)[2]) {
                    j[0][0] = -1e6, j[0][1] = 1e6, j[1][0] = 0, j[1][1] = -1;
                    by_time[0] = by_time[1] = P(0.0);
                },
            .start = {3, 1}};
}

TEST(ode, rosenbrock_steps_over_what_is_stiff) {
    Plane plane = stiff();
    Rosenbrock<Rodas4, Plane, P> stepper(plane);
    const BatchReport report = integrate_batch<P>(plane, stepper, 2.0, {.relative = 1e-6});
    EXPECT_LT(report.steps, 150);
    EXPECT_NEAR(plane.end[1], std::exp(-2.0), 1e-6);
    EXPECT_NEAR(plane.end[0], std::exp(-2.0) / (1 - 1e-6), 1e-6);
}

TEST(ode, one_long_step_damps_the_fast_part) {
    Plane plane = stiff();
    Rosenbrock<Rodas4, Plane, P> stepper(plane);
    integrate_batch<P>(plane, stepper, 0.1, {.fixed_step = 0.1});
    EXPECT_NEAR(plane.end[0], plane.end[1], 1e-3);  // L-stable: nothing is left of the 3
}

TEST(ode, every_cell_passes_through_a_lane_and_arrives_alike) {
    Plane one = driven(), many = driven();
    many.cells = 3 * P::width + 1;
    Rosenbrock<Rodas4, Plane, P> stepper(one), other(many);
    integrate_batch<P>(one, stepper, 1.0, {.relative = 1e-5});
    const BatchReport report = integrate_batch<P>(many, other, 1.0, {.relative = 1e-5});
    EXPECT_EQ(report.cells, many.cells);
    EXPECT_EQ(many.taken, many.cells);
    EXPECT_EQ(one.end[0], many.end[0]);
}

TEST(ode, adaptive_error_follows_the_tolerance) {
    const double exact = driven_end<Rosenbrock<Rodas4, Plane, P>>(1.0 / 2048);
    for (const double tolerance : {1e-4, 1e-6, 1e-8}) {
        Plane plane = driven();
        ExplicitRk<Rk3, Plane, P> stepper(plane);
        integrate_batch<P>(plane, stepper, 1.0, {.relative = tolerance});
        EXPECT_LT(std::abs(plane.end[0] - exact), 10 * tolerance);
    }
}

}  // namespace
}  // namespace phlo::numerics
