#include "base/parallel.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cmath>
#include <stdexcept>
#include <thread>

#include "base/parallel_items.h"
#include "base/random.h"
#include "threads.h"

namespace phlo {
namespace {

double rough_sum(int count) {  // terms of both signs over twelve decades: any change of order changes the last bits
    return parallel_sum(count, [](int i) {
        const auto u = uniform4({.seed = 5}, std::uint32_t(i));
        return (double(u[0]) - 0.5) * std::pow(10.0, 12.0 * double(u[1]) - 6);
    });
}

TEST(parallel, parts_are_added_in_their_order_whoever_finishes_first) {
    for (const int threads : {1, 2, 5}) {
        const ThreadLimit limit(threads);
        std::vector<int> order;
        sum_in_order(
            40,
            [](int n) {
                volatile double slow = 1;
                for (int i = 0; i < (40 - n) * 20000; ++i) slow = slow * 1.0000001;  // the first takes longest
                return n;
            },
            [&](int n) { order.push_back(n); });
        ASSERT_EQ(order.size(), 40u);
        for (int n = 0; n < 40; ++n) EXPECT_EQ(order[std::size_t(n)], n);
    }
}

TEST(parallel, each_item_is_visited_once) {
    std::vector<std::atomic<int>> visits(1000);
    parallel_items(1000, [&](int n) { ++visits[std::size_t(n)]; });
    for (const auto& v : visits) EXPECT_EQ(v, 1);
}

TEST(parallel, as_many_threads_take_part_as_a_test_asks_for) {
    for (const int threads : {1, 2, 7, 16}) {
        std::atomic<int> arrived = 0;
        const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(20);
        test::with_threads(threads, [&] {
            parallel_items(threads, [&](int) {   // each waits for all others: one thread cannot do two
                for (++arrived; arrived < threads && std::chrono::steady_clock::now() < deadline;) std::this_thread::yield();
                EXPECT_EQ(arrived, threads);
            });
        });
    }
}

TEST(parallel, sum_has_the_same_bits_for_any_thread_count) {
    const double one = test::with_threads(1, [] { return rough_sum(20000); });
    for (const int threads : {2, 7, 16})
        for (int repeat = 0; repeat < 5; ++repeat) EXPECT_EQ(test::with_threads(threads, [] { return rough_sum(20000); }), one) << threads << " threads";
}

TEST(parallel, sum_adds_in_the_order_of_the_items) {
    const double values[] = {1e16, 1, -1e16, 1};  // ((1e16 + 1) - 1e16) + 1 = 1 in double; any other order gives 0 or 2
    EXPECT_EQ(parallel_sum(4, [&](int i) { return values[i]; }), 1.0);
}

TEST(parallel, for_visits_every_item_once) {
    std::vector<std::atomic<int>> visits(1000);
    parallel_for(1000, [&](int i) { ++visits[std::size_t(i)]; });
    for (const auto& count : visits) EXPECT_EQ(count, 1);
    parallel_for(0, [&](int) { FAIL() << "an empty loop has no items"; });
}

TEST(parallel, max_starts_from_the_given_value) {
    EXPECT_EQ(parallel_max(3, 10.0, [](int i) { return double(i); }), 10.0);
    EXPECT_EQ(parallel_max(3, -10.0, [](int i) { return double(i); }), 2.0);
}

TEST(parallel, an_exception_in_an_item_reaches_the_caller) {
    EXPECT_THROW(parallel_for(100,
                              [](int i) {
                                  if (i == 57) throw std::runtime_error("item 57");
                              }),
                 std::runtime_error);
}

TEST(parallel, thread_limit_holds_while_it_lives) {
    const int before = thread_count();
    {
        const ThreadLimit limit(1);
        EXPECT_EQ(thread_count(), 1);
    }
    EXPECT_EQ(thread_count(), before);
}

}  // namespace
}  // namespace phlo
