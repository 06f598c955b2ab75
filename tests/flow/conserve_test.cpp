#include "flow/conserve.h"

#include <gtest/gtest.h>

#include "advect_cases.h"

namespace phlo::flow {
namespace {

using namespace cases;

TEST(conserving_transport, closed_box_keeps_its_total_for_a_thousand_steps) {
    const int n = 32;
    const field::Layout layout({n, n, 4});
    field::MacGrid u(layout);
    set_swirl(u, 1.0 / n, 1);
    field::Grid a(layout), b(layout);
    set_cells(a, 1.0 / n, [](double x, double y, double) { return std::hypot(x - 0.5, y - 0.7) < 0.2 ? 1 : 0; });
    const double before = field::sum(a);
    const TileSet all(layout, true);
    for (int step = 0; step < 1000; ++step) {
        const Throughput ledger = transport_conserving({.dt = 1.3 / n, .h = 1.0 / n, .x_first = step % 2 == 0}, u, {&a, &b}, all);
        ASSERT_LT(ledger.in + ledger.out, 1e-30);   // sin(pi) is not quite 0
        std::swap(a, b);
    }
    EXPECT_NEAR(field::sum(a) / before, 1, 1e-6);
    EXPECT_GE(range(a, layout.cells()).first, 0);
}

TEST(conserving_transport, constant_stays_constant_in_a_divergence_free_flow) {
    const int n = 24;
    const field::Layout layout({n, n, 5});
    field::MacGrid u(layout);
    set_swirl(u, 1.0 / n, 1);
    field::Grid a(layout, 0.7f), b(layout);
    const Throughput ledger = transport_conserving({.dt = 4.2 / n, .h = 1.0 / n}, u, {&a, &b}, TileSet(layout, true));
    EXPECT_GT(ledger.substeps, 1);
    EXPECT_NEAR(range(b, layout.cells()).first, 0.7f, 3e-6);
    EXPECT_NEAR(range(b, layout.cells()).second, 0.7f, 3e-6);
}

TEST(conserving_transport, stays_positive_and_bounded_in_a_swirl_and_positive_in_any_flow) {
    const Vec3i cells{37, 21, 18};
    const field::Layout layout(cells);
    field::MacGrid u(layout);
    field::Grid a(layout), b(layout);
    randomize(a, cells, 1, 0, 1);
    for (int j = 0; j < cells.y; ++j)
        for (int i = 0; i < cells.x; i += 2) a(i, j, 3) = 0;
    randomize(u, 3);   // wild: diverges and converges everywhere
    for (int axis = 0; axis < 3; ++axis)
        for (int k = 0; k <= cells.z; ++k)
            for (int j = 0; j <= cells.y; ++j)
                for (int i = 0; i <= cells.x; ++i) {
                    const Vec3i p(i, j, k);
                    if (p[axis] == 0 || p[axis] == cells[axis]) u[axis](i, j, k) = 0;
                }
    const double before = field::sum(a);
    for (int step = 0; step < 10; ++step) {
        transport_conserving({.dt = 1, .h = 1, .x_first = step % 2 == 0}, u, {&a, &b}, TileSet(layout, true));
        std::swap(a, b);
        ASSERT_GE(range(a, cells).first, 0);
    }
    EXPECT_NEAR(field::sum(a) / before, 1, 1e-6);
}

double rotation_error(int n) {
    return quarter_turn_error(n, n, [](int step, field::MacGrid& u, field::Grid& from, field::Grid& to, double dt, double h) {
        transport_conserving({.dt = dt, .h = h, .x_first = step % 2 == 0}, u, {&from, &to, walls_with(0)}, TileSet(from.layout(), true));
    });
}

TEST(conserving_transport, smooth_blob_converges_at_second_order) {
    const double e1 = rotation_error(48), e2 = rotation_error(96), e3 = rotation_error(192);
    EXPECT_GE(std::log2(e1 / e3) / 2, 1.8) << e1 << ' ' << e2 << ' ' << e3;
}

TEST(conserving_transport, ledger_accounts_for_what_crosses_the_walls) {
    const Vec3i cells{30, 17, 12};
    const field::Layout layout(cells);
    const double h = 0.2;
    field::MacGrid u(layout);
    for (int axis = 0; axis < 3; ++axis) u[axis].fill(0.3f + 0.2f * float(axis));
    field::Grid a(layout), b(layout);
    randomize(a, cells, 1, 0, 1);
    double in = 0, out = 0;
    const double before = field::sum(a) * h * h * h;
    for (int step = 0; step < 20; ++step) {
        const Throughput ledger = transport_conserving({.dt = 0.5, .h = h, .x_first = step % 2 == 0}, u, {&a, &b, walls_with(2.0f)}, TileSet(layout, true));
        in += ledger.in, out += ledger.out;
        std::swap(a, b);
    }
    const double area[3] = {cells.y * cells.z * h * h, cells.x * cells.z * h * h, cells.x * cells.y * h * h};
    EXPECT_NEAR(in, 10 * 2.0 * (0.3 * area[0] + 0.5 * area[1] + 0.7 * area[2]), 1e-4 * in);
    EXPECT_NEAR(field::sum(a) * h * h * h, before + in - out, 1e-6 * in);
}

TEST(conserving_transport, body_in_the_way_keeps_everything_outside_and_all_of_it) {
    const int n = 24;
    const field::Layout layout({n, n, 6});
    field::MacGrid u(layout), aperture(layout, 1.0f);
    field::Grid volume(layout, 1.0f), a(layout), b(layout);
    randomize(u, 1);
    const auto solid = [&](int i, int j) { return i >= 10 && i < 14 && j >= 10 && j < 14; };
    for (int k = 0; k < 6; ++k)
        for (int j = 0; j < n; ++j)
            for (int i = 0; i < n; ++i) {
                if (solid(i, j)) volume(i, j, k) = 0;
                if (i == 14 && j >= 10 && j < 14) volume(i, j, k) = 0.3f;   // a cut cell
                if (!solid(i, j)) a(i, j, k) = float(noise(i, j, k, 3, 0, 1));
            }
    for (int axis = 0; axis < 3; ++axis) {
        const Vec3i extent = face_extent(layout, axis);
        for (int k = 0; k < extent.z; ++k)
            for (int j = 0; j < extent.y; ++j)
                for (int i = 0; i < extent.x; ++i) {
                    Vec3i below(i, j, k);
                    below[axis] -= 1;
                    const bool wall = below[axis] < 0 || Vec3i(i, j, k)[axis] == layout.cells()[axis];
                    if (wall || solid(i, j) || solid(below.x, below.y)) aperture[axis](i, j, k) = 0;
                    else if (axis == 1 && i == 14 && j > 10 && j < 14) aperture.y(i, j, k) = 0.3f;
                }
    }
    const auto total = [&](const field::Grid& q) {
        double sum = 0;
        for (int k = 0; k < 6; ++k)
            for (int j = 0; j < n; ++j)
                for (int i = 0; i < n; ++i) sum += double(q(i, j, k)) * double(volume(i, j, k));
        return sum;
    };
    const double before = total(a);
    for (int step = 0; step < 30; ++step) {
        transport_conserving({.dt = 1, .h = 1, .aperture = &aperture, .volume = &volume, .x_first = step % 2 == 0}, u, {&a, &b}, TileSet(layout, true));
        std::swap(a, b);
        ASSERT_GE(range(a, layout.cells()).first, 0);
    }
    EXPECT_NEAR(total(a) / before, 1, 1e-6);
    for (int j = 10; j < 14; ++j)
        for (int i = 10; i < 14; ++i) ASSERT_EQ(a(i, j, 3), 0);
}

TEST(conserving_transport, active_tiles_give_the_same_and_keep_the_total) {
    const field::Layout layout({80, 48, 40});
    const double h = 1.0 / 48;
    field::MacGrid u(layout);
    randomize(u, 1);
    field::Grid a(layout), all(layout), some(layout);
    for (int k = 16; k < 22; ++k)
        for (int j = 17; j < 23; ++j)
            for (int i = 34; i < 46; ++i) a(i, j, k) = float(noise(i, j, k, 6, 0, 1));
    TileSet active(layout);
    active.activate_where(a, 0, 0, 3);
    transport_conserving({.dt = 0.1 * h, .h = h}, u, {&a, &all}, TileSet(layout, true));
    transport_conserving({.dt = 0.1 * h, .h = h}, u, {&a, &some}, active);
    EXPECT_LT(active.active_fraction(), 0.3);
    EXPECT_EQ(largest_difference(all, some, layout.cells()), 0);
    EXPECT_NEAR(field::sum(some) / field::sum(a), 1, 1e-7);
}

TEST(conserving_transport, what_leaves_the_active_tiles_is_not_held_back) {
    const field::Layout layout({32, 16, 16});
    field::MacGrid u(layout, 0.5f);
    field::Grid a(layout), all(layout), some(layout);
    a(15, 7, 7) = 1;  // the last cell of its tile on every axis
    TileSet active(layout);
    active.activate_where(a, 0, 0, 0);
    ASSERT_EQ(active.active_count(), 1);
    transport_conserving({.dt = 1, .h = 1}, u, {&a, &all}, TileSet(layout, true));
    transport_conserving({.dt = 1, .h = 1}, u, {&a, &some}, active);
    EXPECT_GT(all(16, 8, 8), 0.05f);
    EXPECT_EQ(largest_difference(all, some, layout.cells()), 0);
}

/// Fuel and air meet, products P between them: as much of nitrogen N as came with the oxygen O, burnt or not.
double worst_proportion(bool together) {
    const int n = 32;
    const field::Layout layout({n, n, 4});
    field::MacGrid u(layout);
    set_swirl(u, 1.0 / n, 1);
    field::Grid fuel(layout), oxygen(layout), nitrogen(layout), product(layout), share(layout);
    set_cells(fuel, 1.0 / n, [](double x, double y, double) { return std::max(0.0, 1 - std::hypot(x - 0.5, y - 0.7) / 0.2); });
    set_cells(product, 1.0 / n, [](double x, double y, double) { return std::exp(-std::pow((std::hypot(x - 0.5, y - 0.7) - 0.2) / 0.05, 2)); });
    for (int k = 0; k < 4; ++k)
        for (int j = 0; j < n; ++j)
            for (int i = 0; i < n; ++i) {
                const float air = 1 - fuel(i, j, k);
                nitrogen(i, j, k) = 3.76f * air, product(i, j, k) *= air, oxygen(i, j, k) = air - product(i, j, k);
            }
    const Companion fields[] = {{&fuel}, {&oxygen}, {&nitrogen}, {&product}};
    for (int step = 0; step < 40; ++step)
        transport_together({.dt = 1.3 / n, .h = 1.0 / n, .x_first = step % 2 == 0}, u, fields, TileSet(layout, true), together ? &share : nullptr);
    double worst = 0;
    for (int j = 0; j < n; ++j)
        for (int i = 0; i < n; ++i)
            worst = std::max(worst, std::fabs(double(nitrogen(i, j, 1)) - 3.76 * double(oxygen(i, j, 1) + product(i, j, 1))));
    for (const Companion& one : fields) EXPECT_GE(range(*one.field, layout.cells()).first, 0);
    return worst;
}

TEST(conserving_transport, fields_with_one_limiter_keep_the_proportions_that_mixing_keeps) {
    EXPECT_LT(worst_proportion(true), 1e-3);
    EXPECT_GT(worst_proportion(false), 0.1);
}

TEST(conserving_transport, one_limiter_for_one_field_is_its_own) {
    const int n = 24;
    const field::Layout layout({n, n, 5});
    field::MacGrid u(layout);
    set_swirl(u, 1.0 / n, 1);
    field::Grid a(layout), b(layout), c(layout), share(layout);
    set_cells(a, 1.0 / n, [](double x, double y, double) { return std::hypot(x - 0.5, y - 0.7) < 0.2 ? 1 : 0.1; });
    c = a;
    const Conserving how{.dt = 1.3 / n, .h = 1.0 / n};
    transport_conserving(how, u, {&a, &b}, TileSet(layout, true));
    const Companion alone[] = {{&c}};
    transport_together(how, u, alone, TileSet(layout, true), &share);
    for (int j = 0; j < n; ++j)
        for (int i = 0; i < n; ++i) EXPECT_NEAR(c(i, j, 2), b(i, j, 2), 1e-3);
}

TEST(conserving_transport, thread_count_is_bitwise_neutral) {
    const field::Layout layout({50, 33, 29});
    field::MacGrid u(layout);
    randomize(u, 2);
    field::Grid a(layout), one(layout), many(layout);
    randomize(a, layout.cells(), 1, 0, 1);
    Throughput ledger1, ledger2;
    {
        const ThreadLimit limit(1);
        ledger1 = transport_conserving({.dt = 1, .h = 1}, u, {&a, &one, walls_with(0.5f)}, TileSet(layout, true));
    }
    ledger2 = transport_conserving({.dt = 1, .h = 1}, u, {&a, &many, walls_with(0.5f)}, TileSet(layout, true));
    EXPECT_EQ(largest_difference(one, many, layout.cells()), 0);
    EXPECT_EQ(ledger1.in, ledger2.in);
    EXPECT_EQ(ledger1.out, ledger2.out);
}

}  // namespace
}  // namespace phlo::flow
