#include "base/curve.h"

#include <gtest/gtest.h>

#include "base/random.h"

namespace phlo {
namespace {

const Curve<double> steps({{0, 0}, {1, 1}, {1.5, 1}, {3, -2}, {7, 5}}, Interpolation::smooth);

TEST(Curve, a_number_is_a_constant_curve) {
    const Curve<double> curve = 3.0;
    EXPECT_TRUE(curve.is_constant());
    EXPECT_EQ(curve(-5), 3.0);
    EXPECT_EQ(curve(5), 3.0);
    EXPECT_EQ(curve.derivative(0), 0.0);
}

TEST(Curve, holds_its_first_and_last_value) {
    for (const Interpolation kind : {Interpolation::linear, Interpolation::smooth}) {
        const Curve<double> curve({{1, 10}, {2, 20}}, kind);
        EXPECT_EQ(curve(0), 10);
        EXPECT_EQ(curve(3), 20);
        EXPECT_EQ(curve.derivative(0.5), 0);
        EXPECT_EQ(curve.derivative(2.5), 0);
    }
}

TEST(Curve, passes_through_every_key) {
    for (const auto& key : steps.keys()) EXPECT_DOUBLE_EQ(steps(key.time), key.value);
}

TEST(Curve, linear_is_straight_between_keys) {
    const Curve<Vec3d> curve({{0, {0, 0, 0}}, {4, {4, 8, -4}}});
    EXPECT_EQ(curve(1), Vec3d(1, 2, -1));
    EXPECT_EQ(curve.derivative(1), Vec3d(1, 2, -1));
}

TEST(Curve, smooth_never_leaves_the_span_of_two_keys) {
    std::vector<Curve<double>::Key> keys;
    double time = 0;
    for (std::uint32_t i = 0; i < 60; ++i) {
        const auto random = uniform4({.seed = 7}, i);
        keys.push_back({time += 0.01 + random[0], random[1]});
    }
    const Curve<double> curve(keys, Interpolation::smooth);
    for (std::size_t i = 0; i + 1 < keys.size(); ++i) {
        const auto [low, high] = std::minmax(keys[i].value, keys[i + 1].value);
        double last = keys[i].value;
        for (int s = 1; s <= 50; ++s) {
            const double value = curve(keys[i].time + (keys[i + 1].time - keys[i].time) * s / 50);
            EXPECT_GE(value, low - 1e-12);
            EXPECT_LE(value, high + 1e-12);
            EXPECT_GE((value - last) * (keys[i + 1].value - keys[i].value), -1e-12) << "not monotone";
            last = value;
        }
    }
}

TEST(Curve, smooth_has_no_corners) {
    for (double t = -0.5; t < 7.5; t += 0.0625) EXPECT_NEAR(steps.derivative(t - 1e-7), steps.derivative(t + 1e-7), 1e-4) << "at " << t;
}

TEST(Curve, derivative_is_the_limit_of_differences) {
    for (const Interpolation kind : {Interpolation::linear, Interpolation::smooth}) {
        const Curve<double> curve(steps.keys(), kind);
        for (double t = 0.037; t < 7; t += 0.11)
            EXPECT_NEAR(curve.derivative(t), (curve(t + 1e-6) - curve(t - 1e-6)) / 2e-6, 1e-6) << "at " << t;
    }
}

TEST(Curve, equal_values_at_all_keys_are_constant) {
    EXPECT_TRUE(Curve<double>({{0, 2}, {1, 2}}).is_constant());
    EXPECT_FALSE(Curve<double>({{0, 2}, {1, 3}}).is_constant());
}

}  // namespace
}  // namespace phlo
