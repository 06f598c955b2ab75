#include "geom/motion.h"

#include <gtest/gtest.h>

#include <numbers>

#include "geom/body.h"
#include "geom/placement.h"

namespace phlo::geom {
namespace {

constexpr double pi = std::numbers::pi;

Body tumbling_box() {
    return {.name = "box",
            .shape = Box{.size = {0.4, 0.2, 0.1}},
            .motion = {.position = Curve<Vec3d>({{0.0, {0, 0, 1}}, {1.0, {1, -0.5, 1.5}}, {2.0, {0, 0, 2}}}, Interpolation::smooth),
                       .rotation = Curve<Vec3d>({{0.0, {0, 0, 0}}, {1.0, {2, -1, 3}}, {2.0, {-1, 0.5, 7}}}, Interpolation::smooth)}};
}

void expect_near(const Vec3d& a, const Vec3d& b, double tolerance) {
    for (int axis = 0; axis < 3; ++axis) EXPECT_NEAR(a[axis], b[axis], tolerance);
}

TEST(motion, rotated_box_moves_as_its_finite_difference) {
    const Body box = tumbling_box();
    const Vec3d local(0.2, -0.1, 0.05);
    const double e = 1e-5;
    for (double t : {0.1, 0.37, 0.8, 1.2, 1.9}) {
        const Vec3d before = box.pose(t - e).world_from_local(local), after = box.pose(t + e).world_from_local(local);
        const Vec3d velocity = box.velocity_at(box.pose(t).world_from_local(local), t);
        expect_near(velocity, (after - before) / (2 * e), 1e-6);
        EXPECT_GT(length(velocity), 0.1);
    }
}

TEST(motion, euler_angles_turn_about_x_then_y_then_z) {
    const Rotation r = Rotation::from_euler({pi / 2, 0, pi / 2});
    expect_near(r({0, 1, 0}), {0, 0, 1}, 1e-12);  // x turns y up; z leaves it there
    expect_near(r({1, 0, 0}), {0, 1, 0}, 1e-12);
    const Pose pose{.position = {1, 2, 3}, .rotation = Rotation::from_euler({0.3, -1.1, 2.0})};
    expect_near(pose.local_from_world(pose.world_from_local({0.4, 0.5, -0.6})), {0.4, 0.5, -0.6}, 1e-12);
}

TEST(motion, turned_bounds_hold_the_turned_body_tightly) {
    const Body box = tumbling_box();
    for (double t : {0.0, 0.4, 1.7}) {
        Bounds around;
        for (const Vec3f& p : box.surface(t).mesh.points) around.include(Vec3d(p));
        expect_near(box.bounds(t).lower, around.lower, 1e-6);
        expect_near(box.bounds(t).upper, around.upper, 1e-6);
    }
}

TEST(motion, still_body_is_known_to_be_still) {
    EXPECT_FALSE(Body{}.moves());
    EXPECT_TRUE(tumbling_box().moves());
    expect_near(Body{}.velocity_at({1, 2, 3}, 0.5), {0, 0, 0}, 0);
}

TEST(motion, points_of_a_surface_move_as_their_finite_difference) {
    const Body box = tumbling_box();
    const double t = 0.37, e = 1e-3;
    const field::Surface before = box.surface(t - e), after = box.surface(t + e), now = surface(place(box, t));
    ASSERT_EQ(now.velocity.size(), now.mesh.points.size());
    for (std::size_t n = 0; n < now.velocity.size(); ++n) {
        EXPECT_EQ(now.mesh.points[n], box.surface(t).mesh.points[n]);
        expect_near(Vec3d(now.velocity[n]), (Vec3d(after.mesh.points[n]) - Vec3d(before.mesh.points[n])) / (2 * e), 2e-3);
    }
    const Body still{.name = "post", .shape = Box{.size = {0.4, 0.2, 0.1}}, .motion = {}};
    EXPECT_TRUE(surface(place(still, 1)).velocity.empty());
}

}  // namespace
}  // namespace phlo::geom
