#include "flow/advect.h"

#include <gtest/gtest.h>

#include "advect_cases.h"

namespace phlo::flow {
namespace {

using namespace cases;

const Scheme schemes[] = {Scheme::trilinear, Scheme::cubic, Scheme::maccormack};
const Vec3i odd_cells{37, 22, 19};

field::Grid advected(const Advection& how, field::MacGrid& u, const field::Grid& q, const Boundary& boundary = {}) {
    field::Grid from = q, to(q.layout());
    Workspace work;
    const Carried carried[] = {{&from, &to, boundary}};
    advect_scalars(how, u, carried, TileSet(q.layout(), true), work);
    return to;
}

TEST(advection, constant_field_stays_constant_exactly) {
    const field::Layout layout(odd_cells);
    field::MacGrid u(layout);
    randomize(u, 7);
    for (const Scheme scheme : schemes) {
        const field::Grid to = advected({.scheme = scheme, .dt = 0.7, .h = 1}, u, field::Grid(layout, 0.3f));
        EXPECT_EQ(range(to, odd_cells), std::make_pair(0.3f, 0.3f)) << int(scheme);
    }
    field::MacGrid stream(layout, 2.7f), to(layout);
    Workspace work;
    for (const Scheme scheme : schemes) {
        advect_velocity({.scheme = scheme, .dt = 1, .h = 0.5}, stream, to, TileSet(layout, true), work);
        for (int axis = 0; axis < 3; ++axis) EXPECT_EQ(range(to[axis], face_extent(layout, axis)), std::make_pair(2.7f, 2.7f));
    }
}

TEST(advection, whole_cells_are_carried_exactly) {
    const field::Layout layout(odd_cells);
    field::MacGrid u(layout);
    for (int axis = 0; axis < 3; ++axis) u[axis].fill(float(axis + 1) * 0.25f);
    field::Grid q(layout);
    randomize(q, odd_cells, 3, 0, 1);
    for (const Scheme scheme : schemes) {
        const field::Grid to = advected({.scheme = scheme, .dt = 4, .h = 1}, u, q, walls_with(-5));
        for (int k = 0; k < odd_cells.z; ++k)
            for (int j = 0; j < odd_cells.y; ++j)
                for (int i = 0; i < odd_cells.x; ++i)
                    ASSERT_EQ(to(i, j, k), i >= 1 && j >= 2 && k >= 3 ? q(i - 1, j - 2, k - 3) : -5) << i << ' ' << j << ' ' << k;
    }
}

TEST(advection, no_scheme_makes_new_extrema) {
    const field::Layout layout(odd_cells);
    field::MacGrid u(layout);
    field::Grid q(layout);
    randomize(q, odd_cells, 4, 1, 2);
    const auto before = range(q, odd_cells);
    for (const double cfl : {0.4, 2.0, 20.0}) {
        randomize(u, cfl);
        for (const Scheme scheme : schemes) {
            field::Grid now = q;
            for (int step = 0; step < 5; ++step) now = advected({.scheme = scheme, .trace = Trace::rk3, .dt = 1, .h = 1}, u, now);
            const auto after = range(now, odd_cells);
            EXPECT_GE(after.first, before.first);
            EXPECT_LE(after.second, before.second);
        }
    }
}

double rotation_error(int n, Scheme scheme, Trace trace) {
    Workspace work;
    const int steps = n / 2;  // a few tenths of a cell to one and a half cells a step, at the blob
    return quarter_turn_error(n, steps, [&](int, field::MacGrid& u, field::Grid& from, field::Grid& to, double dt, double h) {
        const Carried carried[] = {{&from, &to, walls_with(0)}};
        advect_scalars({.scheme = scheme, .trace = trace, .dt = dt, .h = h}, u, carried, TileSet(from.layout(), true), work);
    });
}

TEST(advection, blob_converges_at_the_order_of_its_scheme) {
    // The cubic flattens the one cell at the very top, so its mean error falls a little slower than h^2.
    const double expected[][2] = {{0.75, 1.2}, {1.65, 2.5}, {1.85, 2.5}};
    for (const Scheme scheme : schemes)
        for (const Trace trace : {Trace::rk2, Trace::rk3}) {
            const double e1 = rotation_error(48, scheme, trace), e2 = rotation_error(96, scheme, trace), e3 = rotation_error(192, scheme, trace);
            const double slope = std::log2(e1 / e3) / 2;
            EXPECT_GE(slope, expected[int(scheme)][0]) << int(scheme) << ": " << e1 << ' ' << e2 << ' ' << e3;
            EXPECT_LE(slope, expected[int(scheme)][1]) << int(scheme) << ": " << e1 << ' ' << e2 << ' ' << e3;
        }
}

TEST(advection, third_order_trace_beats_the_second_on_a_curved_path) {
    EXPECT_LT(rotation_error(64, Scheme::cubic, Trace::rk3), rotation_error(64, Scheme::cubic, Trace::rk2));
}

TEST(advection, mirrored_input_gives_mirrored_output) {
    const field::Layout layout(odd_cells);
    const Vec3i n = odd_cells;
    for (int mirror = 0; mirror < 3; ++mirror)
        for (const Scheme scheme : schemes) {
            field::MacGrid u(layout), mu(layout);
            field::Grid q(layout), mq(layout);
            randomize(u, 1.7);
            randomize(q, n, 5, 0, 1);
            u.z.fill(0);   // points on grid planes: the limits must not depend on the side they are rounded to
            const auto reflected = [&](Vec3i p, Vec3i extent) { return p[mirror] = extent[mirror] - 1 - p[mirror], p; };
            for (int axis = -1; axis < 3; ++axis) {
                const Vec3i extent = axis < 0 ? n : field::face_extent(layout, axis);
                field::Grid &a = axis < 0 ? q : u[axis], &b = axis < 0 ? mq : mu[axis];
                for (int k = 0; k < extent.z; ++k)
                    for (int j = 0; j < extent.y; ++j)
                        for (int i = 0; i < extent.x; ++i) {
                            const Vec3i r = reflected({i, j, k}, extent);
                            b(r.x, r.y, r.z) = axis == mirror ? -a(i, j, k) : a(i, j, k);
                        }
            }
            const Advection how{.scheme = scheme, .dt = 1, .h = 1};
            const field::Grid to = advected(how, u, q), mto = advected(how, mu, mq);
            double most = 0;
            for (int k = 0; k < n.z; ++k)
                for (int j = 0; j < n.y; ++j)
                    for (int i = 0; i < n.x; ++i) {
                        const Vec3i r = reflected({i, j, k}, n);
                        most = std::max(most, double(std::fabs(to(i, j, k) - mto(r.x, r.y, r.z))));
                    }
            EXPECT_LT(most, 4e-6) << "axis " << mirror << " scheme " << int(scheme);
        }
}

TEST(advection, open_walls_bring_their_value_and_closed_ones_nothing) {
    const field::Layout layout({24, 9, 11});
    for (const Scheme scheme : schemes)
        for (std::size_t wall = 0; wall < 6; ++wall) {
            const int axis = int(wall / 2), last = layout.cells()[axis] - 1;
            const bool lower = wall % 2 == 0;
            field::MacGrid u(layout);
            u[axis].fill(lower ? 1.5f : -1.5f);
            Boundary boundary{};
            boundary[wall] = 3.0f;   // fresh gas from this wall; the field continues beyond the one across
            const Advection how{.scheme = scheme, .dt = 2, .h = 1};
            const field::Grid one(layout, 1.0f), to = advected(how, u, one, boundary);
            const auto at = [&](int cells_from_wall) {
                Vec3i cell(4);
                cell[axis] = lower ? cells_from_wall : last - cells_from_wall;
                return to(cell.x, cell.y, cell.z);
            };
            EXPECT_EQ(at(0), 3.0f) << wall;
            EXPECT_EQ(at(1), 3.0f) << wall;
            EXPECT_EQ(at(4), 1.0f) << wall;
            EXPECT_EQ(at(last), 1.0f) << wall;
            EXPECT_EQ(range(advected(how, u, one), layout.cells()), std::make_pair(1.0f, 1.0f)) << wall;
        }
}

TEST(advection, skipping_tiles_with_nothing_in_them_changes_nothing) {
    const field::Layout layout({64, 40, 40});
    field::MacGrid u(layout);
    randomize(u, 2);
    field::Grid q(layout);
    for (int k = 16; k < 22; ++k)
        for (int j = 16; j < 22; ++j)
            for (int i = 34; i < 44; ++i) q(i, j, k) = float(noise(i, j, k, 6, 0, 1));
    TileSet active(layout);
    active.activate_where(q, 0, 0, 6);
    ASSERT_LT(active.active_fraction(), 0.5);
    for (const Scheme scheme : schemes) {
        const Advection how{.scheme = scheme, .dt = 1, .h = 1};
        field::Grid from = q, to(layout, 9.0f);
        Workspace work;
        const Carried carried[] = {{&from, &to}};
        advect_scalars(how, u, carried, active, work);
        EXPECT_EQ(largest_difference(to, advected(how, u, q), layout.cells()), 0);
    }
}

TEST(advection, scalars_on_one_trace_equal_each_alone) {
    const field::Layout layout(odd_cells);
    field::MacGrid u(layout);
    randomize(u, 2);
    std::array<field::Grid, 5> from, to;
    std::vector<Carried> carried;
    for (std::size_t n = 0; n < 5; ++n) {
        from[n] = field::Grid(layout), to[n] = field::Grid(layout);
        randomize(from[n], odd_cells, unsigned(n), 0, 1);
        carried.push_back({&from[n], &to[n], n % 2 ? walls_with(0.5f) : Boundary{}});
    }
    Workspace work;
    for (const Scheme scheme : schemes) {
        const Advection how{.scheme = scheme, .dt = 1, .h = 1};
        advect_scalars(how, u, carried, TileSet(layout, true), work);
        for (std::size_t n = 0; n < 5; ++n)
            EXPECT_EQ(largest_difference(to[n], advected(how, u, from[n], carried[n].boundary), odd_cells), 0);
    }
}

TEST(advection, spare_grids_save_as_many_and_change_nothing) {
    const field::Layout layout(odd_cells);
    field::MacGrid u(layout);
    randomize(u, 2);
    field::Grid a(layout), b(layout), to_a(layout), to_b(layout), first(layout), second(layout);
    randomize(a, odd_cells, 1, 0, 1), randomize(b, odd_cells, 2, 0, 1);
    Workspace work;
    const Carried carried[] = {{&a, &to_a}, {&b, &to_b}};
    field::Grid* const spare[] = {&first, &second};
    advect_scalars({.dt = 1, .h = 1, .spare = spare}, u, carried, TileSet(layout, true), work);
    EXPECT_EQ(work.bytes(), 2 * a.bytes());
    EXPECT_EQ(largest_difference(to_a, advected({.dt = 1, .h = 1}, u, a), odd_cells), 0);
    EXPECT_EQ(largest_difference(to_b, advected({.dt = 1, .h = 1}, u, b), odd_cells), 0);
}

TEST(advection, thread_count_is_bitwise_neutral) {
    const field::Layout layout({50, 33, 29});
    field::MacGrid u(layout), to1(layout), to2(layout);
    randomize(u, 3);
    Workspace work;
    for (const Scheme scheme : schemes) {
        const Advection how{.scheme = scheme, .dt = 1, .h = 1};
        {
            const ThreadLimit one(1);
            advect_velocity(how, u, to1, TileSet(layout, true), work);
        }
        advect_velocity(how, u, to2, TileSet(layout, true), work);
        for (int axis = 0; axis < 3; ++axis) EXPECT_EQ(largest_difference(to1[axis], to2[axis], face_extent(layout, axis)), 0);
    }
}

TEST(advection, taylor_green_keeps_its_symmetry_and_gains_no_energy) {
    const int n = 32;
    const field::Layout layout({n, n, 4});
    const double h = 1.0 / n, k = 2 * std::acos(-1.0);
    for (const Scheme scheme : schemes) {
        field::MacGrid u(layout), to(layout);
        set_faces(
            u, h, [&](double x, double y, double) { return std::sin(k * x) * std::cos(k * y); },
            [&](double x, double y, double) { return -std::cos(k * x) * std::sin(k * y); }, [](double, double, double) { return 0.0; });
        Workspace work;
        const float fastest = range(u.x, face_extent(layout, 0)).second;
        for (int step = 0; step < 4; ++step) {
            advect_velocity({.scheme = scheme, .dt = 1.5 * h, .h = h}, u, to, TileSet(layout, true), work);
            std::swap(u, to);
        }
        double skew = 0;
        for (int j = 0; j < n; ++j)
            for (int i = 0; i <= n; ++i) {
                skew = std::max(skew, double(std::fabs(u.x(i, j, 1) + u.x(n - i, j, 1))));       // mirror in x
                skew = std::max(skew, double(std::fabs(u.x(i, j, 1) - u.x(i, n - 1 - j, 1))));   // mirror in y
                skew = std::max(skew, double(std::fabs(u.x(i, j, 1) - u.x(i, j, 2))));
            }
        EXPECT_LT(skew, 1e-5) << int(scheme);
        EXPECT_LE(range(u.x, face_extent(layout, 0)).second, fastest);
        EXPECT_EQ(range(u.z, face_extent(layout, 2)), std::make_pair(0.0f, 0.0f));
    }
}

}  // namespace
}  // namespace phlo::flow
