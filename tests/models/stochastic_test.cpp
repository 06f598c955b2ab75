// The laws of the stochastic steps by themselves: frozen means, no neighbours.
#include "models/gridless_fire/stochastic.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "models/gridless_fire/composition.h"

namespace phlo::models {
namespace {

constexpr double omega = 5, k = 0.3;

/// Many particles with frozen k and omega around a mean of zero.
struct Cloud {
    std::vector<std::uint32_t> id;
    std::vector<float> u[3], normal[3], zero, energy, frequency;
    std::uint32_t steps = 0;

    explicit Cloud(std::size_t count) : id(count), zero(count, 0.0f), energy(count, float(k)), frequency(count, float(omega)) {
        std::iota(id.begin(), id.end(), 0u);
        for (auto& column : normal) column.resize(count);
        for (auto& column : u) column.resize(count);
        draw_normals({.seed = 11, .step = 999999}, id, {u[0], u[1], u[2]});
        for (auto& column : u)
            for (float& value : column) value *= float(std::sqrt(2 * k / 3));   // the stationary law
    }
    void step(double dt) {
        draw_normals({.seed = 11, .step = steps++}, id, {normal[0], normal[1], normal[2]});
        step_velocity(dt, {.mean = {zero, zero, zero}, .k = energy, .omega = frequency, .normal = {normal[0], normal[1], normal[2]}}, {u[0], u[1], u[2]});
    }
    double measured_k() const {
        double sum = 0;
        for (const auto& column : u)
            for (const float value : column) sum += double(value) * double(value);
        return 0.5 * sum / double(id.size());
    }
};

TEST(Langevin, velocities_forget_as_exp_of_minus_1_575_omega_tau) {
    constexpr std::size_t count = 40000;
    Cloud cloud(count);
    const std::vector<float> start[3] = {cloud.u[0], cloud.u[1], cloud.u[2]};
    constexpr double dt = 0.01;
    for (int n = 1; n <= 30; ++n) {
        cloud.step(dt);
        double product = 0;
        for (int a = 0; a < 3; ++a)
            for (std::size_t i = 0; i < count; ++i) product += double(start[a][i]) * double(cloud.u[a][i]);
        const double correlation = product / (2 * k * double(count)), expected = std::exp(-1.575 * omega * n * dt);
        const double sigma = std::sqrt((1 + expected * expected) / (3 * double(count)));
        EXPECT_NEAR(correlation, expected, 4 * sigma) << "after " << n * dt << " s";
    }
}

TEST(Langevin, kinetic_energy_stays_flat) {
    constexpr std::size_t count = 30000;
    Cloud cloud(count);
    const double sigma = k * std::sqrt(2.0 / (3 * double(count)));
    int outside = 0;
    for (int n = 0; n < 60; ++n) {
        cloud.step(1.0 / 60);
        outside += std::fabs(cloud.measured_k() - k) > 3 * sigma;
    }
    EXPECT_LE(outside, 3);
}

TEST(Langevin, a_step_and_its_halves_and_quarters_have_one_law) {
    // Variance and correlation over 0.2 s for dt = 0.2, 0.1, 0.05: the same numbers up to chance, whatever the step.
    constexpr std::size_t count = 60000;
    for (const int parts : {1, 2, 4}) {
        Cloud cloud(count);
        const std::vector<float> start = cloud.u[0];
        for (int n = 0; n < parts; ++n) cloud.step(0.2 / parts);
        double product = 0;
        for (std::size_t i = 0; i < count; ++i) product += double(start[i]) * double(cloud.u[0][i]);
        EXPECT_NEAR(product / double(count) / (2 * k / 3), std::exp(-1.575 * omega * 0.2), 0.016) << parts;
        EXPECT_NEAR(cloud.measured_k() / k, 1, 4 * std::sqrt(2.0 / (3 * double(count)))) << parts;
    }
}

/// The regularised lower gamma function for shape 4: a sum that ends.
double gamma4(double x) { return 1 - std::exp(-x) * (1 + x + x * x / 2 + x * x * x / 6); }

double kolmogorov_smirnov(std::vector<float> values, double mean) {
    std::sort(values.begin(), values.end());
    double distance = 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
        const double law = gamma4(4 * double(values[i]) / mean), n = double(values.size());
        distance = std::max({distance, law - double(i) / n, double(i + 1) / n - law});
    }
    return distance;
}

TEST(TurbulentFrequency, becomes_gamma_distributed_with_shape_4) {
    constexpr std::size_t count = 20000;
    for (const double dt : {0.5, 0.25, 0.125, 1.0 / 60}) {
        std::vector<std::uint32_t> id(count);
        std::iota(id.begin(), id.end(), 0u);
        std::vector<float> values(count, 0.01f), mean(count, float(omega));
        const int steps = int(std::ceil(3.0 / dt));
        for (int n = 0; n < steps; ++n) step_frequency(dt, {.seed = 3, .step = std::uint32_t(n)}, id, mean, values);
        EXPECT_LT(kolmogorov_smirnov(values, omega), 1.95 / std::sqrt(double(count))) << "dt = " << dt;   // one chance in a thousand
        EXPECT_GT(*std::min_element(values.begin(), values.end()), 0);
    }
}

TEST(TurbulentFrequency, one_long_step_has_the_mean_and_variance_of_the_square_root_process) {
    // For omega = w0: mean <w> + (w0 - <w>) e, variance sigma^2 <w> ((2 w0 - <w>) e (1 - e) ... ): Cox, Ingersoll and Ross 1985, eq. 19.
    constexpr std::size_t count = 200000;
    constexpr double w0 = 12, dt = 0.1;
    std::vector<std::uint32_t> id(count);
    std::iota(id.begin(), id.end(), 0u);
    std::vector<float> values(count, float(w0)), mean(count, float(omega));
    step_frequency(dt, {.seed = 5, .step = 1}, id, mean, values);
    const double e = std::exp(-omega * dt), noise = 2 * 0.25 * omega * omega;
    const double expected_mean = omega + (w0 - omega) * e;
    const double expected_variance = w0 * noise / omega * (e - e * e) + omega * noise / (2 * omega) * (1 - e) * (1 - e);
    double sum = 0, squares = 0;
    for (const float v : values) sum += double(v), squares += double(v) * double(v);
    const double m = sum / count, variance = squares / count - m * m;
    EXPECT_NEAR(m, expected_mean, 4 * std::sqrt(expected_variance / count));
    EXPECT_NEAR(variance / expected_variance, 1, 0.02);
}

TEST(Composition, decays_by_1_005_chi_a_tick_whatever_the_step) {
    constexpr std::size_t count = 50000;
    std::vector<std::uint32_t> id(count);
    std::iota(id.begin(), id.end(), 0u);
    for (const double dt : {1.0 / 30, 1.0 / 60, 1.0 / 120, 1.0 / 240}) {
        std::vector<float> y(count, 1.0f);
        const int steps = int(std::lround(0.5 / dt));
        for (int n = 0; n < steps; ++n) step_composition(dt, {.seed = 7, .step = std::uint32_t(n)}, id, 0.95, y);
        const double mean = std::accumulate(y.begin(), y.end(), 0.0) / count;
        EXPECT_NEAR(mean / std::pow(1.005 * 0.95, 30), 1, 2e-3) << "dt = " << dt;
    }
    std::vector<float> y(count, 0.9f);
    for (int n = 0; n < 200; ++n) step_composition(1.0 / 60, {.seed = 7, .step = std::uint32_t(n)}, id, 0.999, y);
    for (const float value : y) ASSERT_LE(value, 1) << "above 0.995 the composition would grow; it is held at 1";
}

TEST(Composition, has_eta_brushes_to_a_unit_each_brightest_in_its_middle) {
    EXPECT_DOUBLE_EQ(brush_composition(0.5, 0.8), 1);
    EXPECT_DOUBLE_EQ(brush_composition(3.5, 0.8), 1);
    EXPECT_DOUBLE_EQ(brush_composition(0.0, 0.8), std::exp(-0.25 / 0.8));
    double mean = 0;
    for (int i = 0; i < 10000; ++i) mean += brush_composition((i + 0.5) / 10000, 0.3) / 10000;
    EXPECT_NEAR(mean_brush_composition(0.3), mean, 1e-6);
}

TEST(Flicker, has_the_period_of_its_formula) {
    EXPECT_NEAR(flicker_period(0.97, 1, 0.1), 1.45, 0.005);
    EXPECT_NEAR(flicker_period(0.97, 1, 0.1), std::log(mean_brush_composition(1) / 0.1) / (60 * std::fabs(std::log(1.005 * 0.97))), 1e-12);
    EXPECT_TRUE(std::isinf(flicker_period(0.999999, 1, 0.1))) << "a fire that never decays does not flicker";
}

TEST(Flicker, natural_puffs_1_5_times_the_square_root_of_its_width) {
    for (const double width : {0.05, 0.14, 1.0}) {
        const double theta = natural_extinction(width, 0.94, 1);
        EXPECT_NEAR(flicker_period(0.94, 1, theta), std::sqrt(width) / 1.5, 1e-9);
    }
}

}  // namespace
}  // namespace phlo::models
