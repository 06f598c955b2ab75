#include "optics/phase.h"

#include <gtest/gtest.h>

#include <numbers>

using namespace phlo::optics;

TEST(phase, scatters_everything_somewhere_and_g_is_the_mean_cosine) {
    for (const float g : {-0.5f, 0.f, 0.35f, 0.8f}) {
        double sum = 0, mean = 0;
        constexpr int n = 20000;
        for (int i = 0; i < n; ++i) {
            const double cosine = -1 + 2 * (i + 0.5) / n;
            const double p = double(phase(float(cosine), g)) * 4 * std::numbers::pi / n;
            sum += p, mean += p * cosine;
        }
        EXPECT_NEAR(sum, 1, 1e-4);
        EXPECT_NEAR(mean, g, 1e-4);
    }
}

TEST(phase, samples_follow_the_function) {
    for (const float g : {-0.6f, 0.f, 5e-4f, 0.35f, 0.9f}) {
        // The share of samples below a cosine is the integral of the function up to there.
        constexpr int n = 20000;
        for (const double limit : {-0.8, -0.2, 0.3, 0.9}) {
            int below = 0;
            double integral = 0;
            for (int i = 0; i < n; ++i) {
                below += double(sample_phase(g, (float(i) + 0.5f) / n)) < limit;
                integral += 2 * std::numbers::pi * double(phase(float(-1 + (limit + 1) * (i + 0.5) / n), g)) * (limit + 1) / n;
            }
            EXPECT_NEAR(double(below) / n, integral, 2e-3) << g << " " << limit;
        }
    }
}
