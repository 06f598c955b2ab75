#include "field/blocks.h"

#include <gtest/gtest.h>

#include <cstdlib>

#include "base/random.h"

namespace phlo::field {
namespace {

std::vector<std::int8_t> random_levels(Vec3i base, int depth, std::uint64_t seed) {
    std::vector<std::int8_t> levels(std::size_t(base.x * base.y * base.z));
    for (std::size_t b = 0; b < levels.size(); ++b) {
        const float r = uniform4({seed, 0, 0}, std::uint32_t(b))[0];
        levels[b] = r < 0.02f ? std::int8_t(depth) : r < 0.3f ? Blocks::none : std::int8_t(0);
    }
    return levels;
}

TEST(blocks, neighbours_over_faces_edges_and_corners_are_at_most_a_level_apart) {
    const Vec3i base(9, 7, 5);
    for (std::uint64_t seed = 1; seed < 6; ++seed) {
        std::vector<std::int8_t> levels = random_levels(base, 4, seed);
        const std::vector<std::int8_t> asked = levels;
        balance(base, levels);
        for (int z = 0; z < base.z; ++z)
            for (int y = 0; y < base.y; ++y)
                for (int x = 0; x < base.x; ++x) {
                    const auto at = [&](int i, int j, int k) { return levels[std::size_t(i + base.x * (j + base.y * k))]; };
                    const std::size_t here = std::size_t(x + base.x * (y + base.y * z));
                    EXPECT_GE(levels[here], asked[here]);
                    EXPECT_EQ(levels[here] == Blocks::none, asked[here] == Blocks::none);
                    if (levels[here] == Blocks::none) continue;
                    int finest = 0;
                    for (int k = std::max(z - 1, 0); k <= std::min(z + 1, base.z - 1); ++k)
                        for (int j = std::max(y - 1, 0); j <= std::min(y + 1, base.y - 1); ++j)
                            for (int i = std::max(x - 1, 0); i <= std::min(x + 1, base.x - 1); ++i) finest = std::max(finest, int(at(i, j, k)));
                    EXPECT_LE(finest - levels[here], 1);
                    EXPECT_TRUE(levels[here] == asked[here] || levels[here] == finest - 1 || levels[here] == finest) << "raised for nothing";
                }
    }
}

TEST(blocks, every_cell_of_every_block_has_its_own_place_and_finest_cells_find_it) {
    const Vec3i base(3, 4, 2);
    std::vector<std::int8_t> levels(24, 0);
    levels[0] = 3, levels[7] = Blocks::none;
    balance(base, levels);
    const Blocks blocks(base, 3, levels);
    BlockField<int> number(blocks);
    int count = 0;
    for (const int block : blocks.all()) {
        const int k = blocks.level(block), n = Blocks::side(k);
        for (int c = 0; c < n * n * n; ++c) number.block(blocks, block)[Blocks::offset(k, c % n, c / n % n, c / n / n)] = ++count;
    }
    EXPECT_EQ(std::size_t(count), blocks.cell_count());
    std::vector<int> volume(std::size_t(count) + 1, 0);
    for (int z = 0; z < 8 * base.z; ++z)
        for (int y = 0; y < 8 * base.y; ++y)
            for (int x = 0; x < 8 * base.x; ++x)
                if (blocks.level(blocks.index({x / 8, y / 8, z / 8})) != Blocks::none) ++volume[std::size_t(number.at(blocks, {x, y, z}))];
    int cell = 0;
    for (const int block : blocks.all())
        for (std::size_t c = 0; c < std::size_t(1) << (3 * blocks.level(block)); ++c) {
            const int size = blocks.size(blocks.level(block));
            ASSERT_EQ(volume[std::size_t(++cell)], size * size * size);
        }
}

TEST(blocks, the_structure_is_small_beside_one_field_on_it) {
    const Vec3i base(16, 16, 8);
    std::vector<std::int8_t> levels(16 * 16 * 8, 0);
    for (int i = 0; i < 16 * 16; ++i) levels[std::size_t(i + 16 * 16 * 4)] = 4;   // a surface
    balance(base, levels);
    const Blocks blocks(base, 4, levels);
    EXPECT_LT(double(blocks.bytes()), 0.05 * double(BlockField<float>(blocks).bytes()));
    EXPECT_LT(blocks.cell_count(), std::size_t(16 * 16 * 8) * 4096 / 4);
}

TEST(blocks, clipped_blocks_keep_what_is_coarse_already) {
    std::vector<std::int8_t> levels{4, 3, 2, 1, 0};
    const Blocks blocks({5, 1, 1}, 4, levels), clipped = blocks.clipped(2);
    const int expected[] = {2, 2, 2, 1, 0};
    for (int b = 0; b < 5; ++b) EXPECT_EQ(clipped.level(b), expected[b]);
    EXPECT_EQ(clipped.size(2), 4);
}

}  // namespace
}  // namespace phlo::field
