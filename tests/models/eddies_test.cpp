#include "models/gridless_fire/eddies.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace phlo::models {
namespace {

TEST(Eddies, are_free_of_divergence) {
    const Eddies eddies({.seed = 3, .size = 0.3});
    const double h = 1e-4;
    double largest = 0;
    for (int i = 0; i < 50; ++i) {
        const Vec3d p(0.07 * i, -0.031 * i, 0.11 * i);
        double divergence = 0;
        for (int a = 0; a < 3; ++a) {
            Vec3d step;
            step[a] = h;
            divergence += (eddies.at(p + step, 1)[a] - eddies.at(p - step, 1)[a]) / (2 * h);
        }
        largest = std::max(largest, std::fabs(divergence));
    }
    EXPECT_LT(largest, 1e-4) << "gradients are of order 2 pi / 0.3";
}

TEST(Eddies, have_the_speed_asked_for_and_the_same_far_away) {
    const Eddies eddies({.seed = 5, .size = 0.25});
    std::vector<float> x, y, z;
    for (int i = 0; i < 20000; ++i) x.push_back(float(0.013 * i)), y.push_back(float(-0.007 * (i % 97))), z.push_back(float(0.031 * (i % 41)));
    for (const Vec3d origin : {Vec3d(), Vec3d(8000, -3000, 12)}) {
        std::vector<float> u[3];
        for (auto& column : u) column.assign(x.size(), 0.5f);
        eddies.add(origin, {x, y, z}, 0.4, {u[0], u[1], u[2]});
        double squares = 0, worst = 0;
        for (std::size_t i = 0; i < x.size(); ++i) {
            const Vec3d expected = eddies.at(origin + Vec3d(double(x[i]), double(y[i]), double(z[i])), 0.4);
            for (int a = 0; a < 3; ++a) {
                const double value = double(u[a][i]) - 0.5;
                squares += value * value / 3;
                worst = std::max(worst, std::fabs(value - expected[a]));
            }
        }
        EXPECT_NEAR(std::sqrt(squares / double(x.size())), 0.4, 0.08);
        EXPECT_LT(worst, 4e-3) << "a thousandth of each of twelve waves";
    }
}

}  // namespace
}  // namespace phlo::models
