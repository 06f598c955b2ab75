#include "flow/block_projector.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>

#include "base/parallel.h"
#include "liquid_cases.h"

namespace phlo::flow {
namespace {

using field::Blocks;
using field::Grid;
using field::MacGrid;

/// Blocks of all levels, the finest at random places, the coarsest no coarser than `coarsest`.
std::vector<std::int8_t> mixed_levels(const field::Layout& layout, int depth, int coarsest, std::uint64_t seed, float share = 0.06f) {
    const Vec3i base = BlockLiquid::base_cells(layout, depth);
    std::vector<std::int8_t> levels(std::size_t(base.x * base.y * base.z), std::int8_t(coarsest));
    for (std::size_t b = 0; b < levels.size(); ++b)
        if (uniform4({seed, 3, 0}, std::uint32_t(b))[0] < share) levels[b] = std::int8_t(depth);
    field::balance(base, levels);
    return levels;
}

std::vector<std::int8_t> one_level(const field::Layout& layout, int depth, int level) {
    const Vec3i base = BlockLiquid::base_cells(layout, depth);
    return std::vector<std::int8_t>(std::size_t(base.x * base.y * base.z), std::int8_t(level));
}

/// The largest speed on open faces inside the box that touch what the pressure took for liquid.
double largest_speed(const LiquidCase& c, const Grid& seen, const MacGrid& u) {
    double most = 0;
    for (int a = 0; a < 3; ++a)
        for (int k = 0; k < c.layout.nz(); ++k)
            for (int j = 0; j < c.layout.ny(); ++j)
                for (int i = 0; i < c.layout.nx(); ++i) {
                    Vec3i below(i, j, k);
                    if (--below[a] < 0 || (seen(i, j, k) >= 0 && seen(below.x, below.y, below.z) >= 0)) continue;
                    if (c.solids.present() && c.solids.aperture[a](i, j, k) == 0) continue;
                    most = std::max(most, std::fabs(double(u[a](i, j, k))));
                }
    return most;
}

/// Water under the plane through `point` across gravity, at rest for a few steps; the largest speed in units of that of long waves.
double speed_of_still_water(int n, const Vec3d& down, const Vec3d& point, std::uint64_t seed, int steps = 1, bool with_ball = false) {
    LiquidCase c("still", n);
    c.set_phi([&](double x, double y, double z) { return dot(point - Vec3d(x, y, z), down); });
    if (with_ball) c.add_ball({0.52, 0.45, 0.4}, 0.23);
    const double gravity = 9.81, waves = std::sqrt(gravity), dt = c.domain.h / waves;
    BlockProjector projector(c.layout);
    MacGrid u(c.layout);
    double speed = 0;
    for (int step = 0; step < steps; ++step) {
        for (int a = 0; a < 3; ++a)
            for (float& v : u[a].storage()) v += float(down[a] * gravity * dt);
        enforce_walls(c.walls, u);
        if (with_ball) constrain_velocity(c.solids, u);
        projector.set_up(c.walls, c.solids, c.phi, mixed_levels(c.layout, 3, 0, seed + std::uint64_t(step)), 3);
        const Grid last = projector.pressure();
        const BlockReport report = projector.project({.h = c.domain.h, .tolerance = 1e-6, .guess = step > 0 ? &last : nullptr}, u);
        EXPECT_TRUE(report.converged) << report.residual;
        speed = std::max(speed, largest_speed(c, projector.seen(), u));
        for (int a = 0; a < 3; ++a)   // air does not fall
            for (int k = 0; k < n; ++k)
                for (int j = 0; j < n; ++j)
                    for (int i = 0; i < n; ++i)
                        if (projector.seen()(i, j, k) >= 0 && projector.seen()(i - (a == 0), j - (a == 1), k - (a == 2)) >= 0) u[a](i, j, k) = 0;
    }
    return speed / waves;
}

TEST(block_projector, still_water_stays_still_across_level_borders_at_any_fill_height) {
    for (const double height : {0.03, 0.25, 0.4999999, 0.51, 0.987})
        for (const std::uint64_t seed : {1, 2}) EXPECT_LE(speed_of_still_water(48, {0, 0, -1}, {0.5, 0.5, height}, seed), 2e-6) << height << " " << seed;
}

TEST(block_projector, still_water_stays_still_across_level_borders_at_any_tilt_of_gravity) {
    for (const Vec3d down : {Vec3d(0.3, 0.1, -1), Vec3d(1, 0, 0), Vec3d(0.5, -0.7, 0.2), Vec3d(-1, -1, -1)})
        for (const std::uint64_t seed : {1, 2}) EXPECT_LE(speed_of_still_water(48, normalized(down), {0.48, 0.52, 0.43}, seed), 2e-6) << down.x << " " << seed;
}

TEST(block_projector, still_water_stays_still_in_a_box_that_is_no_multiple_of_blocks) {
    for (const double height : {0.2, 0.43, 0.9}) EXPECT_LE(speed_of_still_water(43, {0, 0, -1}, {0.48, 0.52, height}, 5), 2e-6);
}

TEST(block_projector, still_water_stays_still_while_levels_change) {
    EXPECT_LE(speed_of_still_water(40, normalized(Vec3d(0.2, 0.1, -1)), {0.48, 0.52, 0.63}, 7, 20), 1e-5);
}

TEST(block_projector, one_level_everywhere_is_the_uniform_projection) {
    for (const char* name : {"pool", "dam", "drops", "sheets", "waves", "pockets", "flat", "splash", "film"}) {
        const LiquidCase c = liquid_case(name, 32);
        MacGrid u(c.layout), v(c.layout);
        stir(c, u), stir(c, v);
        FreeSurfaceProjector uniform(c.layout);
        uniform.set_up(c.walls, c.solids, c.phi);
        uniform.project({.h = 1, .tolerance = 1e-6, .let_go = false}, u);
        BlockProjector projector(c.layout);
        projector.set_up(c.walls, c.solids, c.phi, one_level(c.layout, 4, 4), 4);
        const BlockReport report = projector.project({.h = 1, .tolerance = 1e-6}, v);
        EXPECT_TRUE(report.converged) << name << " " << report.residual;
        EXPECT_EQ(report.cells, uniform.cells().count()) << name;
        double worst = 0, largest = 0;
        for (int a = 0; a < 3; ++a)
            for (int k = 0; k < 32; ++k)
                for (int j = 0; j < 32; ++j)
                    for (int i = 0; i < 32; ++i) {
                        worst = std::max(worst, std::fabs(double(u[a](i, j, k) - v[a](i, j, k))));
                        largest = std::max(largest, std::fabs(double(u[a](i, j, k))));
                    }
        EXPECT_LE(worst, 3e-5 * largest) << name;
    }
}

/// Outflow of all fine cells in a cube, by hand.
double outflow_of(const LiquidCase& c, const MacGrid& u, const Vec3i& low, int size) {
    double sum = 0;
    for (int a = 0; a < 3; ++a)
        for (int side : {0, 1})
            for (int q = 0; q < size; ++q)
                for (int p = 0; p < size; ++p) {
                    Vec3i f = low;
                    f[a] += side * size, f[(a + 1) % 3] += p, f[(a + 2) % 3] += q;
                    const double open = c.solids.present() ? double(c.solids.aperture[a](f.x, f.y, f.z)) : 1, body = c.solids.present() ? double(c.solids.velocity[a](f.x, f.y, f.z)) : 0;
                    sum += (side == 0 ? -1 : 1) * (open * double(u[a](f.x, f.y, f.z)) + (1 - open) * body);
                }
    return sum;
}

/// Four cells share one face of a coarser one; its velocity slopes along it, so that only their sum is what the pressure has seen to.
bool next_to_coarser(const Blocks& blocks, int block, const Vec3i& cell) {
    const int level = blocks.level(block), last = Blocks::side(level) - 1;
    for (int face = 0; face < 6; ++face) {
        const int other = blocks.neighbour(block, face);
        if (cell[face / 2] == (face % 2 == 0 ? 0 : last) && other >= 0 && blocks.level(other) != Blocks::none && blocks.level(other) < level) return true;
    }
    return false;
}

TEST(block_projector, what_is_written_back_has_no_divergence_in_any_coarse_cell) {
    for (const char* name : {"pool", "dam", "waves", "pockets", "splash"}) {
        const LiquidCase c = liquid_case(name, 48);
        MacGrid u(c.layout);
        stir(c, u);
        BlockProjector projector(c.layout);
        projector.set_up(c.walls, c.solids, c.phi, mixed_levels(c.layout, 3, 1, 4), 3);
        const BlockReport report = projector.project({.h = 1, .tolerance = 1e-5}, u);
        EXPECT_TRUE(report.converged) << name << " " << report.residual;
        const Blocks& blocks = projector.blocks();
        double worst = 0;
        long coarse = 0;
        for (const int block : blocks.all()) {
            const int level = blocks.level(block), n = Blocks::side(level), size = blocks.size(level);
            if (size == 1) continue;
            for (int q = 0; q < n * n * n; ++q) {
                const Vec3i low = blocks.place(block) * 8 + Vec3i(q % n, q / n % n, q / n / n) * size;
                if (projector.seen()(low.x, low.y, low.z) >= 0 || next_to_coarser(blocks, block, Vec3i(q % n, q / n % n, q / n / n))) continue;
                worst = std::max(worst, std::fabs(outflow_of(c, u, low, size)) / (size * size)), ++coarse;
            }
        }
        EXPECT_GT(coarse, 0) << name;
        EXPECT_LE(worst, 1e-3) << name;   // of velocities near 1
    }
}

struct PressureError {
    double squares = 0, cells = 0;
    double rms() const { return std::sqrt(squares / cells); }
};

/// The pressure q = (R^2 - r^2) exp(x) in a ball around `center`, one half of its surface fine, the rest coarse; the same in space on each grid.
void add_errors_in_a_ball(int coarsest, int finer, const Vec3d& center, double radius, PressureError& error) {
    const int n = coarsest * finer;
    LiquidCase c("ball", n);
    const double h = c.domain.h;
    const auto squared = [&](const Vec3d& p) { return dot(p - center, p - center); };
    c.set_phi([&](double x, double y, double z) { return std::sqrt(squared({x, y, z})) - radius; });
    Grid wanted(c.layout);
    for (int k = 0; k < n; ++k)
        for (int j = 0; j < n; ++j)
            for (int i = 0; i < n; ++i) {
                const Vec3d p = c.domain.cell_center(i, j, k);
                const double x = p.x - center.x, laplacian = std::exp(x) * (-6 - 4 * x + radius * radius - squared(p));
                wanted(i, j, k) = float(-h * laplacian);
            }
    constexpr int depth = 1;
    const Vec3i base = BlockLiquid::base_cells(c.layout, depth);
    std::vector<std::int8_t> levels(std::size_t(base.x * base.y * base.z), 0);
    for (std::size_t b = 0; b < levels.size(); ++b) {
        const Vec3i at = Vec3i(int(b) % base.x / finer, int(b) / base.x % base.y / finer, int(b) / base.x / base.y / finer);
        const Vec3d p = (Vec3d(at) + Vec3d(0.5)) * (2.0 / coarsest);
        if (p.x < 0.5 && std::fabs(length(p - Vec3d(0.5)) - radius) < 0.12) levels[b] = 1;
    }
    field::balance(base, levels);
    BlockProjector projector(c.layout);
    MacGrid u(c.layout);
    projector.set_up(c.walls, c.solids, c.phi, levels, depth);
    EXPECT_TRUE(projector.project({.h = h, .tolerance = 1e-6, .divergence = &wanted}, u).converged);
    const Blocks& blocks = projector.blocks();
    for (const int block : blocks.all()) {
        const int level = blocks.level(block), m = Blocks::side(level), size = blocks.size(level);
        for (int q = 0; q < m * m * m; ++q) {
            const Vec3i low = blocks.place(block) * 2 + Vec3i(q % m, q / m % m, q / m / m) * size;
            if (projector.seen()(low.x, low.y, low.z) >= 0) continue;
            const Vec3d p = c.domain.origin + (Vec3d(low) + Vec3d(0.5 * size)) * h;
            const double e = double(projector.pressure()(low.x, low.y, low.z)) - (radius * radius - squared(p)) * std::exp(p.x - center.x);
            error.squares += e * e * size * size * size, error.cells += size * size * size;
        }
    }
}

TEST(block_projector, pressure_under_a_curved_surface_that_crosses_level_borders_is_second_order) {
    std::array<PressureError, 3> error{};
    for (std::uint32_t trial = 0; trial < 1; ++trial) {
        const auto r = uniform4({5, 0, 0}, trial);
        const Vec3d center(0.45 + 0.1 * double(r[0]), 0.45 + 0.1 * double(r[1]), 0.45 + 0.1 * double(r[2]));
        for (std::size_t g = 0; g < 3; ++g) add_errors_in_a_ball(32, 1 << g, center, 0.31 + 0.02 * double(r[3]), error[g]);
    }
    for (std::size_t g = 0; g < 2; ++g) {
        const double order = std::log2(error[g].rms() / error[g + 1].rms());
        std::printf("rms %.3e, %.3e: order %.2f\n", error[g].rms(), error[g + 1].rms(), order);
        EXPECT_GE(order, 1.8);
    }
}

TEST(block_projector, few_iterations_are_enough_for_all_kinds_of_liquid) {
    for (const char* name : {"pool", "dam", "drops", "sheets", "waves", "pockets", "flat", "rough", "mist", "splash", "film"}) {
        const LiquidCase c = liquid_case(name, 64);
        for (const bool mixed : {false, true}) {
            MacGrid u(c.layout);
            stir(c, u);
            BlockProjector projector(c.layout);
            projector.set_up(c.walls, c.solids, c.phi, mixed ? mixed_levels(c.layout, 4, 2, 4, 0.15f) : one_level(c.layout, 4, 4), 4);
            const BlockReport report = projector.project({.h = c.domain.h, .tolerance = 1e-4}, u);
            std::printf("%s %s: %ld unknowns, %d iterations\n", name, mixed ? "mixed" : "finest", report.cells, report.iterations);
            EXPECT_TRUE(report.converged) << name;
            EXPECT_LE(report.iterations, 14) << name;
        }
    }
}

TEST(block_projector, threads_change_no_bit) {
    const LiquidCase c = liquid_case("waves", 48);
    const auto result = [&](int threads) {
        const ThreadLimit limit(threads);
        BlockProjector projector(c.layout);
        MacGrid u(c.layout);
        stir(c, u);
        projector.set_up(c.walls, c.solids, c.phi, mixed_levels(c.layout, 3, 1, 4), 3);
        projector.project({.h = c.domain.h}, u);
        return u;
    };
    const MacGrid one = result(1), two = result(2);
    for (int a = 0; a < 3; ++a) EXPECT_TRUE(std::ranges::equal(one[a].storage(), two[a].storage()));
}

}  // namespace
}  // namespace phlo::flow
