// Bodies in water, and what leaves the model: Archimedes, a paddle, a watertight mesh, emitters.
#include <gtest/gtest.h>

#include <cstdio>
#include <map>

#include "liquid_tank.h"

namespace phlo::verify {
namespace {

using models::Liquid;
using models::LiquidSetup;
using models::Shot;

geom::Body free_ball(double radius, const Vec3d& place, double density) {
    geom::Body ball{.name = "ball", .shape = geom::Sphere{.radius = radius}, .motion = {.position = Curve<Vec3d>(place)}};
    ball.free.emplace().density = density;
    return ball;
}

TEST(LiquidBodies, a_ball_floats_as_deep_as_archimedes_says) {
    const TankParams params{.resolution = 24};
    Shot shot = tank_shot(params);
    // Half as heavy as water: half of it is under water, whatever the level then is.
    shot.bodies.push_back(free_ball(0.18, {0.5, 0.5, 0.62}, 499));
    Liquid liquid(shot, tank_setup(params));
    fill(liquid, [](const Vec3d& p) { return p.z - 0.5; });
    double sum = 0, level = 0;
    int count = 0;
    for (int step = 0; step < 240; ++step) {
        liquid.step(0.0125);
        if (step < 120) continue;   // it bobs: the mean counts
        sum += liquid.free_bodies().free()[0].rigid.state.position.z, level += surface_height(liquid, 2, 2), ++count;
    }
    std::printf("floating ball: centre %.4f m, water %.4f m\n", sum / count, level / count);
    EXPECT_NEAR(sum / count, level / count, 0.5 * liquid.domain().h);
}

TEST(LiquidBodies, a_stone_sinks_to_the_floor) {
    const TankParams params{.resolution = 20};
    Shot shot = tank_shot(params);
    shot.bodies.push_back(free_ball(0.12, {0.5, 0.5, 0.4}, 2600));
    Liquid liquid(shot, tank_setup(params));
    fill(liquid, [](const Vec3d& p) { return p.z - 0.6; });
    for (int step = 0; step < 120; ++step) liquid.step(0.0125);
    EXPECT_NEAR(liquid.free_bodies().free()[0].rigid.state.position.z, 0.12, 0.02);
}

TEST(LiquidBodies, a_ball_moved_through_a_tank_changes_no_volume) {
    const TankParams params{.resolution = 32};
    Shot shot = tank_shot(params);
    shot.bodies.push_back({.name = "ball", .shape = geom::Sphere{.radius = 0.12},
                           .motion = {.position = Curve<Vec3d>({{0, Vec3d(0.2, 0.5, 0.3)}, {0.8, Vec3d(0.8, 0.5, 0.3)}, {1.6, Vec3d(0.2, 0.5, 0.3)}})}});
    LiquidSetup setup = tank_setup(params);
    setup.liquid.volume_rate = 0;   // nothing mends it
    Liquid liquid(shot, setup);
    fill(liquid, [](const Vec3d& p) { return p.z - 0.6; });
    const double before = liquid.volume();
    for (int step = 0; step < 128; ++step) liquid.step(0.0125);
    std::printf("ball through a tank: volume %+.3f %%\n", 100 * (liquid.volume() / before - 1));
    EXPECT_NEAR(liquid.volume() / before, 1, 0.005);
}

TEST(LiquidBodies, a_jet_does_not_pass_a_wall_thinner_than_the_way_it_goes_in_a_step) {
    const TankParams params{.resolution = 32, .gravity = {}};
    Shot shot = tank_shot(params);
    // Two cells thick, askew, and the jet crosses three cells a step.
    const double h = 1.0 / 32;
    const geom::Body wall{.name = "wall", .shape = geom::Box{.size = {2 * h, 3, 3}},
                          .motion = {.position = Curve<Vec3d>(Vec3d(0.55, 0.5, 0.5)), .rotation = Curve<Vec3d>(Vec3d(0, 0.15, 0.2))}};
    shot.bodies.push_back(wall);
    const geom::Placement placed = geom::place({&wall, 1}, 0)[0];
    for (const auto surface : {models::SurfaceTracking::particle_level_set, models::SurfaceTracking::level_set, models::SurfaceTracking::particles}) {
        LiquidSetup setup = tank_setup(params);
        setup.liquid.surface = surface;
        Liquid liquid(shot, setup);
        fill(liquid, [](const Vec3d& p) { return length(p - Vec3d(0.25, 0.5, 0.5)) - 0.16; }, [](const Vec3d&) { return Vec3d(3, 0, 0); });
        for (int step = 0; step < 7; ++step) liquid.step(h);
        const field::Domain& domain = liquid.domain();
        int before = 0, behind = 0;
        for (int k = 0; k < domain.cells.z; ++k)
            for (int j = 0; j < domain.cells.y; ++j)
                for (int i = 0; i < domain.cells.x; ++i) {
                    const Vec3d seen = placed.pose.local_from_world(domain.cell_center(i, j, k));   // from the wall
                    if (wall.shape.signed_distance(seen) < 0 || !(liquid.phi()(i, j, k) < 0)) continue;
                    (seen.x < 0 ? before : behind) += 1;
                }
        EXPECT_GT(before, 300) << int(surface);
        EXPECT_EQ(behind, 0) << int(surface);
    }
}

/// Sides of triangles that are not shared by exactly one other, which runs through them the other way.
int open_sides(const field::TriangleMesh& mesh) {
    std::map<std::pair<int, int>, int> sides;
    for (const Vec3i& t : mesh.triangles)
        for (int c = 0; c < 3; ++c) {
            const int a = t[c], b = t[(c + 1) % 3];
            ++sides[{a, b}], --sides[{b, a}];
        }
    int open = 0;
    for (const auto& [side, balance] : sides) open += balance != 0;
    return open;
}

TEST(LiquidBodies, the_mesh_of_a_splash_is_closed_in_every_frame) {
    const TankParams params{.resolution = 28};
    Shot shot = tank_shot(params);
    shot.bodies.push_back({.name = "post", .shape = geom::Cylinder{.radius = 0.1, .height = 0.6}, .motion = {.position = Curve<Vec3d>(Vec3d(0.6, 0.45, 0.3))}});
    Liquid liquid(shot, tank_setup(params));
    fill(liquid, [](const Vec3d& p) { return std::max(p.x - 0.35, p.z - 0.6); });
    for (int frame = 0; frame < 16; ++frame) {
        liquid.advance(1.0 / 24);
        const field::Frame shown = liquid.show();
        const field::Surface& surface = shown.surfaces.back();
        ASSERT_EQ(surface.substance, "water");
        EXPECT_EQ(open_sides(surface.mesh), 0) << frame;
        EXPECT_EQ(surface.velocity.size(), surface.mesh.points.size());
    }
}

TEST(LiquidBodies, what_is_poured_and_drained_is_on_the_ledger) {
    const TankParams params{.resolution = 24};
    LiquidSetup setup = tank_setup(params);
    setup.emitters.resize(2);
    setup.emitters[0].name = "tap", setup.emitters[0].shape = geom::Cylinder{.radius = 0.12, .height = 0.1}, setup.emitters[0].mode = models::LiquidMode::pour;
    setup.emitters[0].motion.position = Vec3d(0.5, 0.5, 0.9), setup.emitters[0].velocity = Vec3d(0, 0, -1);
    setup.emitters[1].name = "sink", setup.emitters[1].shape = geom::Box{.size = {0.4, 0.4, 0.1}}, setup.emitters[1].mode = models::LiquidMode::drain;
    setup.emitters[1].motion.position = Vec3d(0.5, 0.5, 0.05);
    Liquid liquid(tank_shot(params), setup);
    double poured = 0, drained = 0, last = liquid.volume();
    for (int frame = 0; frame < 20; ++frame) {
        const models::FrameStats stats = liquid.advance(1.0 / 24);
        for (const auto& [entry, value] : stats.ledger.at("volume")) {
            if (entry == "poured") poured += value;
            if (entry == "drained") drained += value;
        }
        last = stats.ledger.at("volume").at("now");
    }
    // A tap of this size and speed gives pi r^2 v t.
    const double wanted = 3.14159 * 0.12 * 0.12 * 1 * 20 / 24.0;
    EXPECT_NEAR(poured, wanted, 0.25 * wanted);
    EXPECT_LT(drained, -0.1 * wanted);
    EXPECT_GT(last, 0);
}

}  // namespace
}  // namespace phlo::verify
