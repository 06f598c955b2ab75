#include "models/vortex_fire/vorton_dynamics.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <numbers>

#include "base/parallel.h"
#include "base/random.h"

namespace phlo::models {
namespace {

struct Cloud {
    std::vector<Vec3f> position, strength;
    std::vector<float> volume, temperature;
    VortonColumns columns() { return {.position = position, .strength = strength, .volume = volume, .temperature = temperature}; }
};

Cloud scattered(int count) {
    Cloud cloud;
    for (std::uint32_t i = 0; i < std::uint32_t(count); ++i) {
        const auto u = uniform4({.seed = 4}, i), v = uniform4({.seed = 4}, i, 1);
        cloud.position.push_back({u[0], u[1] - 5, 2 * u[2]});
        cloud.strength.push_back({v[0] - 0.5f, v[1] - 0.5f, v[2] - 0.5f});
        cloud.volume.push_back(0.5f + u[3]), cloud.temperature.push_back(300 + 500 * v[3]);
    }
    return cloud;
}

TEST(vorton_dynamics, neighbours_do_what_the_formula_says) {
    Cloud cloud = scattered(900);
    const VortonDynamicsParams params{.reach = 0.3, .viscosity = 0.2, .lift = 0.03, .ambient_temperature = 300};
    std::vector<Vec3f> rates(900, Vec3f(1, 2, 3));
    add_neighbour_rates(params, cloud.columns(), rates);
    const double R = 0.3, norm = 315 / (64 * std::numbers::pi * R * R * R), per_epsilon2 = 11 / (R * R);
    for (std::size_t p = 0; p < 900; p += 13) {
        Vec3d exchange, slope;
        for (std::size_t q = 0; q < 900; ++q) {
            const Vec3d r = Vec3d(cloud.position[p]) - Vec3d(cloud.position[q]);
            const double w = 1 - dot(r, r) / (R * R);
            if (w <= 0) continue;
            exchange += (Vec3d(cloud.strength[q]) * double(cloud.volume[p]) - Vec3d(cloud.strength[p]) * double(cloud.volume[q])) * (norm * w * w * w);
            slope += r * (-6 / (R * R) * norm * w * w * double(cloud.volume[q]) * 0.03 * (double(cloud.temperature[q]) - 300));
        }
        const Vec3d expected = Vec3d(1, 2, 3) + exchange * (2 * 0.2 * per_epsilon2) + Vec3d(slope.y, -slope.x, 0) * double(cloud.volume[p]);
        EXPECT_LT(length(Vec3d(rates[p]) - expected), 2e-5 * length(expected) + 1e-3) << p;
    }
}

TEST(vorton_dynamics, balance_leaves_no_sum) {
    Cloud cloud = scattered(5000);
    std::vector<Vec3f> change(5000);
    for (std::size_t i = 0; i < change.size(); ++i) change[i] = cloud.strength[i] + Vec3f(0.1f, -0.2f, 0.3f);
    const Vec3f before = change[7];
    balance(cloud.strength, change);
    Vec3d sum;
    for (const Vec3f& c : change) sum += Vec3d(c);
    EXPECT_LT(length(sum), 1e-3) << "of 1800";
    EXPECT_LT(length(change[7] - before), 2 * length(cloud.strength[7])) << "by its share";
    std::vector<Vec3f> none(3), still(3, Vec3f(1));
    balance(none, still);
    EXPECT_EQ(still[0], Vec3f(1)) << "nobody to take it from";
}

TEST(vorton_dynamics, the_number_of_threads_changes_no_bit) {
    const auto after = [](int threads) {
        const ThreadLimit limit(threads);
        Cloud cloud = scattered(9000);
        VortonDynamics dynamics({.core_radius = 0.05, .reach = 0.12, .viscosity = 1e-3, .lift = 0.03, .relaxation_rate = 1});
        dynamics.advance(cloud.columns(), 1e-3);
        return cloud;
    };
    const Cloud one = after(1), all = after(0);
    EXPECT_EQ(std::memcmp(one.position.data(), all.position.data(), 9000 * sizeof(Vec3f)), 0);
    EXPECT_EQ(std::memcmp(one.strength.data(), all.strength.data(), 9000 * sizeof(Vec3f)), 0);
    EXPECT_NE(one.strength[5], scattered(6).strength[5]) << "something happened";
}

TEST(vorton_dynamics, a_step_is_of_third_order) {
    // two vortons turn around each other; where they are after a time, by steps of one, a half and a quarter
    const auto after = [](int steps) {
        std::vector<Vec3f> position = {{0.5f, 0, 0}, {-0.5f, 0, 0}}, strength = {{0, 0, 6}, {0, 0, 6}};
        VortonDynamics dynamics({.core_radius = 0.2});
        for (int n = 0; n < steps; ++n) dynamics.advance({.position = position, .strength = strength, .volume = {}, .temperature = {}}, 2.0 / steps);
        return Vec3d(position[0]);
    };
    const Vec3d exact = after(256);
    const double coarse = length(after(4) - exact), middle = length(after(8) - exact), fine = length(after(16) - exact);
    EXPECT_NEAR(std::log2(coarse / middle), 3, 0.5) << coarse << " " << middle;
    EXPECT_NEAR(std::log2(middle / fine), 3, 0.5) << middle << " " << fine;
}

}  // namespace
}  // namespace phlo::models
