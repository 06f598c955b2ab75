#include "base/stage.h"

#include <gtest/gtest.h>

#include <thread>

namespace phlo {
namespace {

TEST(stage, times_keep_the_order_of_first_use_and_add_up) {
    StageTimes times;
    times.add("velocity", 1);
    times.add("pressure", 2);
    times.add("velocity", 4);
    ASSERT_EQ(times.entries().size(), 2u);
    EXPECT_EQ(times.entries()[0].first, "velocity");
    EXPECT_EQ(times.seconds("velocity"), 5);
    EXPECT_EQ(times.seconds("never ran"), 0);
    EXPECT_EQ(times.total(), 7);

    StageTimes other;
    other.add("output", 8);
    other.add("pressure", 16);
    times.add(other);
    EXPECT_EQ(times.seconds("pressure"), 18);
    EXPECT_EQ(times.entries().back().first, "output");
}

TEST(stage, a_scope_is_timed_even_when_it_throws) {
    StageTimes times;
    try {
        const Stage stage(times, "failing");
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
        throw 1;
    } catch (int) {
    }
    EXPECT_GE(times.seconds("failing"), 0.02);
    EXPECT_LT(times.seconds("failing"), 5);
}

}  // namespace
}  // namespace phlo
