#include <gtest/gtest.h>

#include "advect_cases.h"
#include "flow/trace.h"

namespace phlo::flow {
namespace {

using namespace cases;

const Vec3i cells{40, 24, 24};
const double h = 0.1;

/// Distance to a ball, clamped to three cells as a narrow band is.
void set_ball(field::Grid& distance) {
    set_cells(distance, h, [](double x, double y, double z) {
        const double d = std::sqrt((x - 1.9) * (x - 1.9) + (y - 1.2) * (y - 1.2) + (z - 1.2) * (z - 1.2)) - 0.55;
        return std::clamp(d, -3 * h, 3 * h);
    });
    fill_ghosts(distance, cells, {});
}

template <int Axis>
void expect_free_ends(const Stream& s, const field::Grid& distance) {
    int stopped = 0;
    for (int k = 0; k < cells.z; ++k)
        for (int j = 0; j < cells.y; ++j)
            for (int i = 0; i < cells.x; i += simd::width) {
                Paths paths;
                trace<Axis>(s, i, j, k, 1, paths);
                stop_paths<Axis>(s, i, j, k, 1, paths);
                const PathStarts pack(s, i, j, k);
                const View view = View(distance).at(i, j, k);
                const Float start = sample_linear(view, start_points<Axis>()), end = sample_linear(view, pack.inside(paths.end[0]));
                const Mask began_outside = start >= Float(0.0f);
                ASSERT_FALSE(any(began_outside & (end < Float(-1e-6f)))) << i << ' ' << j << ' ' << k;
                stopped += std::popcount(simd::bits(paths.stopped[0] & began_outside));
            }
    EXPECT_GT(stopped, 100);
}

TEST(solids, back_traces_never_end_inside) {
    const field::Layout layout(cells);
    field::Grid distance(layout);
    set_ball(distance);
    field::MacGrid u(layout);
    randomize(u, 4 * h);
    for (int axis = 0; axis < 3; ++axis) field::extend_into_ghosts(u[axis], field::face_extent(layout, axis));
    const TileSet everywhere(layout, true);
    Stream s;
    s.u = View(u.x), s.v = View(u.y), s.w = View(u.z), s.cells = Vec3f(cells);
    s.distance = View(distance), s.per_cell = float(1 / h), s.near_solid = &everywhere;
    for (const double dt : {0.5, 1.0, 5.0}) {
        s.scale = Float(float(-dt / h));
        expect_free_ends<-1>(s, distance);
        expect_free_ends<0>(s, distance);
        expect_free_ends<2>(s, distance);
    }
}

TEST(solids, nothing_is_carried_through_a_thin_wall) {
    const field::Layout layout(cells);
    for (const double wall : {2.0, 2.97}) {   // the second ends where tiles do: paths reach it from another one
        field::Grid distance(layout), q(layout), to(layout);
        set_cells(distance, h, [=](double x, double, double) { return std::clamp(std::fabs(x - wall) - 0.12, -3 * h, 3 * h); });
        fill_ghosts(distance, cells, {});
        set_cells(q, h, [=](double x, double, double) { return x < wall ? 1.0 : 0.0; });
        field::MacGrid u(layout);
        u.x.fill(6.5f);
        for (const Scheme scheme : {Scheme::trilinear, Scheme::cubic, Scheme::maccormack}) {
            Workspace work;
            const Carried carried[] = {{&q, &to}};
            advect_scalars({.scheme = scheme, .dt = 0.1, .h = h, .solid_distance = &distance}, u, carried, TileSet(layout, true), work);
            for (int i = int(wall / h + 0.5); i < cells.x; ++i) ASSERT_EQ(to(i, 12, 12), 0) << i << " scheme " << int(scheme);  // 6.5 cells a step
            EXPECT_EQ(to(10, 12, 12), 1);
        }
    }
}

TEST(solids, what_is_more_than_half_covered_is_carried_along_the_surface) {
    const field::Layout layout(cells);
    field::Grid distance(layout), q(layout), to(layout);
    set_cells(distance, h,
              [](double, double, double z) { return std::clamp(z - 0.8 * h, -3 * h, 3 * h); });  // the floor of the second layer
    fill_ghosts(distance, cells, {});
    set_cells(q, h, [](double x, double, double) { return x; });
    field::MacGrid u(layout);
    u.x.fill(0.23f);
    for (const Scheme scheme : {Scheme::trilinear, Scheme::cubic, Scheme::maccormack}) {
        Workspace work;
        const Carried carried[] = {{&q, &to}};
        advect_scalars({.scheme = scheme, .dt = 1, .h = h, .solid_distance = &distance}, u, carried, TileSet(layout, true), work);
        for (int i = 4; i < cells.x; ++i) ASSERT_NEAR(to(i, 12, 0), q(i, 12, 0) - 0.23, 1e-5) << i << " scheme " << int(scheme);
    }
}

TEST(solids, far_away_they_change_nothing) {
    const field::Layout layout(cells);
    field::Grid distance(layout), q(layout), with(layout), without(layout);
    set_ball(distance);
    randomize(q, cells, 8, 0, 1);
    field::MacGrid u(layout);
    randomize(u, h);
    Workspace work;
    const Carried a[] = {{&q, &with}}, b[] = {{&q, &without}};
    advect_scalars({.dt = 0.9, .h = h, .solid_distance = &distance}, u, a, TileSet(layout, true), work);
    advect_scalars({.dt = 0.9, .h = h}, u, b, TileSet(layout, true), work);
    int changed = 0;
    for (int k = 0; k < cells.z; ++k)
        for (int j = 0; j < cells.y; ++j)
            for (int i = 0; i < cells.x; ++i) {
                if (distance(i, j, k) >= float(3 * h)) {
                    ASSERT_EQ(with(i, j, k), without(i, j, k));
                }
                changed += with(i, j, k) != without(i, j, k);
            }
    EXPECT_GT(changed, 0);
}

TEST(solids, every_path_that_can_reach_them_is_asked) {
    // `fastest` says from how far: with a huge one all paths are asked, and nothing may change.
    const Vec3i size{96, 40, 40};
    const field::Layout layout(size);
    field::Grid distance(layout), q(layout);
    set_cells(distance, h, [](double x, double y, double z) {
        return std::clamp(std::hypot(x - 4.43, y - 2.03, z - 2.03) - 0.31, -3 * h, 3 * h);
    });   // up to the ends of its tiles: the last paths that reach it start one tile further away than speed alone would tell
    fill_ghosts(distance, size, {});
    randomize(q, size, 8, 0, 1);
    for (const double speed : {0.3, 11.0})   // cells a step
        for (const int axis : {0, 1, 2}) {
            field::MacGrid u(layout);
            randomize(u, 0.2 * speed * h);
            for (float& v : u[axis].storage()) v += float(0.8 * speed * h);
            field::Grid found(layout), all(layout), blind(layout);
            field::MacGrid u_found(layout), u_all(layout);
            Workspace work;
            const TileSet everywhere(layout, true);
            const Advection how{.dt = 1, .h = h, .solid_distance = &distance}, asked{.dt = 1, .h = h, .fastest = 1e6, .solid_distance = &distance};
            const Carried a[] = {{&q, &found}}, b[] = {{&q, &all}}, c[] = {{&q, &blind}};
            advect_scalars(how, u, a, everywhere, work), advect_scalars(asked, u, b, everywhere, work);
            advect_scalars({.dt = 1, .h = h}, u, c, everywhere, work);
            EXPECT_TRUE(std::ranges::equal(found.storage(), all.storage())) << speed << " along " << axis;
            EXPECT_FALSE(std::ranges::equal(found.storage(), blind.storage())) << speed << " along " << axis;
            advect_velocity(how, u, u_found, everywhere, work), advect_velocity(asked, u, u_all, everywhere, work);
            for (int component = 0; component < 3; ++component)
                EXPECT_TRUE(std::ranges::equal(u_found[component].storage(), u_all[component].storage())) << speed << " along " << axis;
        }
}

}  // namespace
}  // namespace phlo::flow
