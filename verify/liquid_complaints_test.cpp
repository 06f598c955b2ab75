// What users of other programs complain about most, as laws here (docs/models/liquid.md lists where each is tested).
#include <gtest/gtest.h>

#include <cstdio>
#include <numbers>

#include "liquid_tank.h"

namespace phlo::verify {
namespace {

using models::Liquid;
using models::LiquidSetup;
using models::Shot;

TEST(LiquidComplaints, the_volume_of_a_dam_break_comes_back_to_what_it_was) {
    const TankParams params{.size = {1, 0.5, 0.75}, .resolution = 24, .lid = true};
    Liquid liquid(tank_shot(params), tank_setup(params));
    fill(liquid, [](const Vec3d& p) { return std::max(p.x - 0.35, p.z - 0.5); });
    double worst = 0, last = 0;   // `last`: the mean of the last second, in which water still slaps against the walls
    for (int frame = 0; frame < 60; ++frame) {
        const double drift = std::fabs(liquid.advance(1.0 / 24).number("volume_drift"));
        worst = std::max(worst, drift);
        if (frame >= 36) last += drift / 24;
    }
    std::printf("dam break: volume drift %.2f %% at the worst, %.3f %% in the last second\n", 100 * worst, 100 * last);
    EXPECT_LT(last, 0.005);
    EXPECT_LT(worst, 0.04);
}

TEST(LiquidComplaints, a_body_that_is_lowered_into_water_pushes_it_up_and_erases_none) {
    const TankParams params{.size = {0.6, 0.6, 0.8}, .resolution = 32};
    Shot shot = tank_shot(params);
    const Vec3d size(0.3, 0.3, 0.4);
    shot.bodies.push_back({.name = "block", .shape = geom::Box{.size = size},
                           .motion = {.position = Curve<Vec3d>({{0, Vec3d(0.3, 0.3, 0.58)}, {1, Vec3d(0.3, 0.3, 0.38)}})}});
    LiquidSetup setup = tank_setup(params);
    setup.liquid.viscosity = 1e-3;  // it comes to rest
    Liquid liquid(shot, setup);
    fill(liquid, [](const Vec3d& p) { return p.z - 0.36; });   // its lower face is at 0.38
    const double before = liquid.volume();
    for (int frame = 0; frame < 72; ++frame) liquid.advance(1.0 / 24);
    // The level z is where 0.6^2 z - 0.3^2 (z - 0.18) is what it was, 0.6^2 0.36.
    const double expected = (0.36 * 0.36 - 0.09 * 0.18) / 0.27;
    double level = 0;
    for (const int i : {2, 21}) level += 0.5 * surface_height(liquid, i, 12);
    std::printf("block lowered into water: volume %+.2f %%, level %.4f m for %.4f m\n", 100 * (liquid.volume() / before - 1), level, expected);
    EXPECT_NEAR(liquid.volume() / before, 1, 0.01);
    EXPECT_NEAR(level, expected, 0.5 * liquid.domain().h);
}

TEST(LiquidComplaints, surface_tension_does_not_explode) {
    // A cube of water of two centimetres without weight: it may swing and become round, by no more energy than its surface gives.
    const double side = 0.02, sigma = 0.0728, rho = 998;
    const TankParams params{.size = {0.04, 0.04, 0.04}, .resolution = 20, .gravity = {}, .lid = true};
    LiquidSetup setup = tank_setup(params);
    setup.liquid.tension = sigma;
    Liquid liquid(tank_shot(params), setup);
    fill(liquid, [&](const Vec3d& p) {
        const Vec3d d(std::fabs(p.x - 0.02), std::fabs(p.y - 0.02), std::fabs(p.z - 0.02));
        return std::max({d.x, d.y, d.z}) - 0.5 * side;
    });
    const double volume = side * side * side, radius = std::cbrt(volume * 3 / (4 * std::numbers::pi));
    const double given = sigma * (6 * side * side - 4 * std::numbers::pi * radius * radius);
    const double fastest_mean = std::sqrt(2 * given / (rho * volume));
    double most = 0;
    for (int frame = 0; frame < 30; ++frame) {
        liquid.advance(0.01);
        double energy = 0, cells = 0;
        const Vec3i n = liquid.domain().cells;
        for (int k = 0; k < n.z; ++k)
            for (int j = 0; j < n.y; ++j)
                for (int i = 0; i < n.x; ++i) {
                    if (!(liquid.phi()(i, j, k) < 0)) continue;
                    const field::MacGrid& u = liquid.velocity();
                    const Vec3d v(0.5 * double(u.x(i, j, k) + u.x(i + 1, j, k)), 0.5 * double(u.y(i, j, k) + u.y(i, j + 1, k)), 0.5 * double(u.z(i, j, k) + u.z(i, j, k + 1)));
                    energy += dot(v, v), ++cells;
                }
        ASSERT_GT(cells, 0);
        most = std::max(most, std::sqrt(energy / cells));
    }
    std::printf("cube with tension: at most %.3f m/s rms, its surface has energy for %.3f m/s; volume %+.2f %%\n", most, fastest_mean, 100 * (liquid.volume() / volume - 1));
    EXPECT_LT(most, fastest_mean);
    EXPECT_NEAR(liquid.volume() / volume, 1, 0.02);
}

TEST(LiquidComplaints, shorter_sub_steps_do_not_change_the_result) {
    double fronts[2], heights[2];
    for (const int fine : {0, 1}) {
        const TankParams params{.size = {1, 0.25, 0.5}, .resolution = 40};
        Shot shot = tank_shot(params);
        shot.time.cfl = fine ? 0.75 : 5;
        Liquid liquid(shot, tank_setup(params));
        fill(liquid, [](const Vec3d& p) { return std::max(p.x - 0.25, p.z - 0.4); });
        int substeps = 0;
        for (int frame = 0; frame < 6; ++frame) substeps += liquid.advance(1.0 / 24).substeps;
        const Vec3i n = liquid.domain().cells;
        int front = 0;
        for (int i = 0; i < n.x; ++i)
            if (liquid.phi()(i, n.y / 2, 0) < 0) front = i;
        fronts[fine] = (front + 1) * liquid.domain().h, heights[fine] = surface_height(liquid, 1, n.y / 2);
        std::printf("dam break with cfl %.2f: %d sub-steps, front %.3f m, height at the wall %.3f m\n", shot.time.cfl, substeps, fronts[fine], heights[fine]);
    }
    EXPECT_NEAR(fronts[0], fronts[1], 0.05);
    EXPECT_NEAR(heights[0], heights[1], 0.0125);
}

/// Without mending: what a step presses into a wall is lost. A slab of six cells that falls onto the floor by 3.6 cells a step would lose more than one of them.
TEST(LiquidComplaints, liquid_that_lands_is_not_pressed_into_the_wall) {
    const TankParams params{.size = {1, 0.25, 1}, .resolution = 32};
    LiquidSetup setup = tank_setup(params);
    setup.liquid.volume_rate = 0;
    Liquid liquid(tank_shot(params), setup);
    const double h = 1.0 / 32;
    fill(liquid, [&](const Vec3d& p) { return std::max(std::fabs(p.x - 0.5) - 0.2, std::fabs(p.z - 9 * h) - 3 * h); }, [](const Vec3d&) { return Vec3d(0, 0, -4); });
    const double before = liquid.volume();
    liquid.advance(0.056);   // it lands after 0.047 s
    std::printf("a slab lands on the floor: volume %+.2f %%\n", 100 * (liquid.volume() / before - 1));
    EXPECT_NEAR(liquid.volume() / before, 1, 0.06);
}

/// The same on plates whose tops lie anywhere between grid lines: where the cell's centre is covered, the slab never arrived, and a quarter of it was lost.
TEST(LiquidComplaints, liquid_that_lands_on_a_plate_between_grid_lines_is_not_lost) {
    const TankParams params{.size = {1, 0.25, 1}, .resolution = 32};
    const double h = 1.0 / 32, speed = 4, way = 6 * h;
    for (const double between : {0.0, 0.3, 0.45, 0.55, 0.7, 0.9}) {
        const double top = (4 + between) * h;
        Shot shot = tank_shot(params);
        shot.bodies.push_back({.name = "plate", .shape = geom::Box{.size = {3, 3, 2 * top}}, .motion = {.position = Curve<Vec3d>(Vec3d(0.5, 0.125, 0))}});
        LiquidSetup setup = tank_setup(params);
        setup.liquid.volume_rate = 0;
        Liquid liquid(shot, setup);
        fill(liquid, [&](const Vec3d& p) { return std::max(std::fabs(p.x - 0.5) - 0.2, std::fabs(p.z - top - way - 3 * h) - 3 * h); }, [&](const Vec3d&) { return Vec3d(0, 0, -speed); });
        const double before = liquid.volume();
        for (int part = 0; part < 2; ++part) liquid.advance(0.6 * way / speed);
        std::printf("a slab lands on a plate, top %.2f of a cell above a grid line: volume %+.2f %%\n", between, 100 * (liquid.volume() / before - 1));
        EXPECT_NEAR(liquid.volume() / before, 1, 0.1) << between;
    }
}

/// A glass of which the wall is 0.8 cells thick and leans outwards: what is poured into it stays there, and nothing is left on its wall above.
TEST(LiquidComplaints, a_thin_round_glass_holds_what_is_poured_into_it) {
    const TankParams params{.size = {0.09, 0.09, 0.12}, .resolution = 32};
    Shot shot = tank_shot(params);
    shot.domain.origin = {-0.045, -0.045, 0};
    const double h = 0.12 / 32;
    const geom::Body glass{.name = "glass", .shape = geom::Cup{.radius = 0.026, .height = 0.08, .wall = 0.003, .base = 0.005, .flare = 0.006}, .motion = {.position = Curve<Vec3d>(Vec3d(0, 0, 0.04))}};
    shot.bodies.push_back(glass);
    LiquidSetup setup = tank_setup(params);
    setup.liquid.sealed_air = flow::SealedAir::incompressible;
    models::LiquidEmitter pool, jug;
    pool.name = "pool", pool.shape = geom::Cylinder{.radius = 0.0254, .height = 0.022}, pool.motion.position = Curve<Vec3d>(Vec3d(0, 0, 0.015));
    jug.name = "jug", jug.shape = geom::Cylinder{.radius = 0.006, .height = 0.008}, jug.motion.position = Curve<Vec3d>(Vec3d(-0.008, 0, 0.106));
    jug.mode = models::LiquidMode::pour, jug.velocity = Curve<Vec3d>(Vec3d(0.05, 0, -0.25));
    setup.emitters = {pool, jug};
    Liquid liquid(shot, setup);
    const Vec3i n = liquid.domain().cells;
    for (int frame = 0; frame < 24; ++frame) {
        liquid.advance(1.0 / 24);
        int outside = 0, in_wall = 0;
        double level = 0;
        const auto radius = [&](const Vec3d& p) { return std::hypot(p.x, p.y); };
        for (int pass = 0; pass < 2; ++pass)
            for (int k = 0; k < n.z; ++k)
                for (int j = 0; j < n.y; ++j)
                    for (int i = 0; i < n.x; ++i) {
                        if (!(liquid.phi()(i, j, k) < 0)) continue;
                        const Vec3d p = liquid.domain().cell_center(i, j, k);
                        const bool open = !liquid.solids().covered(i, j, k);
                        if (pass == 0 && open && p.z < 0.08) level = std::max(level, radius(p) < 0.026 && radius(p) > 0.012 ? p.z : 0.0);
                        if (pass == 1 && open && p.z < 0.08) outside += radius(p) > 0.0265 + 0.006 * p.z / 0.08;
                        if (pass == 1 && !open) in_wall += p.z > level + 3 * h;
                    }
        EXPECT_EQ(outside, 0) << "frame " << frame;
        EXPECT_EQ(in_wall, 0) << "frame " << frame << ", level " << level;
    }
}

}  // namespace
}  // namespace phlo::verify
