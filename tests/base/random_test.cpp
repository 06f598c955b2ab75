#include "base/random.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

namespace phlo {
namespace {

using Counter = std::array<std::uint32_t, 4>;

// Known answers of the authors' own library (Random123, kat_vectors, philox4x32-10).
TEST(random, philox_gives_the_published_answers) {
    EXPECT_EQ(philox({0, 0, 0, 0}, {0, 0}), (Counter{0x6627e8d5u, 0xe169c58du, 0xbc57ac4cu, 0x9b00dbd8u}));
    EXPECT_EQ(philox({0xffffffffu, 0xffffffffu, 0xffffffffu, 0xffffffffu}, {0xffffffffu, 0xffffffffu}),
              (Counter{0x408f276du, 0x41c83b0eu, 0xa20bc7c6u, 0x6d5451fdu}));
    EXPECT_EQ(philox({0x243f6a88u, 0x85a308d3u, 0x13198a2eu, 0x03707344u}, {0xa4093822u, 0x299f31d0u}),
              (Counter{0xd16cfe09u, 0x94fdccebu, 0x5001e420u, 0x24126ea1u}));
}

TEST(random, uniform_numbers_have_the_moments_of_a_uniform_law) {
    constexpr int items = 250000;  // a million numbers: the mean's standard error is 2.9e-4
    double sum = 0, squares = 0, lag = 0, before = 0.5;
    float least = 1, most = 0;
    for (std::uint32_t id = 0; id < items; ++id) {
        for (const float u : uniform4({.seed = 7, .step = 3, .stream = 1}, id)) {
            sum += double(u), squares += double(u) * double(u), lag += (double(u) - 0.5) * (before - 0.5), before = double(u);
            least = std::min(least, u), most = std::max(most, u);
        }
    }
    constexpr double n = 4.0 * items;
    EXPECT_NEAR(sum / n, 0.5, 5 * 2.9e-4);
    EXPECT_NEAR(squares / n, 1.0 / 3, 5 * 3.0e-4);
    EXPECT_NEAR(lag / n, 0, 5.0 / 12 / std::sqrt(n));  // neighbours are uncorrelated
    EXPECT_GE(least, 0.0f);
    EXPECT_LT(most, 1.0f);
    EXPECT_LT(least, 1e-4f);
    EXPECT_GT(most, 1 - 1e-4f);
}

TEST(random, each_part_of_the_key_changes_the_numbers) {
    const std::set<std::array<float, 4>> all{uniform4({.seed = 1}, 0),
                                             uniform4({.seed = 2}, 0),
                                             uniform4({.seed = std::uint64_t(1) << 32}, 0),
                                             uniform4({.seed = 1, .step = 1}, 0),
                                             uniform4({.seed = 1, .stream = 1}, 0),
                                             uniform4({.seed = 1}, 1),
                                             uniform4({.seed = 1}, 0, 1)};
    EXPECT_EQ(all.size(), 7u);
}

}  // namespace
}  // namespace phlo
