#include "flow/diffusion.h"

#include <gtest/gtest.h>

#include <cmath>

#include "solids_cases.h"

namespace phlo::flow {
namespace {

/// A cosine over the box with zero slope at its walls decays as exp(-kappa (pi / L)^2 t).
double cosine_error(int n, double number, int steps) {
    const field::Layout layout({n, 6, 5});
    field::Grid q(layout);
    const double pi = 3.14159265358979323846;
    const auto shape = [&](int i) { return std::cos(pi * (i + 0.5) / n); };
    for (int k = 0; k < 5; ++k)
        for (int j = 0; j < 6; ++j)
            for (int i = 0; i < n; ++i) q(i, j, k) = float(1 + shape(i));
    Diffuser diffuser;
    for (int s = 0; s < steps; ++s) diffuser.diffuse_cells(q, number, Solids{});
    const double decay = std::exp(-number * steps * pi * pi / (double(n) * n));
    double most = 0;
    for (int i = 0; i < n; ++i) most = std::max(most, std::fabs(double(q(i, 3, 2)) - 1 - decay * shape(i)));
    return most;
}

TEST(diffusion, a_cosine_decays_as_the_heat_equation_says) {
    // The same physical time on finer grids: number = kappa dt / h^2 grows with n.
    const double coarse = cosine_error(16, 4, 5), fine = cosine_error(32, 8, 10);   // half the cell, half the step
    EXPECT_LT(coarse, 2e-3);
    EXPECT_GT(std::log2(coarse / fine), 1.5) << coarse << " " << fine;
}

TEST(diffusion, is_stable_and_conserves_for_any_coefficient) {
    for (const double number : {0.1, 3.0, 300.0}) {
        const field::Layout layout({20, 17, 14});
        field::Grid q(layout);
        q(7, 8, 5) = 1000;
        Diffuser diffuser;
        for (int s = 0; s < 3; ++s) diffuser.diffuse_cells(q, number, Solids{});
        EXPECT_NEAR(sum(q), 1000, 0.1);   // floats, up to 49 stages
        EXPECT_LT(max_abs(q, layout.cells()), 1000);
    }
    EXPECT_LT(diffusion_stages(300), 100);   // an explicit method would take 1,800 steps
}

TEST(diffusion, nothing_passes_through_a_body) {
    const field::Domain domain{.cells = {24, 12, 12}, .origin = {}, .h = 1.0 / 24};
    const Solids solids = at_rest(domain, {plate({0.5, 0.25, 0.25}, {0, std::acos(-1.0) / 2, 0}, 0.1)});
    field::Grid q{field::Layout(domain.cells)};
    for (int k = 0; k < 12; ++k)
        for (int j = 0; j < 12; ++j)
            for (int i = 0; i < 9; ++i) q(i, j, k) = 1;
    Diffuser diffuser;
    diffuser.diffuse_cells(q, 50, solids);
    for (int i = 15; i < 24; ++i) EXPECT_EQ(q(i, 6, 6), 0);
    EXPECT_NEAR(sum(q), 9 * 144, 0.1);
}

TEST(diffusion, viscosity_slows_a_shear_layer_and_leaves_closed_walls_alone) {
    const field::Layout layout({8, 32, 8});
    field::MacGrid u(layout);
    const double pi = 3.14159265358979323846;
    for (int k = 0; k < 8; ++k)
        for (int j = 0; j < 32; ++j)
            for (int i = 1; i < 8; ++i) u.x(i, j, k) = float(std::cos(pi * (j + 0.5) / 32));
    Walls walls;   // closed
    Diffuser diffuser;
    diffuser.diffuse_velocity(u, 2, walls, Solids{});
    EXPECT_EQ(u.x(0, 5, 4), 0);
    EXPECT_EQ(u.x(8, 5, 4), 0);
    EXPECT_LT(std::fabs(u.x(4, 3, 4)), std::cos(pi * 3.5 / 32));
}

TEST(diffusion, viscosity_leaves_what_bodies_cover_alone) {
    const field::Domain domain = unit_domain(16);
    const Solids solids = at_rest(domain, {ball({0.5, 0.5, 0.5}, 0.3)});
    field::MacGrid u(field::Layout(domain.cells), 1.0f);
    for (int axis = 0; axis < 3; ++axis) u[axis](8, 8, 8) = 5;  // deep inside
    u.x(1, 1, 1) = 5;
    Diffuser diffuser;
    diffuser.diffuse_velocity(u, 0.5, Walls{}, solids);
    for (int axis = 0; axis < 3; ++axis) EXPECT_EQ(u[axis](8, 8, 8), 5) << axis;
    EXPECT_LT(u.x(1, 1, 1), 4);
}

}  // namespace
}  // namespace phlo::flow
