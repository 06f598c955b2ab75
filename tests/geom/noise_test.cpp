#include "geom/noise.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <vector>

namespace phlo::geom {
namespace {

TEST(noise, row_and_point_agree) {
    const Noise noise{.seed = 3, .octaves = 4};
    std::vector<float> row(37);
    noise.row(-3.3f, 0.173f, 0.4f, 5.7f, 1.1f, row);
    for (std::size_t i = 0; i < row.size(); ++i) EXPECT_NEAR(row[i], noise(-3.3f + float(i) * 0.173f, 0.4f, 5.7f, 1.1f), 1e-4f);
}

TEST(noise, is_about_one_in_size_with_mean_zero) {
    for (int octaves : {1, 3, 6}) {
        const Noise noise{.seed = 9, .octaves = octaves};
        std::vector<float> row(64);
        double sum = 0, squares = 0, most = 0;
        long count = 0;
        for (int j = 0; j < 64; ++j)
            for (int k = 0; k < 64; ++k) {
                noise.row(0.05f, 0.37f, 0.41f * float(j), 0.29f * float(k), 0.13f * float(j + k), row);
                for (float v : row) sum += double(v), squares += double(v * v), most = std::max(most, double(std::fabs(v))), ++count;
            }
        EXPECT_NEAR(sum / double(count), 0, 0.01) << octaves;
        EXPECT_GT(std::sqrt(squares / double(count)), 0.25) << octaves;
        EXPECT_LT(std::sqrt(squares / double(count)), 0.45) << octaves;
        EXPECT_GT(most, 0.9) << octaves;
        EXPECT_LT(most, 2) << octaves;
    }
}

TEST(noise, has_no_jump_and_no_kink_across_the_lattice) {
    const Noise noise{.seed = 1, .octaves = 1};
    const float e = 1e-3f;
    for (int axis = 0; axis < 4; ++axis)
        for (float at : {-2.f, 0.f, 1.f, 5.f}) {
            const auto value = [&](float offset) {
                std::array<float, 4> p = {0.37f, 1.61f, -0.83f, 2.29f};
                p[std::size_t(axis)] = at + offset;
                return noise(p[0], p[1], p[2], p[3]);
            };
            const float before = (value(-e) - value(-3 * e)) / (2 * e), after = (value(3 * e) - value(e)) / (2 * e);
            EXPECT_NEAR(value(-e), value(e), 10 * e);
            EXPECT_NEAR(before, after, 0.05f);
        }
}

TEST(noise, seeds_and_moments_differ) {
    std::vector<float> a(256), b(256), c(256), again(256);
    Noise{.seed = 1, .octaves = 2}.row(0, 0.3f, 0.5f, 0.5f, 0.5f, a);
    Noise{.seed = 1, .octaves = 2}.row(0, 0.3f, 0.5f, 0.5f, 0.5f, again);
    Noise{.seed = 2, .octaves = 2}.row(0, 0.3f, 0.5f, 0.5f, 0.5f, b);
    Noise{.seed = 1, .octaves = 2}.row(0, 0.3f, 0.5f, 0.5f, 7.5f, c);
    EXPECT_EQ(a, again);
    const auto correlation = [](const std::vector<float>& x, const std::vector<float>& y) {
        double xy = 0, xx = 0, yy = 0;
        for (std::size_t i = 0; i < x.size(); ++i) xy += double(x[i] * y[i]), xx += double(x[i] * x[i]), yy += double(y[i] * y[i]);
        return xy / std::sqrt(xx * yy);
    };
    EXPECT_LT(std::fabs(correlation(a, b)), 0.3);
    EXPECT_LT(std::fabs(correlation(a, c)), 0.3);
}

}  // namespace
}  // namespace phlo::geom
