#include "geom/rigid.h"

#include <gtest/gtest.h>

#include <algorithm>

#include <memory>
#include <numbers>

namespace phlo::geom {
namespace {

Shape mesh_of(const Shape& shape, const Vec3d& shift = {}, const Rotation& turn = {}) {
    field::TriangleMesh mesh = shape.tessellate(384);
    for (Vec3f& p : mesh.points) p = Vec3f(shift + turn(Vec3d(p)));
    return Mesh{std::make_shared<const ClosedMesh>(mesh, "test")};
}

TEST(mass, formulas_agree_with_the_integrals_over_a_fine_mesh) {
    for (const Shape& shape :
         {Shape(Sphere{.radius = 0.3}), Shape(Box{.size = {0.4, 0.2, 0.7}}), Shape(Box{.size = {0.4, 0.3, 0.7}, .rounding = 0.1}),
          Shape(Capsule{.radius = 0.15, .height = 0.4}), Shape(Cylinder{.radius = 0.2, .height = 0.5}),
          Shape(Cup{.radius = 0.2, .height = 0.5, .wall = 0.05, .base = 0.08, .flare = 0.07})}) {
        const MassProperties exact = mass_properties(shape, 700), integrated = mass_properties(mesh_of(shape), 700);
        EXPECT_NEAR(integrated.mass / exact.mass, 1, 5e-4);
        EXPECT_LT(length(integrated.center - exact.center), 2e-5);
        // The principal axes of a mesh come in any order.
        Vec3d a = exact.moments, b = integrated.moments;
        std::sort(&a.x, &a.x + 3), std::sort(&b.x, &b.x + 3);
        for (int axis = 0; axis < 3; ++axis) EXPECT_NEAR(b[axis] / a[axis], 1, 1e-3);
    }
}

TEST(mass, is_that_of_the_textbook) {
    const MassProperties ball = mass_properties(Sphere{.radius = 0.5}, 2), brick = mass_properties(Box{.size = {1, 2, 3}}, 5);
    EXPECT_NEAR(ball.moments.x, 0.4 * ball.mass * 0.25, 1e-12);
    EXPECT_NEAR(brick.moments.x, 30.0 / 12 * (4 + 9), 1e-9);
    EXPECT_NEAR(brick.moments.z, 30.0 / 12 * (1 + 4), 1e-9);
}

TEST(mass, does_not_change_when_a_mesh_is_moved_and_turned) {
    const Box box{.size = {0.4, 0.2, 0.7}};
    const Vec3d shift(3, -2, 1);
    const Rotation turn = Rotation::from_euler({0.4, -0.8, 1.3});
    const MassProperties still = mass_properties(box, 700), moved = mass_properties(mesh_of(box, shift, turn), 700);
    EXPECT_LT(length(moved.center - shift), 1e-6);
    // The inertia about any world direction is the same as that of the turned box.
    const auto about = [](const MassProperties& m, const Rotation& r, const Vec3d& axis) {
        const Vec3d local = (r * m.axes).inverse()(axis);
        return dot(local * local, m.moments);
    };
    for (const Vec3d& axis : {Vec3d(1, 0, 0), Vec3d(0, 1, 0), normalized(Vec3d(1, 2, 3))})
        EXPECT_NEAR(about(moved, {}, axis) / about(still, turn, axis), 1, 1e-5);
}

TEST(rigid, coasting_keeps_momenta_exactly_and_energy_nearly) {
    RigidBody plank = make_rigid(Box{.size = {0.1, 0.4, 1}}, {.position = {0, 0, 1}}, 500, {1, 2, 3}, {0.1, 9, 0.1});  // unstable axis
    const RigidState before = plank.state;
    const double energy = kinetic_energy(plank);
    double least = 1e300, most = 0;
    for (int step = 0; step < 2000; ++step) {
        coast(plank, 1.0 / 240);
        least = std::min(least, kinetic_energy(plank)), most = std::max(most, kinetic_energy(plank));
    }
    EXPECT_EQ(plank.state.angular_momentum, before.angular_momentum);
    EXPECT_EQ(plank.state.velocity, before.velocity);
    EXPECT_NEAR(plank.state.position.z, 1 + 3 * 2000.0 / 240, 1e-9);
    EXPECT_LT((most - least) / energy, 2e-3);
    EXPECT_NEAR(plank.state.rotation.w * plank.state.rotation.w + dot(plank.state.rotation.v, plank.state.rotation.v), 1, 1e-12);
    // About its middle axis it must have tumbled.
    EXPECT_LT(plank.mass.moments.y, std::max(plank.mass.moments.x, plank.mass.moments.z));
}

TEST(rigid, steady_spin_turns_by_its_rate) {
    RigidBody disc = make_rigid(Cylinder{.radius = 0.2, .height = 0.05}, {}, 500, {}, {0, 0, 3});
    coast(disc, 0.5);
    const Vec3d x = disc.state.rotation({1, 0, 0});
    EXPECT_NEAR(std::atan2(x.y, x.x), 1.5, 1e-9);
}

TEST(rigid, push_off_centre_moves_and_turns) {
    RigidBody ball = make_rigid(Sphere{.radius = 0.5}, {.position = {1, 0, 0}}, 3);
    push(ball, {1, 0, 0.5}, {2, 0, 0});
    EXPECT_NEAR(ball.state.velocity.x, 2 / ball.mass.mass, 1e-12);
    EXPECT_NEAR(angular_velocity(ball).y, 0.5 * 2 / ball.mass.moments.y, 1e-12);
    EXPECT_NEAR(velocity_at(ball, {1, 0, 0.5}).x, 2 / ball.mass.mass + 0.5 * angular_velocity(ball).y, 1e-12);
    const Pose where = pose(ball);
    EXPECT_NEAR(length(where.position - Vec3d(1, 0, 0)), 0, 1e-12);
}

}  // namespace
}  // namespace phlo::geom
