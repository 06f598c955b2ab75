#include "flow/activity.h"

#include <gtest/gtest.h>

#include <cmath>

#include "advect_cases.h"

namespace phlo::flow {
namespace {

// Cells of 0.5 m and steps of 0.1 s: one cell a step is 5 m/s, and a rotation of 1 a step is 10 1/s.
constexpr double h = 0.5, dt = 0.1;
const Calm calm{.displacement = 0.25, .rotation = 0.01};

struct Air {
    field::Layout layout{{50, 19, 33}};   // no axis is a multiple of the tile
    field::MacGrid u{layout};
    TileSet stirred() const { return stirred_tiles(u, dt, h, calm); }
};

TEST(activity, slow_uniform_flow_is_calm) {
    Air air;
    const float slow = 0.24f * 5;
    cases::set_faces(air.u, h, [=](auto...) { return slow; }, [=](auto...) { return -slow; }, [=](auto...) { return slow; });
    EXPECT_EQ(air.stirred().active_count(), 0);
}

TEST(activity, flow_without_rotation_is_calm) {
    Air air;   // a stagnation point flow: strained by 0.02 a step, but not turning
    const double strain = 0.2;
    cases::set_faces(
        air.u, h, [=](double x, double, double) { return strain * (x - 12.5) / 4; },
        [=](double, double y, double) { return -strain * (y - 4.75) / 4; }, [](auto...) { return 0.0; });
    EXPECT_EQ(air.stirred().active_count(), 0);
}

TEST(activity, fast_stream_wakes_its_tiles_in_every_direction) {
    for (int axis = 0; axis < 3; ++axis)
        for (const float sign : {-1.0f, 1.0f}) {
            Air air;
            air.u[axis].fill(sign * 0.26f * 5);
            EXPECT_EQ(air.stirred().active_count(), air.stirred().tile_count()) << axis;
        }
}

TEST(activity, vortex_wakes_its_tile_and_no_other) {
    for (int axis = 0; axis < 3; ++axis) {   // around each axis: a slow ring of the four faces at an edge inside tile (1, 1, 1)
        Air air;
        const int a = (axis + 1) % 3, b = (axis + 2) % 3;
        Vec3i edge(24, 12, 12), before_a = edge, before_b = edge;
        before_a[a] -= 1, before_b[b] -= 1;
        const float speed = 0.004f * 5;
        air.u[a](before_b.x, before_b.y, before_b.z) = speed, air.u[a](edge.x, edge.y, edge.z) = -speed;
        air.u[b](before_a.x, before_a.y, before_a.z) = -speed, air.u[b](edge.x, edge.y, edge.z) = speed;
        const TileSet stirred = air.stirred();
        EXPECT_EQ(stirred.active_count(), 1) << axis;
        EXPECT_TRUE(stirred.active(1, 1, 1)) << axis;
    }
}

TEST(activity, single_fast_cell_at_the_far_corner_is_seen) {
    Air air;
    air.u.z(49, 18, 32) = 0.26f * 5;
    EXPECT_TRUE(air.stirred().active(3, 2, 4));
    air.u.z(49, 18, 32) = 0;
    air.u.z(50, 18, 32) = 100;   // a ghost: not part of the domain
    EXPECT_EQ(air.stirred().active_count(), 0);
}

}  // namespace
}  // namespace phlo::flow
