// Laws of the liquid on blocks of several levels (models/liquid/adaptive.h), each against the uniform model, a formula, or itself after a restart.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <numbers>

#include "base/parallel.h"
#include "liquid_tank.h"
#include "models/liquid/adaptive.h"
#include "numerics/block_poisson.h"

namespace phlo::verify {
namespace {

using field::Blocks;
using models::AdaptiveLiquid;
using models::AdaptiveState;

models::LiquidSetup adaptive_setup(const TankParams& params, int levels) {
    models::LiquidSetup setup = tank_setup(params);
    setup.liquid.adapt = {.mode = models::AdaptMode::surface, .levels = levels};
    setup.liquid.surface = models::SurfaceTracking::level_set, setup.liquid.drops = false;
    return setup;
}

/// phi by a function of the place [m], on blocks that are fine around its zero, or as `levels` says.
std::unique_ptr<AdaptiveLiquid> adaptive_tank(const TankParams& params, int depth, const std::function<double(const Vec3d&)>& phi,
                                              const std::function<std::int8_t(const Vec3d&)>& level_at = {}) {
    models::LiquidSetup setup = adaptive_setup(params, depth);
    auto liquid = std::make_unique<AdaptiveLiquid>(tank_shot(params), setup);
    liquid->edit([&](AdaptiveState& state) {
        const double h = state.h(), edge = h * (1 << depth);
        const Vec3i base = state.blocks.base();
        std::vector<std::int8_t> levels(std::size_t(state.blocks.base_count()), 0);
        for (std::size_t b = 0; b < levels.size(); ++b) {
            const Vec3d centre = (Vec3d(int(b) % base.x, int(b) / base.x % base.y, int(b) / base.x / base.y) + Vec3d(0.5)) * edge;
            if (level_at) levels[b] = level_at(centre);
            else if (std::fabs(phi(centre)) < edge) levels[b] = std::int8_t(depth);
        }
        field::balance(base, levels);
        state.blocks = Blocks(base, depth, levels);
        state.needed = levels;
        state.phi = field::BlockField<float>(state.blocks);
        for (auto& u : state.u) u = field::BlockField<float>(state.blocks);
        for (const int block : state.blocks.all()) {
            const int level = state.blocks.level(block), n = Blocks::side(level);
            const double size = h * state.blocks.size(level);
            const Vec3d corner = Vec3d(state.blocks.place(block)) * edge;
            for (int c = 0; c < n * n * n; ++c) {
                const Vec3i at(c % n, c / n % n, c / n / n);
                state.phi.block(state.blocks, block)[Blocks::offset(level, at.x, at.y, at.z)] = float(phi(corner + (Vec3d(at) + Vec3d(0.5)) * size));
            }
        }
    });
    return liquid;
}

double height_of(const field::Domain& domain, const field::Grid& phi, int i, int j) {
    for (int k = domain.cells.z - 2; k >= 0; --k) {
        const double below = double(phi(i, j, k)), above = double(phi(i, j, k + 1));
        if (below < 0 && above >= 0) return domain.origin.z + (k + 0.5 + below / (below - above)) * domain.h;
    }
    return domain.origin.z;
}

TEST(adaptive_liquid_laws, still_water_stays_still_across_level_borders_through_whole_steps) {
    for (const double depth : {0.3, 0.52}) {
        const auto tank = adaptive_tank({.size = {1, 1, 1}, .resolution = 64}, 3, [&](const Vec3d& p) { return p.z - depth; });
        EXPECT_GT(tank->blocks().of_level(0).size(), 0u);
        for (int frame = 0; frame < 4; ++frame) tank->advance(1.0 / 24);
        EXPECT_LE(tank->parts().fastest, 1e-5) << depth;   // of waves of 3 m/s
        EXPECT_NEAR(tank->volume(), depth, 1e-5);
    }
}

TEST(adaptive_liquid_laws, a_wave_in_a_tank_is_that_of_the_fine_uniform_grid_within_half_a_cell) {
    const TankParams params{.size = {1, 0.25, 0.75}, .resolution = 64};
    const auto phi = [](const Vec3d& p) { return p.z - 0.4 - 0.04 * std::cos(std::numbers::pi * p.x); };
    const auto fine = adaptive_tank(params, 3, phi);
    models::LiquidSetup setup = adaptive_setup(params, 3);
    setup.liquid.adapt.mode = models::AdaptMode::none;
    models::Liquid uniform(tank_shot(params), setup);
    fill(uniform, phi);
    double worst = 0, fewest = 1;
    for (int frame = 1; frame <= 72; ++frame) {
        const models::FrameStats stats = fine->advance(1.0 / 24);
        uniform.advance(1.0 / 24);
        fewest = std::min(fewest, stats.number("unknowns") / stats.number("unknowns_uniform"));
        EXPECT_LE(std::fabs(stats.number("volume_drift")), 0.01) << frame;
        if (frame % 24 != 0) continue;
        const field::Grid level = fine->phi();
        for (int i = 0; i < 64; ++i) worst = std::max(worst, std::fabs(height_of(fine->domain(), level, i, 8) - surface_height(uniform, i, 8)) / fine->domain().h);
        std::printf("frame %d: %.3f cells apart, %.2f of the unknowns\n", frame, worst, fewest);
    }
    EXPECT_LE(worst, 0.5);
    EXPECT_LE(fewest, 0.6);
}

TEST(adaptive_liquid_laws, threads_and_a_restart_change_no_bit) {
    const TankParams params{.size = {1, 0.5, 0.5}, .resolution = 32};
    const auto phi = [](const Vec3d& p) { return std::max(p.x - 0.4, p.z - 0.33); };
    const auto bits = [](AdaptiveLiquid& liquid) { return liquid.state().blocks[0].save(); };
    const auto run = [&](int threads, bool restart) {
        const ThreadLimit limit(threads);
        auto liquid = adaptive_tank(params, 3, phi);
        for (int frame = 0; frame < 6; ++frame) {
            liquid->advance(1.0 / 24);
            if (!restart || frame != 2) continue;
            auto other = std::make_unique<AdaptiveLiquid>(tank_shot(params), adaptive_setup(params, 3));
            models::StateView from = liquid->state(), to = other->state();
            for (std::size_t n = 0; n < from.numbers.size(); ++n) *to.numbers[n].value = *from.numbers[n].value;
            to.blocks[0].load(from.blocks[0].save());
            liquid = std::move(other);
        }
        return bits(*liquid);
    };
    const std::vector<char> one = run(1, false);
    EXPECT_TRUE(one == run(2, false));
    EXPECT_TRUE(one == run(2, true));
}

}  // namespace
}  // namespace phlo::verify
