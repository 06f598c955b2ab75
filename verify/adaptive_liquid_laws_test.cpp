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
    setup.liquid.adapt = {.mode = models::AdaptMode::surface, .levels = levels, .view = {}};
    setup.liquid.surface = models::SurfaceTracking::level_set, setup.liquid.drops = false;
    return setup;
}

struct Start {
    std::function<double(const Vec3d&)> phi;              ///< of the place [m]
    std::function<Vec3d(const Vec3d&)> velocity = {};     ///< none: at rest
    models::LevelChooser levels = models::levels_by_surface;
};

/// each(place in its block's memory, where that is [m]) for the entries of a block.
template <class Each>
void each_entry(const AdaptiveState& state, int axis, int block, const Each& each) {
    const int level = state.blocks.level(block);
    const double size = state.h() * state.blocks.size(level);
    const Vec3d corner = Vec3d(state.blocks.place(block) * (1 << state.blocks.depth())) * state.h();
    Vec3i c, last(Blocks::side(level));
    if (axis >= 0) ++last[axis];
    for (c.z = 0; c.z < last.z; ++c.z)
        for (c.y = 0; c.y < last.y; ++c.y)
            for (c.x = 0; c.x < last.x; ++c.x) {
                Vec3d at = (Vec3d(c) + Vec3d(0.5)) * size;
                if (axis >= 0) at[axis] -= 0.5 * size;
                each(Blocks::offset(level, c.x, c.y, c.z), corner + at);
            }
}

std::unique_ptr<AdaptiveLiquid> adaptive_tank(const TankParams& params, int depth, const Start& start) {
    auto liquid = std::make_unique<AdaptiveLiquid>(tank_shot(params), adaptive_setup(params, depth));
    liquid->edit([&](AdaptiveState& state) {
        const double edge = state.h() * (1 << depth);
        const Vec3i base = state.blocks.base();
        std::vector<models::Holds> holds(std::size_t(state.blocks.base_count()));
        for (std::size_t b = 0; b < holds.size(); ++b) {
            const double phi = start.phi((Vec3d(int(b) % base.x, int(b) / base.x % base.y, int(b) / base.x / base.y) + Vec3d(0.5)) * edge);
            holds[b] = std::fabs(phi) < edge ? models::Holds::surface : phi < 0 ? models::Holds::liquid : models::Holds::air;
        }
        state.choose_levels = start.levels;
        std::vector<std::int8_t> levels = start.levels({.domain = state.domain, .base = base, .depth = depth, .holds = holds});
        field::balance(base, levels);
        state.blocks = Blocks(base, depth, levels);
        state.needed = levels;
        state.phi = field::BlockField<float>(state.blocks);
        for (auto& u : state.u) u = field::BlockField<float>(state.blocks);
        for (const int block : state.blocks.all()) {
            each_entry(state, -1, block, [&](int place, const Vec3d& at) { state.phi.block(state.blocks, block)[place] = float(start.phi(at)); });
            if (!start.velocity) continue;
            for (int axis = 0; axis < 3; ++axis)
                each_entry(state, axis, block, [&](int place, const Vec3d& at) { state.u[std::size_t(axis)].block(state.blocks, block)[place] = float(start.velocity(at)[axis]); });
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
        const auto tank = adaptive_tank({.size = {1, 1, 1}, .resolution = 64}, 3, {.phi = [&](const Vec3d& p) { return p.z - depth; }});
        EXPECT_GT(tank->blocks().of_level(0).size(), 0u);
        for (int frame = 0; frame < 4; ++frame) tank->advance(1.0 / 24);
        EXPECT_LE(tank->parts().fastest, 1e-5) << depth;   // of waves of 3 m/s
        EXPECT_NEAR(tank->volume(), depth, 1e-5);
    }
}

TEST(adaptive_liquid_laws, a_wave_in_a_tank_is_that_of_the_fine_uniform_grid_within_half_a_cell) {
    const TankParams params{.size = {1, 0.25, 0.75}, .resolution = 64};
    const auto phi = [](const Vec3d& p) { return p.z - 0.4 - 0.04 * std::cos(std::numbers::pi * p.x); };
    const auto fine = adaptive_tank(params, 3, {.phi = phi});
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

/// Of what a wave packet's surface holds left of the middle of a long tank, in parts of what it held at first, once it has passed the middle.
struct Packet {
    double wavelength;   ///< [m]
    double amplitude;    ///< [finest cells]
    int frames;          ///< until it has passed
};
double left_behind(const Packet& wave, int finest_right) {
    const TankParams params{.size = {4, 0.125, 0.75}, .resolution = 128};
    const double h = 4.0 / 128, depth = 0.5 + 0.3 * h, k = 2 * std::numbers::pi / wave.wavelength, omega = std::sqrt(9.81 * k * std::tanh(k * depth)), amplitude = wave.amplitude * h;
    const auto packet = [&](double x) { return amplitude * std::exp(-std::pow((x - 1.1) / 0.35, 2)); };
    const auto levels = [&](const models::LevelQuery& query) {
        std::vector<std::int8_t> made = models::levels_by_surface(query);
        for (std::size_t b = 0; b < made.size(); ++b)
            if (int(b) % query.base.x >= query.base.x / 2) made[b] = std::min(made[b], std::int8_t(finest_right));
        return made;
    };
    const auto tank = adaptive_tank(params, 2, {.phi = [&](const Vec3d& p) { return p.z - depth - packet(p.x) * std::cos(k * p.x); },
                                                .velocity = [&](const Vec3d& p) {
                                                    const double fall = std::exp(k * std::min(p.z - depth, 0.0)) * omega * packet(p.x);
                                                    return Vec3d(fall * std::cos(k * p.x), 0, fall * std::sin(k * p.x));
                                                },
                                                .levels = levels});
    const auto energy = [&](double first, double last) {
        const field::Grid phi = tank->phi();
        double sum = 0;
        for (int i = int(first / h); i < int(last / h); ++i) sum += std::pow(height_of(tank->domain(), phi, i, 2) - depth, 2);
        return sum;
    };
    const double start = energy(0, 4);
    for (int frame = 0; frame < wave.frames; ++frame) tank->advance(1.0 / 24);
    std::printf("finest on the right %d: left %.4f, right %.4f of the energy\n", finest_right, energy(0, 1.9) / start, energy(2.1, 4) / start);
    EXPECT_GT(energy(2.1, 4) / start, 0.3);
    return energy(0, 1.9) / start;
}

TEST(adaptive_liquid_laws, a_wave_packet_that_crosses_a_level_border_reflects_less_than_two_percent_of_its_energy) {
    for (const Packet& wave : {Packet{0.5, 0.8, 84}, Packet{1, 0.4, 60}}) {   // eight and sixteen coarse cells long
        const double alone = left_behind(wave, 2), across = left_behind(wave, 1);   // a packet leaves something behind without any border, too
        EXPECT_LE(std::fabs(across - alone), 0.02) << wave.wavelength;
    }
}

TEST(adaptive_liquid_laws, a_view_that_jumps_to_the_other_half_of_a_tank_and_then_sees_nothing_makes_no_pop_and_keeps_the_volume) {
    const TankParams params{.size = {1, 0.25, 0.75}, .resolution = 64};
    const auto phi = [](const Vec3d& p) { return p.z - 0.4 - 0.04 * std::cos(std::numbers::pi * p.x); };
    const auto levels = [](const models::LevelQuery& query) {   // the left half is seen, then the right one, then nothing, then all
        std::vector<std::int8_t> made = models::levels_by_surface(query);
        for (std::size_t b = 0; b < made.size(); ++b) {
            const bool left = int(b) % query.base.x < query.base.x / 2;
            const bool seen = query.time < 0.5 ? left : query.time < 1 ? !left : query.time > 1.5;
            if (!seen) made[b] = std::min(made[b], std::int8_t(query.depth - 2));
        }
        return made;
    };
    const auto tank = adaptive_tank(params, 3, {.phi = phi, .levels = levels});
    models::LiquidSetup setup = adaptive_setup(params, 3);
    setup.liquid.adapt.mode = models::AdaptMode::none;
    models::Liquid uniform(tank_shot(params), setup);
    fill(uniform, phi);
    double apart = 0, jump = 0, least = 1e9, most = 0;
    std::vector<double> before(64), gone(64);
    for (int frame = 1; frame <= 48; ++frame) {
        const models::FrameStats stats = tank->advance(1.0 / 24);
        uniform.advance(1.0 / 24);
        EXPECT_LE(std::fabs(stats.number("volume_drift")), 0.01) << frame;
        least = std::min(least, stats.number("unknowns")), most = std::max(most, stats.number("unknowns"));
        const field::Grid level = tank->phi();
        for (int i = 0; i < 64; ++i) {
            const double height = height_of(tank->domain(), level, i, 8), right = surface_height(uniform, i, 8);
            apart = std::max(apart, std::fabs(height - right) / tank->domain().h);
            // What the surface does from one frame to the next, beyond what it does on the uniform grid.
            if (frame > 1) jump = std::max(jump, std::fabs((height - before[std::size_t(i)]) - (right - gone[std::size_t(i)])) / tank->domain().h);
            before[std::size_t(i)] = height, gone[std::size_t(i)] = right;
        }
    }
    std::printf("%.3f cells apart, %.3f cells of a jump, %.0f to %.0f unknowns\n", apart, jump, least, most);
    EXPECT_LT(least, 0.3 * most);
    EXPECT_LE(jump, 0.5);
}

TEST(adaptive_liquid_laws, threads_and_a_restart_change_no_bit) {
    const TankParams params{.size = {1, 0.5, 0.5}, .resolution = 32};
    const auto phi = [](const Vec3d& p) { return std::max(p.x - 0.4, p.z - 0.33); };
    const auto bits = [](AdaptiveLiquid& liquid) { return liquid.state().blocks[0].save(); };
    const auto run = [&](int threads, bool restart) {
        const ThreadLimit limit(threads);
        auto liquid = adaptive_tank(params, 3, {.phi = phi});
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
