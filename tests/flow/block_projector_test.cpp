#include "flow/block_projector.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>

#include "base/parallel.h"
#include "block_cases.h"

namespace phlo::flow {
namespace {

using field::Blocks;
using field::Grid;
using field::MacGrid;

const BlockSolids no_solids;

/// Water under the plane through `point` across gravity, at rest for a step; the largest speed in units of that of long waves.
double speed_of_still_water(int n, const Vec3d& down, const Vec3d& point, std::uint64_t seed) {
    const Blocks blocks = mixed_blocks(n, 3, 0, seed);
    const double h = 1.0 / n, gravity = 9.81, waves = std::sqrt(gravity), dt = h / waves;
    const auto phi = on_blocks(blocks, field::centres, [&](const Vec3d& p) { return dot(point - p * h, down); });
    BlockVelocity u;
    for (int a = 0; a < 3; ++a) u[std::size_t(a)] = on_blocks(blocks, a, [&](const Vec3d&) { return down[a] * gravity * dt; });
    const Walls walls{};
    enforce_walls(blocks, walls, u);
    BlockProjector projector;
    projector.set_up(walls, no_solids, blocks, phi);
    const FreeSurfaceReport report = projector.project({.h = h, .tolerance = 1e-6}, u);
    EXPECT_TRUE(report.converged) << report.residual;
    return largest_wet_speed(blocks, projector.kind(), u) / waves;
}

TEST(block_projector, still_water_stays_still_across_level_borders_at_any_fill_height) {
    for (const double height : {0.03, 0.25, 0.4999999, 0.51, 0.987})
        for (const std::uint64_t seed : {1, 2}) EXPECT_LE(speed_of_still_water(48, {0, 0, -1}, {0.5, 0.5, height}, seed), 2e-6) << height << " " << seed;
}

TEST(block_projector, still_water_stays_still_across_level_borders_at_any_tilt_of_gravity) {
    for (const Vec3d down : {Vec3d(0.3, 0.1, -1), Vec3d(1, 0, 0), Vec3d(0.5, -0.7, 0.2), Vec3d(-1, -1, -1)})
        for (const std::uint64_t seed : {1, 2}) EXPECT_LE(speed_of_still_water(48, normalized(down), {0.48, 0.52, 0.43}, seed), 2e-6) << down.x << " " << seed;
}

TEST(block_projector, one_level_everywhere_is_the_uniform_projection) {
    for (const char* name : {"pool", "dam", "drops", "sheets", "waves", "pockets", "flat", "splash", "film"}) {
        const LiquidCase c = liquid_case(name, 32);
        const Blocks blocks = one_level(32, 4, 4);
        MacGrid u(c.layout);
        stir(c, u);
        BlockVelocity v = on_blocks(blocks, u);
        FreeSurfaceProjector uniform(c.layout);
        uniform.set_up(c.walls, c.solids, c.phi);
        uniform.project({.h = 1, .tolerance = 1e-6, .let_go = false}, u);
        const auto phi = on_blocks(blocks, field::centres, c.phi);
        BlockSolids solids;
        if (c.bodies) rasterize(c.domain, blocks, geom::place(*c.bodies, 0), solids);
        BlockProjector projector;
        projector.set_up(c.walls, solids, blocks, phi);
        const FreeSurfaceReport report = projector.project({.h = 1, .tolerance = 1e-6}, v);
        EXPECT_TRUE(report.converged) << name << " " << report.residual;
        EXPECT_EQ(report.cells, uniform.cells().count()) << name;
        double worst = 0, largest = 0;
        for (const int block : blocks.all())
            for (int a = 0; a < 3; ++a)
                each_entry(blocks, a, block, [&](int place, const Vec3d& at, int) {
                    if (c.solids.present() && c.solids.aperture[a](int(at.x), int(at.y), int(at.z)) == 0) return;
                    const double there = double(u[a](int(at.x), int(at.y), int(at.z)));
                    worst = std::max(worst, std::fabs(there - double(v[std::size_t(a)].block(blocks, block)[place]))), largest = std::max(largest, std::fabs(there));
                });
        EXPECT_LE(worst, 3e-5 * largest) << name;
    }
}

struct PressureError {
    double squares = 0, cells = 0;
    double rms() const { return std::sqrt(squares / cells); }
};

/// The pressure q = (R^2 - r^2) exp(x) in a ball around `center`, one half of its surface fine, the rest coarse; the same in space on each grid.
/// Its Laplacian is that of a velocity which is given to the projector.
PressureError error_in_a_ball(int coarsest, int finer, const Vec3d& center, double radius) {
    const int n = coarsest * finer;
    const double h = 1.0 / n;
    constexpr int depth = 1;
    const Vec3i base(n >> depth);
    std::vector<std::int8_t> levels(std::size_t(base.x * base.y * base.z), 0);
    for (std::size_t b = 0; b < levels.size(); ++b) {
        const Vec3i at = Vec3i(int(b) % base.x / finer, int(b) / base.x % base.y / finer, int(b) / base.x / base.y / finer);
        const Vec3d p = (Vec3d(at) + Vec3d(0.5)) * (2.0 / coarsest);
        if (p.x < 0.5 && std::fabs(length(p - Vec3d(0.5)) - radius) < 0.12) levels[b] = 1;
    }
    field::balance(base, levels);
    const Blocks blocks(base, depth, levels);
    const auto from_center = [&](const Vec3d& finest) { return finest * h - center; };
    const auto phi = on_blocks(blocks, field::centres, [&](const Vec3d& p) { return length(from_center(p)) - radius; });
    BlockVelocity u;   // h grad q: what the gradient takes off again
    for (int a = 0; a < 3; ++a)
        u[std::size_t(a)] = on_blocks(blocks, a, [&](const Vec3d& p) {
            const Vec3d r = from_center(p);
            return h * std::exp(r.x) * (-2 * r[a] + (a == 0 ? radius * radius - dot(r, r) : 0.0));
        });
    BlockProjector projector;
    const Walls walls{};
    projector.set_up(walls, no_solids, blocks, phi);
    EXPECT_TRUE(projector.project({.h = h, .tolerance = 1e-6}, u).converged);
    PressureError error;
    for (const int block : blocks.all())
        each_entry(blocks, field::centres, block, [&](int place, const Vec3d& at, int size) {
            if (phi.block(blocks, block)[place] >= 0) return;
            const Vec3d r = from_center(at);
            const double e = double(projector.pressure().block(blocks, block)[place]) - (radius * radius - dot(r, r)) * std::exp(r.x), volume = size * size * size;
            error.squares += e * e * volume, error.cells += volume;
        });
    return error;
}

TEST(block_projector, pressure_under_a_curved_surface_that_crosses_level_borders_is_second_order) {
    double before = 0;
    for (const int finer : {1, 2, 4}) {
        const double rms = error_in_a_ball(32, finer, {0.46, 0.53, 0.49}, 0.32).rms();
        if (before > 0) {
            std::printf("rms %.3e, %.3e: order %.2f\n", before, rms, std::log2(before / rms));
            EXPECT_GE(std::log2(before / rms), 1.8);
        }
        before = rms;
    }
}

TEST(block_projector, few_iterations_are_enough_for_all_kinds_of_liquid) {
    for (const char* name : {"pool", "dam", "drops", "sheets", "pockets", "flat", "rough", "mist", "splash", "film"}) {
        const LiquidCase c = liquid_case(name, 64);
        MacGrid u(c.layout);
        stir(c, u);
        for (const bool mixed : {false, true}) {
            const Blocks blocks = mixed ? mixed_blocks(64, 4, 2, 4, 0.15f) : one_level(64, 4, 4);
            const auto phi = on_blocks(blocks, field::centres, c.phi);
            BlockVelocity v = on_blocks(blocks, u);
            BlockProjector projector;
            projector.set_up(c.walls, no_solids, blocks, phi);
            const FreeSurfaceReport report = projector.project({.h = c.domain.h, .tolerance = 1e-4}, v);
            std::printf("%s %s: %ld unknowns, %d iterations\n", name, mixed ? "mixed" : "finest", report.cells, report.iterations);
            EXPECT_TRUE(report.converged) << name;
            EXPECT_LE(report.iterations, 14) << name;
        }
    }
}

TEST(block_projector, threads_change_no_bit) {
    const LiquidCase c = liquid_case("dam", 48);
    const Blocks blocks = mixed_blocks(48, 3, 1, 4);
    MacGrid u(c.layout);
    stir(c, u);
    const auto result = [&](int threads) {
        const ThreadLimit limit(threads);
        const auto phi = on_blocks(blocks, field::centres, c.phi);
        BlockVelocity v = on_blocks(blocks, u);
        BlockProjector projector;
        projector.set_up(c.walls, no_solids, blocks, phi);
        projector.project({.h = c.domain.h}, v);
        return v;
    };
    BlockVelocity one = result(1), two = result(2);
    for (std::size_t a = 0; a < 3; ++a)
        for (int level = 0; level <= 3; ++level) EXPECT_TRUE(std::ranges::equal(one[a].pool(level), two[a].pool(level)));
}

}  // namespace
}  // namespace phlo::flow
