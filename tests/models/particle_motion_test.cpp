#include "models/gas/particle_motion.h"

#include <gtest/gtest.h>

#include <cmath>

#include "base/random.h"
#include "models/gas/particle_places.h"
#include "particles/sample.h"

namespace phlo::models {
namespace {

const field::Domain domain{.cells = {20, 20, 20}, .origin = {0, 0, 0}, .h = 0.1};

flow::Walls all(flow::WallKind kind) {
    flow::Walls walls;
    for (flow::Wall& w : walls) w.kind = kind;
    return walls;
}

/// x = y = z velocity of every face.
field::MacGrid steady(const Vec3f& u) {
    field::MacGrid grid{field::Layout(domain.cells)};
    grid.x.fill(u.x), grid.y.fill(u.y), grid.z.fill(u.z);
    return grid;
}

TEST(particle_motion, drag_in_a_steady_flow_is_exact_for_any_step) {
    const field::MacGrid u = steady({0.3f, 0, -0.2f});
    const double tau = 0.05;
    for (const double dt : {0.001, 0.1, 1.0}) {
        MaterialParticles p;
        p.add({.position = {1, 1, 1}, .velocity = {0, 0.4f, 0}, .amount = 2});
        const int steps = int(std::lround(1 / dt));
        for (int n = 0; n < steps; ++n) move({.domain = domain, .velocity = &u, .walls = all(flow::WallKind::open)}, {.response = tau, .reference = 2}, dt, p);
        const double fade = std::exp(-1 / tau), way = tau * (1 - fade);
        EXPECT_NEAR(p.position[0].x, 1 + 0.3 * (1 - way), 5e-5);
        EXPECT_NEAR(p.position[0].y, 1 + 0.4 * way, 5e-5);
        EXPECT_NEAR(p.position[0].z, 1 - 0.2 * (1 - way), 5e-5);
        EXPECT_NEAR(p.velocity[0].x, 0.3 * (1 - fade), 1e-5);
    }
}

TEST(particle_motion, light_particles_move_with_the_flow_and_heavy_ones_lag) {
    const field::MacGrid u = steady({0.5f, 0, 0});
    MaterialParticles p;
    for (const double amount : {1e-12, 1.0, 5.0}) p.add({.position = {0.5f, 1, 1}, .amount = amount});
    move({.domain = domain, .velocity = &u, .walls = all(flow::WallKind::open)}, {.response = 0.5, .reference = 1}, 1.0, p);
    EXPECT_NEAR(p.position[0].x, 1.0, 1e-5);
    EXPECT_LT(p.position[1].x, 0.9);
    EXPECT_LT(p.position[2].x, p.position[1].x);
    MaterialParticles heavy;
    heavy.add({.position = {0.5f, 1, 1}, .amount = 1});
    move({.domain = domain, .velocity = &u, .walls = all(flow::WallKind::open)}, {.response = 0.5, .reference = 1, .molar_mass = {5 * 0.029}}, 1.0, heavy);
    EXPECT_NEAR(heavy.position[0].x, p.position[2].x, 1e-6) << "mass is amount times molar mass";
}

TEST(particle_motion, forces_on_the_gas_and_on_the_particle_itself_add_up_exactly_for_any_step) {
    const field::MacGrid u = steady({0.1f, 0, 0}), a = steady({0, 0.4f, 2});
    const double tau = 0.2;
    for (const double dt : {0.01, 0.5}) {
        MaterialParticles p;
        p.add({.position = {0.5f, 0.5f, 1}, .amount = 1});
        for (int n = 0; n < int(std::lround(0.5 / dt)); ++n)
            move({.domain = domain, .velocity = &u, .walls = all(flow::WallKind::open), .acceleration = &a},
                 {.response = tau, .external = 0.5, .force = {0, 0, -3}}, dt, p);
        // dv/dt = (u - v)/tau + a from rest: v = (u + a tau) (1 - e^(-t/tau))
        const double grown = 1 - std::exp(-0.5 / tau), way = 0.5 - tau * grown;
        EXPECT_NEAR(p.velocity[0].y, 0.2 * tau * grown, 1e-5);
        EXPECT_NEAR(p.velocity[0].z, (1 - 3) * tau * grown, 1e-5);
        EXPECT_NEAR(p.position[0].z, 1 - 2 * tau * way, 1e-5);
        EXPECT_NEAR(p.position[0].x, 0.5 + 0.1 * way, 1e-5);
    }
}

TEST(particle_motion, a_kind_has_a_response_and_a_force_of_its_own) {
    const field::MacGrid u = steady({});
    MaterialParticles p;
    for (const int species : {0, 1, 1}) p.add({.position = {1, 1, 1}, .amount = species == 0 ? 1.0 : p.count() == 1 ? 2e-3 : 1e-3, .species = std::uint8_t(species)});
    MotionParams params{.response = 0.1, .force = {0, 0, 1}};
    params.kinds = {{}, {.response_per_mol = 50, .force = Vec3d(-4, 0, 0)}};
    for (int n = 0; n < 20; ++n) move({.domain = domain, .velocity = &u, .walls = all(flow::WallKind::closed)}, params, 0.02, p);
    EXPECT_NEAR(p.velocity[0].z, 0.1 * (1 - std::exp(-4.0)), 1e-5);
    EXPECT_NEAR(p.velocity[1].x, -0.4 * (1 - std::exp(-4.0)), 1e-5);
    EXPECT_EQ(p.velocity[1].z, 0);
    EXPECT_NEAR(p.velocity[2].x, -0.2 * (1 - std::exp(-8.0)), 1e-5) << "half the amount follows twice as fast";
}

TEST(particle_motion, a_vortex_is_followed_at_second_order) {
    field::MacGrid u{field::Layout(domain.cells)};
    for (int k = -1; k <= 20; ++k)
        for (int j = -1; j <= 20; ++j)
            for (int i = -1; i <= 20; ++i) {
                u.x(i, j, k) = float(-(domain.face_center(0, i, j, k).y - 1));
                u.y(i, j, k) = float(domain.face_center(1, i, j, k).x - 1);
            }
    double error[2];
    for (int level = 0; level < 2; ++level) {
        MaterialParticles p;
        p.add({.position = {1.5f, 1, 1}, .amount = 1});
        const int steps = 8 << level;
        for (int n = 0; n < steps; ++n) move({.domain = domain, .velocity = &u, .walls = all(flow::WallKind::open)}, {}, 1.0 / steps, p);
        error[level] = std::hypot(double(p.position[0].x) - 1 - 0.5 * std::cos(1.0), double(p.position[0].y) - 1 - 0.5 * std::sin(1.0));
    }
    EXPECT_GT(error[0] / error[1], 3.4);
}

TEST(particle_motion, open_walls_let_out_and_closed_ones_hold) {
    const field::MacGrid u = steady({1, 0, 0});
    MaterialParticles p;
    for (int n = 0; n < 10; ++n) p.add({.position = {1.0f + 0.09f * float(n), 1, 1}, .amount = 0.5, .species = std::uint8_t(n % 2)});
    MaterialParticles q = p;
    const MotionReport report = move({.domain = domain, .velocity = &u, .walls = all(flow::WallKind::open)}, {}, 0.5, p);
    EXPECT_EQ(p.count(), 10 - report.gone);
    EXPECT_EQ(report.gone, 4);
    EXPECT_DOUBLE_EQ(report.left[0] + report.left[1], 2.0);
    EXPECT_DOUBLE_EQ(p.total(0) + report.left[0], 2.5);
    move({.domain = domain, .velocity = &u, .walls = all(flow::WallKind::closed)}, {}, 0.5, q);
    EXPECT_EQ(q.count(), 10);
    for (const Vec3f& x : q.position) EXPECT_LT(x.x, 2.0f);
}

TEST(particle_motion, none_ends_in_a_body_and_none_passes_a_plate) {
    const std::vector<geom::Body> bodies{{.name = "plate", .shape = geom::Box{.size = {0.02, 3, 3}}, .motion = {.position = Curve<Vec3d>{Vec3d(1.2, 1, 1)}}},
                                         {.name = "ball", .shape = geom::Sphere{.radius = 0.3}, .motion = {.position = Curve<Vec3d>{Vec3d(0.6, 1, 1)}}}};
    flow::Solids solids;
    rasterize(domain, bodies, 0, solids);
    const field::MacGrid u = steady({2, 0.1f, -0.3f});
    MaterialParticles p;
    for (int n = 0; n < 300; ++n) {
        const auto r = uniform4({.seed = 2}, std::uint32_t(n));
        const Vec3f at(0.05f + 1.1f * r[0], 2 * r[1], 2 * r[2]);
        if (in_gas(domain, &solids, at)) p.add({.position = at, .amount = 1});
    }
    ASSERT_GT(p.count(), 200);
    for (int step = 0; step < 6; ++step) {
        move({.domain = domain, .velocity = &u, .walls = all(flow::WallKind::closed), .solids = &solids}, {}, 0.2, p);
        for (const Vec3f& x : p.position) {
            EXPECT_LT(x.x, 1.19f) << "through the plate";
            for (const geom::Body& body : bodies) EXPECT_GT(body.signed_distance(Vec3d(x), 0), 0);
        }
    }
}

TEST(particle_motion, a_moving_body_takes_its_catalyst_along_and_pushes_the_others) {
    const Curve<Vec3d> path = {Vec3d(0.6, 1, 1)};
    std::vector<geom::Body> bodies{{.name = "ball", .shape = geom::Sphere{.radius = 0.3}, .motion = {.position = path}}};
    flow::Solids solids;
    rasterize(domain, bodies, 0, solids);
    MaterialParticles p;
    p.add({.position = {0.6f, 1, 1.31f}, .amount = 1, .species = 1, .body = 0, .anchor = {0, 0, 0.31f}});
    p.add({.position = {0.95f, 1, 1}, .amount = 1});
    bodies[0].motion.position = Curve<Vec3d>{Vec3d(0.8, 1, 1)};
    rasterize(domain, bodies, 0, solids);
    const field::MacGrid still = steady({0, 0, 0});
    const MotionReport report = move({.domain = domain, .velocity = &still, .walls = all(flow::WallKind::closed), .solids = &solids}, {}, 0.1, p);
    EXPECT_EQ(report.pushed, 1);
    EXPECT_NEAR(p.position[0].x, 0.8, 1e-6);
    EXPECT_NEAR(p.position[0].z, 1.31, 1e-6);
    EXPECT_GT(length(p.position[1] - Vec3f(0.8f, 1, 1)), 0.3f);
}

}  // namespace
}  // namespace phlo::models
