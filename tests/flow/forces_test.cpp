#include "flow/forces.h"

#include <gtest/gtest.h>

#include <cmath>

namespace phlo::flow {
namespace {

struct Fields {
    field::Layout layout;
    field::MacGrid old_u{layout}, u{layout};
    field::Grid density{layout}, excess{layout};
    TileSet all{layout, true};
};

TEST(forces, a_face_takes_the_mean_of_its_two_cells) {
    Fields f{field::Layout({20, 10, 12})};
    f.excess(7, 4, 5) = 100;
    f.density(7, 4, 5) = 2;
    add_forces({.dt = 0.5, .h = 0.1, .alpha = 3, .beta = 0.2}, f.old_u, f.density, f.excess, f.all, f.u);
    const float half = float(0.5 * 0.5 * (0.2 * 100 - 3 * 2));
    EXPECT_FLOAT_EQ(f.u.z(7, 4, 5), half);
    EXPECT_FLOAT_EQ(f.u.z(7, 4, 6), half);
    EXPECT_EQ(f.u.z(7, 4, 7), 0);
    EXPECT_EQ(f.u.z(8, 4, 5), 0);
    EXPECT_EQ(max_abs(f.u.x, face_extent(f.layout, 0)), 0);
}

/// A Gaussian vortex around the z axis of a box.
void spin(Fields& f, double h, double strength) {
    const Vec3i n = f.layout.cells();
    const auto speed = [&](double x, double y, int axis) {
        const double dx = x - 0.5 * n.x * h, dy = y - 0.5 * n.y * h, r2 = dx * dx + dy * dy;
        const double w = strength * std::exp(-r2 / 0.02);
        return float(axis == 0 ? -w * dy : w * dx);
    };
    for (int k = -2; k <= n.z + 2; ++k)
        for (int j = 0; j <= n.y; ++j)
            for (int i = 0; i <= n.x; ++i) {
                f.old_u.x(i, j, k) = speed(i * h, (j + 0.5) * h, 0);
                f.old_u.y(i, j, k) = speed((i + 0.5) * h, j * h, 1);
            }
}

TEST(forces, confinement_speeds_up_a_vortex) {
    Fields f{field::Layout({32, 32, 8})};
    const double h = 1.0 / 32;
    spin(f, h, 10);
    add_forces({.dt = 1, .h = h, .epsilon = 1}, f.old_u, f.density, f.excess, f.all, f.u);
    // N points to the axis, so N x omega goes around it in the sense of the spin: the torque is positive.
    double torque = 0;
    for (int j = 8; j < 24; ++j)
        for (int i = 8; i < 24; ++i)
            torque += double(f.u.y(i, j, 4)) * ((i + 0.5) * h - 0.5) - double(f.u.x(i, j, 4)) * ((j + 0.5) * h - 0.5);
    EXPECT_GT(torque, 0.01);
    EXPECT_LT(max_abs(f.u.z, face_extent(f.layout, 2)), 1e-5);
}

TEST(forces, confinement_has_the_size_of_epsilon_h_omega) {
    Fields f{field::Layout({32, 32, 8})};
    const double h = 1.0 / 32;
    spin(f, h, 10);
    add_forces({.dt = 1, .h = h, .epsilon = 2}, f.old_u, f.density, f.excess, f.all, f.u);
    // The vorticity at the axis is 2 * strength; nowhere is the force larger than epsilon h times that.
    const double most = std::max(max_abs(f.u.x, face_extent(f.layout, 0)), max_abs(f.u.y, face_extent(f.layout, 1)));
    EXPECT_LT(most, 2 * h * 20 * 1.01);
    EXPECT_GT(most, 0.3 * 2 * h * 20);
}

TEST(forces, tiles_give_the_same_as_the_whole) {
    // The work is cut at tile borders; a domain of many tiles must not show them.
    Fields whole{field::Layout({50, 21, 19})};
    spin(whole, 0.03, 5);
    Fields parts{field::Layout({50, 21, 19})};
    spin(parts, 0.03, 5);
    add_forces({.dt = 1, .h = 0.03, .epsilon = 1}, whole.old_u, whole.density, whole.excess, whole.all, whole.u);
    for (int tk = 0; tk < parts.all.tiles().z; ++tk)
        for (int tj = 0; tj < parts.all.tiles().y; ++tj)
            for (int ti = 0; ti < parts.all.tiles().x; ++ti) {
                TileSet one(parts.layout);
                one.set(ti, tj, tk, true);
                add_forces({.dt = 1, .h = 0.03, .epsilon = 1}, parts.old_u, parts.density, parts.excess, one, parts.u);
            }
    for (int axis = 0; axis < 3; ++axis)
        for (int k = 0; k < 19; ++k)
            for (int j = 0; j < 21; ++j)
                for (int i = 0; i < 50; ++i) ASSERT_NEAR(whole.u[axis](i, j, k), parts.u[axis](i, j, k), 1e-6);
}

}  // namespace
}  // namespace phlo::flow
