#include "geom/contact.h"

#include <gtest/gtest.h>

#include <memory>

namespace phlo::geom {
namespace {

constexpr double g = 9.81;
const Plane floor_plane{.normal = {0, 0, 1}, .offset = 0};

Shape mesh_of(const Shape& shape) { return Mesh{std::make_shared<const ClosedMesh>(shape.tessellate(48), "test")}; }

double energy(const RigidBody& body) { return kinetic_energy(body) + body.mass.mass * g * body.state.position.z; }

double lowest(const Shape& shape, const RigidBody& body) {
    double least = 1e300;
    const Pose at = pose(body);
    for (const Vec3f& p : shape.tessellate(64).points) least = std::min(least, at.world_from_local(Vec3d(p)).z);
    return least;
}

TEST(contact, nothing_near_means_free_fall) {
    const Shape ball = Sphere{.radius = 0.1};
    RigidBody body = make_rigid(ball, {.position = {0, 0, 5}}, 1000, {1, 0, 2});
    Mover mover{.shape = &ball, .body = &body, .acceleration = {0, 0, -g}};
    for (int step = 0; step < 24; ++step) step_contacts({&mover, 1}, {.planes = {floor_plane}}, 1.0 / 48);
    EXPECT_NEAR(body.state.position.x, 0.5, 1e-9);
    EXPECT_NEAR(body.state.position.z, 5 + 2 * 0.5 - g * 0.125, 1e-9);
    EXPECT_NEAR(body.state.velocity.z, 2 - g * 0.5, 1e-9);
}

TEST(contact, every_shape_comes_to_rest_on_the_floor_without_sinking_in_or_gaining_energy) {
    for (const Shape& shape : {Shape(Sphere{.radius = 0.1}), Shape(Box{.size = {0.3, 0.2, 0.1}}),
                               Shape(Box{.size = {0.3, 0.2, 0.1}, .rounding = 0.02}), Shape(Capsule{.radius = 0.1, .height = 0.3}),
                               Shape(Cylinder{.radius = 0.1, .height = 0.2}),
                               Shape(Cup{.radius = 0.15, .height = 0.06, .wall = 0.02, .base = 0.02}), mesh_of(Box{.size = {0.3, 0.2, 0.15}})}) {
        RigidBody body = make_rigid(shape, {.position = {0, 0, 0.6}, .rotation = Rotation::from_euler({0.3, 0.5, 0.1})}, 700);
        Mover mover{.shape = &shape, .body = &body, .acceleration = {0, 0, -g}, .restitution = 0.3, .friction = 0.6};
        double before = energy(body);
        const double start = before;
        for (int step = 0; step < 48 * 6; ++step) {
            step_contacts({&mover, 1}, {.planes = {floor_plane}}, 1.0 / 48);
            EXPECT_LT(energy(body), before + 2e-3 * start) << shape.kind().index() << " step " << step;
            before = std::min(before, energy(body));
        }
        EXPECT_LT(length(body.state.velocity), 0.02) << shape.kind().index();
        EXPECT_LT(length(angular_velocity(body)), 0.2) << shape.kind().index();
        EXPECT_NEAR(lowest(shape, body), 0, 2e-3) << shape.kind().index();
    }
}

TEST(contact, bounces_to_the_square_of_the_restitution) {
    for (const double e : {0.0, 0.5, 0.9}) {
        const Shape ball = Sphere{.radius = 0.1};
        RigidBody body = make_rigid(ball, {.position = {0, 0, 1.1}}, 1000);
        Mover mover{.shape = &ball, .body = &body, .acceleration = {0, 0, -g}, .restitution = e};
        double top = 0;
        bool rising = false, done = false;
        for (int step = 0; step < 200 && !done; ++step) {
            step_contacts({&mover, 1}, {.planes = {floor_plane}}, 1.0 / 100);
            if (body.state.velocity.z > 0) rising = true, top = std::max(top, body.state.position.z - 0.1);
            done = rising && body.state.velocity.z < 0;
        }
        EXPECT_NEAR(top, e * e, 0.03) << e;
        EXPECT_LE(top, e * e + 1e-3) << e;
    }
}

TEST(contact, slides_down_a_slope_by_coulombs_law) {
    const Shape brick = Box{.size = {0.3, 0.2, 0.1}};
    const double slope = 0.4;  // rad, tan = 0.42
    const Plane incline{.normal = {std::sin(slope), 0, std::cos(slope)}, .offset = 0};
    for (const double mu : {0.2, 0.6}) {
        const Rotation turn = Rotation::about({0, 1, 0}, slope);
        RigidBody body = make_rigid(brick, {.position = incline.normal * 0.05, .rotation = turn}, 700);
        Mover mover{.shape = &brick, .body = &body, .acceleration = {0, 0, -g}, .restitution = 0, .friction = mu};
        for (int step = 0; step < 48; ++step) step_contacts({&mover, 1}, {.planes = {incline}, .friction = mu}, 1.0 / 48);
        const double expected = mu > std::tan(slope) ? 0.0 : g * (std::sin(slope) - mu * std::cos(slope));
        EXPECT_NEAR(length(body.state.velocity), expected, 0.02 * g) << mu;
    }
}

TEST(contact, two_balls_exchange_momentum_and_keep_it) {
    const Shape ball = Sphere{.radius = 0.1};
    RigidBody a = make_rigid(ball, {.position = {-0.5, 0.03, 0}}, 1000, {2, 0, 0}), b = make_rigid(ball, {.position = {0, 0, 0}}, 500);
    Mover movers[] = {{.shape = &ball, .body = &a, .restitution = 1, .friction = 0.3},
                      {.shape = &ball, .body = &b, .restitution = 1, .friction = 0.3}};
    const auto momentum = [&] { return a.state.velocity * a.mass.mass + b.state.velocity * b.mass.mass; };
    const auto spin = [&] {
        Vec3d total;
        for (const RigidBody* body : {&a, &b})
            total += body->state.angular_momentum + cross(body->state.position, body->state.velocity * body->mass.mass);
        return total;
    };
    const Vec3d p = momentum(), l = spin();
    const double kinetic = kinetic_energy(a) + kinetic_energy(b);
    for (int step = 0; step < 24; ++step) step_contacts(movers, {}, 1.0 / 48);
    EXPECT_GT(b.state.velocity.x, 1);
    EXPECT_LT(length(momentum() - p), 1e-9 * length(p));
    EXPECT_LT(length(spin() - l), 0.02 * length(l));
    EXPECT_LE(kinetic_energy(a) + kinetic_energy(b), kinetic * (1 + 1e-9));
    EXPECT_GT(kinetic_energy(a) + kinetic_energy(b), 0.9 * kinetic);
}

TEST(contact, a_box_rests_on_a_fixed_body_and_a_ball_on_the_box) {
    const Body table{.name = "table", .shape = Box{.size = {1, 1, 0.2}}, .motion = {.position = Curve<Vec3d>(Vec3d(0, 0, 0.5))}};
    const Shape box = Box{.size = {0.3, 0.3, 0.2}}, ball = Sphere{.radius = 0.1};
    RigidBody lower = make_rigid(box, {.position = {0, 0, 0.75}}, 500), upper = make_rigid(ball, {.position = {0, 0, 1.0}}, 500);
    Mover movers[] = {{.shape = &box, .body = &lower, .acceleration = {0, 0, -g}},
                      {.shape = &ball, .body = &upper, .acceleration = {0, 0, -g}}};
    for (int step = 0; step < 48 * 3; ++step) step_contacts(movers, {.planes = {floor_plane}, .placed = {place(table, 0)}}, 1.0 / 48);
    EXPECT_NEAR(lower.state.position.z, 0.7, 2e-3);
    EXPECT_NEAR(upper.state.position.z, 0.9, 3e-3);
    EXPECT_LT(length(lower.state.velocity), 0.01);
}

TEST(contact, a_keyframed_body_carries_and_pushes) {
    const Body pusher{.name = "pusher",
                      .shape = Box{.size = {0.2, 1, 1}},
                      .motion = {.position = Curve<Vec3d>({{0, {-0.5, 0, 0.5}}, {2, {0.5, 0, 0.5}}})}};
    const Shape ball = Sphere{.radius = 0.1};
    RigidBody body = make_rigid(ball, {.position = {0, 0, 0.1}}, 500);
    Mover mover{.shape = &ball, .body = &body, .acceleration = {0, 0, -g}, .restitution = 0};
    for (int step = 0; step < 80; ++step)
        step_contacts({&mover, 1}, {.planes = {floor_plane}, .placed = {place(pusher, step / 48.0)}}, 1.0 / 48);
    EXPECT_GE(body.state.position.x, -0.5 + 0.5 * 80 / 48.0 + 0.2 - 2e-3);
}

TEST(contact, overlap_is_taken_away_without_speed) {
    const Shape ball = Sphere{.radius = 0.1};
    RigidBody body = make_rigid(ball, {.position = {0, 0, 0.06}}, 500);
    Mover mover{.shape = &ball, .body = &body, .acceleration = {0, 0, -g}};
    double fastest = 0;
    for (int step = 0; step < 48; ++step) {
        step_contacts({&mover, 1}, {.planes = {floor_plane}}, 1.0 / 48);
        fastest = std::max(fastest, length(body.state.velocity));
    }
    EXPECT_NEAR(body.state.position.z, 0.1, 1e-3);
    EXPECT_LT(fastest, 0.01);
}

TEST(contact, stopping_takes_only_what_goes_inward) {
    const Shape ball = Sphere{.radius = 0.1};
    RigidBody body = make_rigid(ball, {.position = {0, 0, 0.1}}, 500, {1, 0, -2});
    Mover mover{.shape = &ball, .body = &body, .friction = 0};
    stop_at_contacts({&mover, 1}, {.planes = {floor_plane}}, 1e-3);
    EXPECT_NEAR(body.state.velocity.z, 0, 1e-12);
    EXPECT_NEAR(body.state.velocity.x, 1, 1e-12);
    EXPECT_EQ(body.state.position, Vec3d(0, 0, 0.1));
}

}  // namespace
}  // namespace phlo::geom
