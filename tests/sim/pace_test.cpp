#include "sim/pace.h"

#include <gtest/gtest.h>

namespace phlo::sim {
namespace {

TEST(Pace, a_step_is_as_long_as_really_passed) {
    Pace pace({.frame = 1 / 24.0});
    EXPECT_EQ(pace.step(100), 1 / 24.0) << "nothing has passed before the first one";
    EXPECT_NEAR(pace.step(100.02), 0.02, 1e-12);
    EXPECT_NEAR(pace.step(100.07), 0.05, 1e-12);
    EXPECT_NEAR(pace.speed(), 1, 1e-12);
}

TEST(Pace, long_steps_are_cut_and_the_speed_tells_it) {
    Pace pace({.longest = 0.1});
    double now = 0;
    pace.step(now);
    for (int n = 0; n < 20; ++n) EXPECT_NEAR(pace.step(now += 0.25), 0.1, 1e-12);
    EXPECT_NEAR(pace.speed(), 0.4, 0.01);
    for (int n = 0; n < 200; ++n) pace.step(now += 0.05);
    EXPECT_NEAR(pace.speed(), 1, 0.01) << "what was long ago is forgotten";
}

TEST(Pace, short_steps_wait_until_they_are_due) {
    Pace pace({.shortest = 0.01});
    EXPECT_EQ(pace.wait(5), 0);
    pace.step(5);
    EXPECT_NEAR(pace.wait(5.004), 0.006, 1e-12);
    EXPECT_EQ(pace.wait(5.02), 0);
}

TEST(Pace, a_fixed_one_asks_no_clock) {
    Pace pace({.frame = 0.04, .fixed = true});
    for (const double now : {0.0, 0.001, 7.0}) EXPECT_EQ(pace.step(now), 0.04);
    EXPECT_EQ(pace.wait(7.001), 0);
}

}  // namespace
}  // namespace phlo::sim
