#include "particles/order.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "base/parallel.h"
#include "base/random.h"

namespace phlo::particles {
namespace {

TEST(order, it_is_that_of_a_stable_sort_without_those_that_are_left_out) {
    for (const int keys : {1, 50, 5000}) {
        std::vector<int> key(200'000), expected(key.size());
        for (std::size_t i = 0; i < key.size(); ++i) key[i] = std::min(keys - 1, int(uniform4({.seed = 5}, std::uint32_t(i))[0] * float(keys + 1)) - 1);
        std::iota(expected.begin(), expected.end(), 0);
        std::erase_if(expected, [&](int i) { return key[std::size_t(i)] == left_out; });
        std::ranges::stable_sort(expected, {}, [&](int i) { return key[std::size_t(i)]; });
        ASSERT_LT(expected.size(), key.size());
        EXPECT_EQ(order_by(key, keys), expected);
        const ThreadLimit one(1);
        EXPECT_EQ(order_by(key, keys), expected);
    }
    EXPECT_TRUE(order_by({}, 10).empty());
}

}  // namespace
}  // namespace phlo::particles
