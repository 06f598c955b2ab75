#include "flow/block_transport.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <numbers>

#include "block_cases.h"
#include "field/mac.h"
#include "flow/block_extend.h"
#include "flow/block_level_set.h"
#include "flow/block_projector.h"
#include "flow/block_redistance.h"

namespace phlo::flow {
namespace {

using field::Blocks;

BlockVelocity constant(const Blocks& blocks, const Vec3d& v) {
    BlockVelocity u;
    for (int a = 0; a < 3; ++a) u[std::size_t(a)] = on_blocks(blocks, a, [&](const Vec3d&) { return v[a]; });
    return u;
}

/// each(distance of a cell, its level set, its level) of cells within `band` cells of their own size.
template <class Each>
void each_near(const Blocks& blocks, const field::BlockField<float>& phi, double band, const std::function<double(const Vec3d&)>& distance, const Each& each) {
    for (const int block : blocks.all())
        each_entry(blocks, field::centres, block, [&](int place, const Vec3d& at, int size) {
            if (std::fabs(distance(at)) < band * size) each(distance(at), double(phi.block(blocks, block)[place]), size);
        });
}

TEST(block_transport, a_ball_is_carried_across_level_borders_and_keeps_its_place_and_volume) {
    const Blocks blocks = mixed_blocks(64, 3, 2, 5, 0.2f);
    const Vec3d start(24, 28, 30), velocity(1, 0.5, 0.25);
    const auto ball = [](const Vec3d& middle) { return [middle](const Vec3d& p) { return length(p - middle) - 14; }; };
    auto phi = on_blocks(blocks, field::centres, ball(start));
    BlockMarchScratch scratch;
    redistance(blocks, {.h = 1, .band = 6}, phi, scratch);
    const double volume = inside_volume(blocks, 1, phi);
    EXPECT_NEAR(volume, 4.0 / 3 * std::numbers::pi * 14 * 14 * 14, 0.01 * volume);
    BlockTransport transport;
    const BlockVelocity u = constant(blocks, velocity);
    for (int step = 0; step < 6; ++step) {
        transport.start(blocks, u, phi);
        transport.carry_level_set({.dt = 2, .h = 1, .fastest = 1}, phi);
        fill_ghosts_around(blocks, field::centres, field::Seams::one_value, phi);
        redistance(blocks, {.h = 1, .band = 6}, phi, scratch);
    }
    double worst = 0;
    each_near(blocks, phi, 1, ball(start + velocity * 12.0), [&](double there, double found, int size) { worst = std::max(worst, std::fabs(found - there) / size); });
    std::printf("worst %.3f cells, volume %+.2f %%\n", worst, 100 * (inside_volume(blocks, 1, phi) / volume - 1));
    EXPECT_LE(worst, 0.25);
    EXPECT_NEAR(inside_volume(blocks, 1, phi), volume, 0.01 * volume);
}

TEST(block_redistance, distances_are_right_across_level_borders_and_the_surface_stays) {
    const Blocks blocks = mixed_blocks(64, 3, 2, 3, 0.1f);
    const auto ball = [](const Vec3d& p) { return length(p - Vec3d(31, 33, 30)) - 19; };
    auto phi = on_blocks(blocks, field::centres, [&](const Vec3d& p) { return 1.2 * ball(p) + 0.01 * ball(p) * ball(p); });   // steep and bent
    BlockMarchScratch scratch;
    redistance(blocks, {.h = 1, .band = 6}, phi, scratch);
    double beside = 0, far = 0;
    each_near(blocks, phi, 3, ball, [&](double there, double found, int size) {
        double& worst = std::fabs(there) < size ? beside : far;
        worst = std::max(worst, std::fabs(found - there) / size);
    });
    std::printf("beside the surface %.3f, far %.3f cells\n", beside, far);
    EXPECT_LE(beside, 0.2);
    EXPECT_LE(far, 0.6);
    const double volume = inside_volume(blocks, 1, phi);
    for (int n = 0; n < 20; ++n) redistance(blocks, {.h = 1, .band = 6}, phi, scratch);
    EXPECT_NEAR(inside_volume(blocks, 1, phi), volume, 2e-3 * volume);
}

TEST(block_extend, the_air_moves_as_the_liquid_beneath_it_and_has_no_divergence_at_the_surface) {
    const Blocks blocks = mixed_blocks(64, 3, 2, 5, 0.3f);
    const auto phi = on_blocks(blocks, field::centres, [](const Vec3d& p) { return p.z - 30.3; });
    const Walls walls{};
    const BlockSolids solids;
    BlockProjector projector;
    projector.set_up(walls, solids, blocks, phi);
    BlockVelocity u;
    for (int a = 0; a < 3; ++a)   // it spreads along x and sinks: continued straight up, the air would run apart
        u[std::size_t(a)] = on_blocks(blocks, a, [&](const Vec3d& p) { return p.z > 34 ? 77.0 : a == 0 ? 0.02 * (p.x - 32) : a == 2 ? -0.02 * (p.z - 20) : 0.0; });
    enforce_walls(blocks, walls, u);
    BlockExtensionScratch scratch;
    extend_velocity(blocks, walls, projector.kind(), {.h = 1, .reach = 8, .sweeps = 0}, phi, u, scratch);
    double worst = 0;
    for (const int block : blocks.all())
        each_entry(blocks, 0, block, [&](int place, const Vec3d& at, int size) {
            if (at.z < 30.3 + size || at.z > 36 || std::min(at.x, 64 - at.x) < 2) return;
            worst = std::max(worst, std::fabs(double(u[0].block(blocks, block)[place]) - 0.02 * (at.x - 32)));
        });
    EXPECT_LE(worst, 0.03);   // values go straight up, whatever the levels
    extend_velocity(blocks, walls, projector.kind(), {.h = 1, .reach = 8}, phi, u, scratch);
    double divergence = 0;
    for (const int block : blocks.all()) {
        const int level = blocks.level(block), wide = Blocks::pitch(level);
        if (level != blocks.depth()) continue;
        each_entry(blocks, field::centres, block, [&](int place, const Vec3d& at, int) {
            const Vec3i cell(int(at.x) % 8, int(at.y) % 8, int(at.z) % 8);
            if (at.z < 30.3 || at.z > 31.3 || cell.x % 7 == 0 || cell.y % 7 == 0) return;   // between levels faces keep what they have
            const auto gain = [&](std::size_t a, int step) { return double(u[a].block(blocks, block)[place + step] - u[a].block(blocks, block)[place]); };
            divergence = std::max(divergence, std::fabs(gain(0, 1) + gain(1, wide) + gain(2, wide * wide)));
        });
    }
    EXPECT_LE(divergence, 2e-3);   // 0.02 without the balance
}

TEST(block_level_set, a_field_that_moves_to_other_blocks_and_back_is_hardly_changed) {
    const Blocks one = mixed_blocks(32, 3, 2, 5, 0.3f), other = mixed_blocks(32, 3, 2, 9, 0.4f);
    const auto wave = [](const Vec3d& p) { return p.z - 15.3 - std::sin(0.2 * p.x); };
    const auto phi = on_blocks(one, field::centres, wave);
    field::PaddedField padded;
    padded.copy(one, field::centres, phi);
    field::BlockField<float> there = phi, same = phi, before = phi, spare;
    transfer(one, padded, field::centres, other, there, spare);
    EXPECT_NEAR(inside_volume(other, 1, there), inside_volume(one, 1, phi), 2e-3 * inside_volume(one, 1, phi));
    field::BlockField<float> again = phi;
    field::PaddedField needed;   // of those that become finer alone
    const std::vector<std::uint8_t> finer = refined(one, other);
    needed.copy(one, field::centres, phi, &finer);
    transfer(one, needed, field::centres, other, again, spare);
    for (int level = 0; level <= 3; ++level) EXPECT_TRUE(std::ranges::equal(again.pool(level), there.pool(level)));
    transfer(one, padded, field::centres, one, same, spare);
    for (int level = 0; level <= 3; ++level) EXPECT_TRUE(std::ranges::equal(same.pool(level), before.pool(level)));
}

TEST(block_level_set, a_part_that_is_sampled_is_that_of_the_whole) {
    const Blocks blocks = mixed_blocks(32, 3, 2, 5, 0.3f);
    const Vec3i first(8, 0, 12), cells(20, 32, 16);
    for (const int axis : {field::centres, 0, 1, 2}) {
        field::PaddedField padded;
        padded.copy(blocks, axis, on_blocks(blocks, axis, [](const Vec3d& p) { return std::sin(0.3 * p.x) + p.y * p.z; }));
        field::Grid whole(field::Layout(Vec3i(32))), part{field::Layout(cells)};
        sample(blocks, padded, axis, whole), sample(blocks, padded, axis, part, first);
        const Vec3i last = axis < 0 ? cells : field::face_extent(part.layout(), axis);
        int differ = 0;
        for (int k = 0; k < last.z; ++k)
            for (int j = 0; j < last.y; ++j)
                for (int i = 0; i < last.x; ++i) differ += part(i, j, k) != whole(first.x + i, first.y + j, first.z + k);
        EXPECT_EQ(differ, 0) << axis;
    }
}

TEST(block_level_set, what_is_sampled_at_the_finest_cells_is_linear_where_the_field_is) {
    const Blocks blocks = mixed_blocks(32, 3, 1, 5, 0.1f);
    for (const int axis : {field::centres, 0, 1, 2}) {
        const auto f = [](const Vec3d& p) { return 0.3 * p.x - 0.2 * p.y + p.z; };
        field::PaddedField padded;
        padded.copy(blocks, axis, on_blocks(blocks, axis, f));
        field::Grid fine(field::Layout(Vec3i(32)));
        sample(blocks, padded, axis, fine);
        for (int k = 4; k < 28; ++k)
            for (int j = 4; j < 28; ++j)
                for (int i = 4; i < 28; ++i) {
                    Vec3d at = Vec3d(i, j, k) + Vec3d(0.5);
                    if (axis >= 0) at[axis] -= 0.5;
                    EXPECT_NEAR(double(fine(i, j, k)), f(at), 1e-4) << axis;
                }
    }
}

}  // namespace
}  // namespace phlo::flow
