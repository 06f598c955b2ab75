#include "base/simd_rank.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <random>
#include <vector>

namespace phlo::simd {
namespace {

/// Rows of `2 half` numbers, of which some may be equal, infinite or smaller than all others.
template <int half>
void expect_the_middle_of_sorted_rows() {
    constexpr std::size_t stride = 2 * half + 8;
    std::mt19937 random(half);
    for (int turn = 0; turn < 200; ++turn) {
        std::vector<float> rows(std::size_t(width) * stride, -5.0f);
        std::uniform_int_distribution<int> value(0, turn % 2 ? 9 : 1000000), padded(0, half);
        for (std::size_t r = 0; r < std::size_t(width); ++r) {
            float* row = &rows[r * stride];
            for (int c = 0; c < 2 * half; ++c) row[c] = float(value(random));
            std::fill(row, row + padded(random) / 2, -1.0f);
            std::fill(row + 2 * half - padded(random) / 2, row + 2 * half, std::numeric_limits<float>::infinity());
        }
        alignas(64) float found[width];
        store(found, middle_of_rows<half>(rows.data(), stride));
        for (std::size_t r = 0; r < std::size_t(width); ++r) {
            std::vector<float> row(&rows[r * stride], &rows[r * stride] + 2 * half);
            std::sort(row.begin(), row.end());
            ASSERT_EQ(found[r], row[half - 1]) << "row " << r << " of turn " << turn;
        }
    }
}

TEST(simd_rank, the_middle_of_a_row_is_what_sorting_gives) {
    expect_the_middle_of_sorted_rows<16>();
    expect_the_middle_of_sorted_rows<32>();
    expect_the_middle_of_sorted_rows<64>();
}

}  // namespace
}  // namespace phlo::simd
