// Laws of vortex motion by the tree's way: no grid anywhere.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "models/vortex_fire/vorton_dynamics.h"

namespace phlo::models {
namespace {

constexpr double pi = std::numbers::pi;

struct Cloud {
    std::vector<Vec3f> position, strength;
    std::vector<float> volume, temperature;
    VortonColumns columns() { return {.position = position, .strength = strength, .volume = volume, .temperature = temperature}; }
};

struct Ring {
    double circulation = 1, radius = 1;
    double core = 0.1;       ///< δ: the vorticity falls as exp(-ρ²/δ²) from the middle of the core
    double height = 0;
    double spacing = 0.04;   ///< of vortons
};

/// A ring around the z axis. Cores of vortons of radius σ widen the Gaussian by σ² (their variance along an axis is σ²/2, its δ²/2).
void add_ring(const Ring& ring, double sigma, Cloud& cloud) {
    const double h = ring.spacing, width2 = ring.core * ring.core - sigma * sigma;
    const int layers = int(2.6 * std::sqrt(width2) / h);
    double sum = 0;
    for (int pass = 0; pass < 2; ++pass)   // first the sum of all weights, then the vortons
        for (int i = -layers; i <= layers; ++i)
            for (int k = -layers; k <= layers; ++k) {
                const double rho2 = h * h * (i * i + k * k), weight = std::exp(-rho2 / width2), r = ring.radius + h * i;
                if (rho2 > h * h * layers * layers) continue;
                if (pass == 0) sum += weight;
                const int number = int(2 * pi * r / h + 0.5);
                for (int n = 0; n < number && pass == 1; ++n) {
                    const double phi = 2 * pi * (n + 0.5 * ((i + k) & 1)) / number;
                    cloud.position.push_back(Vec3f(Vec3d(r * std::cos(phi), r * std::sin(phi), ring.height + h * k)));
                    cloud.strength.push_back(Vec3f(Vec3d(-std::sin(phi), std::cos(phi), 0) * (ring.circulation * weight / sum * 2 * pi * r / number)));
                    cloud.volume.push_back(float(h * h * 2 * pi * r / number));
                }
            }
}

/// Sums that the flow keeps: Σ Γ, the linear impulse ½ Σ x × Γ and the angular one ⅓ Σ x × (x × Γ), of vortons in [first, last).
struct Sums {
    Vec3d strength, impulse, angular;
    double size = 0, height = 0, radius = 0;   ///< Σ |Γ|; middle and radius of a ring, by its impulse
};
Sums sums_of(const Cloud& cloud, std::size_t first, std::size_t last) {
    Sums s;
    for (std::size_t i = first; i < last; ++i) {
        const Vec3d x(cloud.position[i]), g(cloud.strength[i]), arm = cross(x, g);
        s.strength += g, s.size += length(g), s.impulse += arm * 0.5, s.angular += cross(x, arm) / 3.0, s.height += x.z * 0.5 * arm.z;
    }
    s.height /= s.impulse.z;
    s.radius = 2 * s.impulse.z / s.size;   // Γ π R² by Γ 2 π R
    return s;
}
Sums sums_of(const Cloud& cloud) { return sums_of(cloud, 0, cloud.position.size()); }

TEST(vortex_tree_laws, a_gaussian_ring_moves_at_saffmans_speed_and_keeps_its_sums) {
    // U = Γ/(4πR) (ln(8R/δ) - 0.558) [saffman1992, sec. 10.3], here with R/δ = 10
    const double sigma = 0.05, dt = 0.05, expected = 1 / (4 * pi) * (std::log(8 / 0.1) - 0.558);
    Cloud cloud;
    add_ring({.core = 0.1, .spacing = 0.036}, sigma, cloud);
    VortonDynamics dynamics({.core_radius = sigma});
    const Sums start = sums_of(cloud);
    double height_then = 0;
    for (int step = 0; step < 10; ++step) {   // the core turns once in 4π²δ²/Γ = 0.39 s
        if (step == 2) height_then = sums_of(cloud).height;
        dynamics.advance(cloud.columns(), dt);
    }
    const Sums now = sums_of(cloud);
    EXPECT_NEAR((now.height - height_then) / (8 * dt), expected, 0.01 * expected);
    EXPECT_LT(length(now.strength - start.strength), 1e-6 * start.size);
    EXPECT_LT(length(now.impulse - start.impulse), 1e-3 * length(start.impulse));
    EXPECT_LT(length(now.angular - start.angular), 1e-3 * length(start.impulse)) << "by the ring's radius";
}

TEST(vortex_tree_laws, two_rings_leapfrog_twice) {
    // The ring behind shrinks, speeds up and slips through the one in front, which widens; then they change roles.
    const double sigma = 0.1, dt = 0.08;
    Cloud cloud;
    add_ring({.core = 0.12, .height = 0, .spacing = 0.06}, sigma, cloud);
    const std::size_t first = cloud.position.size();
    add_ring({.core = 0.12, .height = 0.7, .spacing = 0.06}, sigma, cloud);
    VortonDynamics dynamics({.core_radius = sigma, .relaxation_rate = 0.3});
    const Sums start = sums_of(cloud);
    int passes = 0;
    bool behind = true;
    double t = 0;
    for (; t < 16 && passes < 2; t += dt) {
        dynamics.advance(cloud.columns(), dt);
        const Sums a = sums_of(cloud, 0, first), b = sums_of(cloud, first, cloud.position.size());
        if ((a.height < b.height) == behind) continue;
        behind = !behind, ++passes;
        EXPECT_LT(behind ? b.radius : a.radius, 0.9 * (behind ? a.radius : b.radius)) << "the one that overtakes goes through the middle";
    }
    const Sums now = sums_of(cloud);
    EXPECT_EQ(passes, 2) << t << " s";
    // a turnover is R²/Γ = 1 s
    EXPECT_LT(length(now.strength - start.strength), 1e-6 * start.size);
    EXPECT_LT(length(now.impulse - start.impulse), 1e-3 * t * length(start.impulse));
    EXPECT_LT(length(now.angular - start.angular), 1e-3 * t * length(start.impulse)) << "by the rings' radius";
}

/// Vortons on a cubic lattice of spacing 1 out to `half` from the origin, with a Gaussian of deviation `width` as ω_z or as temperature.
Cloud gaussian(double width, int half) {
    Cloud cloud;
    for (int k = -half; k <= half; ++k)
        for (int j = -half; j <= half; ++j)
            for (int i = -half; i <= half; ++i) {
                const double shape = std::exp(-(i * i + j * j + k * k) / (2 * width * width));
                cloud.position.push_back(Vec3f(float(i), float(j), float(k)));
                cloud.strength.push_back({0, 0, float(shape)});
                cloud.volume.push_back(1), cloud.temperature.push_back(float(300 + 100 * shape));
            }
    return cloud;
}

TEST(vortex_tree_laws, diffusion_of_a_gaussian_is_of_second_order) {
    // at the middle dω/dt = ν Δω = -3 ν/s² ω; particles exchange over ε = R/√11, and err by its square
    double errors[3];
    for (int n = 0; n < 3; ++n) {
        const double width = 2.5 * std::pow(1.4, n);
        Cloud cloud = gaussian(width, int(2.2 * width) + 4);   // what the middle sees
        std::vector<Vec3f> rates(cloud.position.size());
        add_neighbour_rates({.reach = 4, .viscosity = 0.7}, cloud.columns(), rates);
        const double expected = -3 * 0.7 / (width * width);
        errors[n] = std::abs(double(rates[rates.size() / 2].z) - expected) / std::abs(expected);
    }
    EXPECT_LT(errors[2], 0.08);
    for (int n = 0; n < 2; ++n) EXPECT_NEAR(std::log(errors[n] / errors[n + 1]) / std::log(1.4), 2, 0.3) << errors[n] << " " << errors[n + 1];
}

TEST(vortex_tree_laws, a_gaussian_spreads_at_the_analytic_rate_and_loses_nothing) {
    // its variance along any axis grows by 2 ν t, whatever ε is
    const double width = 3, viscosity = 0.5, dt = 0.4;
    Cloud cloud = gaussian(width, 13);
    std::vector<Vec3f> rates(cloud.position.size());
    const auto variance = [&] {
        double sum = 0, square = 0;
        for (std::size_t i = 0; i < rates.size(); ++i) sum += double(cloud.strength[i].z), square += double(cloud.strength[i].z) * std::pow(double(cloud.position[i].x), 2);
        return square / sum;
    };
    const Sums start = sums_of(cloud);
    const double before = variance();
    for (int step = 0; step < 6; ++step) {
        std::ranges::fill(rates, Vec3f());
        add_neighbour_rates({.reach = 4, .viscosity = viscosity}, cloud.columns(), rates);
        for (std::size_t i = 0; i < rates.size(); ++i) cloud.strength[i] += rates[i] * float(dt);
    }
    EXPECT_NEAR(variance() - before, 2 * viscosity * 6 * dt, 0.02 * 2 * viscosity * 6 * dt);
    EXPECT_LT(length(sums_of(cloud).strength - start.strength), 1e-6 * start.size);
}

TEST(vortex_tree_laws, buoyancy_makes_the_curl_of_the_lift_and_the_impulse_of_its_weight) {
    // ∂ω/∂t = ∇b × ẑ, b a Gaussian that the particles smooth by ε² = R²/11; ½ Σ x × dΓ/dt = ẑ Σ b V
    const double width = 3, lift = 0.03, reach = 4, smooth2 = width * width + reach * reach / 11, height = 100 * std::pow(width * width / smooth2, 1.5);
    Cloud cloud = gaussian(width, 14);
    std::ranges::fill(cloud.strength, Vec3f());
    std::vector<Vec3f> rates(cloud.position.size());
    add_neighbour_rates({.reach = reach, .lift = lift, .ambient_temperature = 300}, cloud.columns(), rates);
    double error = 0, size = 0, weight = 0;
    Vec3d impulse;
    for (std::size_t i = 0; i < rates.size(); ++i) {
        const Vec3d x(cloud.position[i]);
        const Vec3d expected = Vec3d(-x.y, x.x, 0) * (lift * height / smooth2 * std::exp(-dot(x, x) / (2 * smooth2))), d = Vec3d(rates[i]) - expected;
        error += dot(d, d), size += dot(expected, expected);
        impulse += cross(x, Vec3d(rates[i])) * 0.5, weight += lift * (double(cloud.temperature[i]) - 300);
    }
    EXPECT_LT(std::sqrt(error / size), 0.02);
    EXPECT_NEAR(impulse.z, weight, 0.01 * weight);
    EXPECT_LT(std::abs(impulse.x) + std::abs(impulse.y), 1e-4 * weight);
}

TEST(vortex_tree_laws, relaxation_turns_strengths_towards_the_vorticity_and_keeps_their_size) {
    Cloud cloud;
    add_ring({.core = 0.2, .spacing = 0.08}, 0.1, cloud);
    const Sums start = sums_of(cloud);
    for (std::size_t i = 0; i < cloud.strength.size(); ++i) cloud.strength[i] += Vec3f(0, 0, (i % 2 == 0 ? 0.4f : -0.4f) * length(cloud.strength[i]));
    VortonDynamics dynamics({.core_radius = 0.1, .relaxation_rate = 3});
    VortonRates rates;
    const auto tilt = [&] {
        double sum = 0;
        for (const Vec3f& g : cloud.strength) sum += std::abs(double(g.z));
        return sum / start.size;
    };
    const double before = tilt(), size_before = sums_of(cloud).size;
    dynamics.find_rates(cloud.columns(), rates);
    dynamics.relax(0.5, rates.gradient, cloud.strength);
    EXPECT_NEAR(tilt(), before * std::exp(-1.5), 0.15 * before);
    EXPECT_NEAR(sums_of(cloud).size, size_before, 0.06 * size_before);
    EXPECT_LT(length(sums_of(cloud).strength - start.strength), 1e-3 * start.size);
}

}  // namespace
}  // namespace phlo::models
