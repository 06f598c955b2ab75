// What emitters pour, by the books and on the grid.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "models/liquid/liquid.h"

namespace phlo::models {
namespace {

/// A spout of two cells' radius in a room without weight: a straight jet.
struct Spout {
    static constexpr double radius = 0.02, speed = 0.05, frame = 1.0 / 48;
    Shot shot;
    LiquidSetup setup;

    Spout() {
        shot.domain.size = {0.12, 0.12, 0.3}, shot.domain.origin = {-0.06, -0.06, 0}, shot.domain.resolution = 30;
        for (WallParams& wall : shot.domain.walls) wall.kind = WallKind::closed;
        shot.time.cfl = 5, shot.time.max_substeps = 200;
        setup.liquid.gravity = Curve<Vec3d>(Vec3d());
        LiquidEmitter spout;
        spout.name = "spout", spout.shape = geom::Cylinder{.radius = radius, .height = 0.05}, spout.motion.position = Curve<Vec3d>(Vec3d(0.001, 0.002, 0.26));
        spout.mode = LiquidMode::pour, spout.velocity = Curve<Vec3d>(Vec3d(0, 0, -speed));
        setup.emitters = {spout};
    }
};

TEST(pouring, a_spout_pours_its_area_times_its_speed_and_books_what_it_pours) {
    const Spout given;
    Liquid liquid(given.shot, given.setup);
    const double start = liquid.volume(), wanted = std::numbers::pi * given.radius * given.radius * given.speed * given.frame;
    double poured = 0, worst = 0;
    constexpr int frames = 12;
    for (int f = 0; f < frames; ++f) {
        const FrameStats stats = liquid.advance(given.frame);
        poured += stats.ledger.at("volume").at("poured");
        worst = std::max(worst, std::fabs(stats.number("volume_drift")));
    }
    EXPECT_NEAR(poured / (frames * wanted), 1, 0.1);
    EXPECT_NEAR((liquid.volume() - start) / (frames * wanted), 1, 0.1);
    EXPECT_LT(worst, 0.03);   // the front of the jet gets round
}

TEST(pouring, a_spout_that_is_under_water_adds_none) {
    Spout given;
    LiquidEmitter pool;
    pool.name = "pool", pool.shape = geom::Box{.size = {1, 1, 0.9}};   // up to 0.45 m: the box is full
    given.setup.emitters.push_back(pool);
    Liquid liquid(given.shot, given.setup);
    for (int f = 0; f < 4; ++f) {
        const FrameStats stats = liquid.advance(given.frame);
        EXPECT_NEAR(stats.ledger.at("volume").at("poured"), 0, 1e-4 * liquid.volume());
    }
}

}  // namespace
}  // namespace phlo::models
