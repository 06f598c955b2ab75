// Water against what is known of it: exact states, waves, drops and an experiment.
#include <gtest/gtest.h>

#include <cstdio>
#include <numbers>
#include <vector>

#include "liquid_tank.h"

namespace phlo::verify {
namespace {

using models::Liquid;
using models::LiquidSetup;
using models::Shot;

constexpr double pi = std::numbers::pi, g = 9.81;

// ---- at rest -----------------------------------------------------------------------------------------------------------

struct Rest {
    double speed, wave_speed;   ///< [m/s]
};
/// A hundred steps of water whose surface lies across gravity, at the height `fill` over the middle of the floor.
Rest after_rest(double fill_height, const Vec3d& gravity, bool with_bodies) {
    const TankParams params{.resolution = 24, .gravity = gravity, .lid = true};
    Shot shot = tank_shot(params);
    if (with_bodies) {
        shot.bodies.push_back({.name = "ball", .shape = geom::Sphere{.radius = 0.17}, .motion = {.position = Curve<Vec3d>(Vec3d(0.4, 0.45, 0.5))}});
        shot.bodies.push_back({.name = "plate", .shape = geom::Box{.size = {0.5, 0.06, 0.4}}, .motion = {.position = Curve<Vec3d>(Vec3d(0.6, 0.8, 0.3))}});
    }
    LiquidSetup setup = tank_setup(params);
    setup.liquid.pressure_tolerance = 1e-6;
    Liquid liquid(shot, setup);
    const Vec3d up = gravity * (-1 / length(gravity)), middle(0.5, 0.5, fill_height);
    fill(liquid, [&](const Vec3d& p) { return dot(p - middle, up); });
    for (int step = 0; step < 100; ++step) liquid.step(0.01);
    return {fastest_in_liquid(liquid), std::sqrt(length(gravity) * fill_height)};
}

TEST(Liquid, still_water_stays_still_at_any_height) {
    for (const double height : {0.31, 0.5, 0.613}) {
        const Rest rest = after_rest(height, {0, 0, -g}, false);
        EXPECT_LT(rest.speed, 1e-6 * rest.wave_speed) << height;
    }
}

TEST(Liquid, still_water_stays_still_under_tilted_gravity) {
    const Rest rest = after_rest(0.5, {2.1, -1.3, -9.3}, false);
    EXPECT_LT(rest.speed, 1e-6 * rest.wave_speed);
}

TEST(Liquid, still_water_stays_still_around_bodies) {
    const Rest rest = after_rest(0.57, {0, 0, -g}, true);
    EXPECT_LT(rest.speed, 1e-6 * rest.wave_speed);
}

// ---- in flight ---------------------------------------------------------------------------------------------------------

TEST(Liquid, a_blob_falls_freely) {
    const TankParams params{.size = {0.6, 0.6, 1.2}, .resolution = 48};
    Liquid liquid(tank_shot(params), tank_setup(params));
    fill(liquid, [](const Vec3d& p) { return length(p - Vec3d(0.3, 0.3, 0.9)) - 0.12; });
    const double before = liquid.volume();
    double time = 0;
    for (int step = 0; step < 30; ++step) liquid.step(0.01), time += 0.01;
    // Euler's steps: v = g t exactly, the way is g t (t - dt) / 2 (the velocity before each step carries).
    const Vec3i n = liquid.domain().cells;
    double height = 0, mass = 0, slowest = 1e9, fastest = 0;
    for (int k = 0; k < n.z; ++k)
        for (int j = 0; j < n.y; ++j)
            for (int i = 0; i < n.x; ++i) {
                const double part = std::clamp(0.5 - double(liquid.phi()(i, j, k)) / liquid.domain().h, 0.0, 1.0);
                height += part * liquid.domain().cell_center(i, j, k).z, mass += part;
                if (!(liquid.phi()(i, j, k) < 0)) continue;
                slowest = std::min(slowest, -double(liquid.velocity().z(i, j, k))), fastest = std::max(fastest, -double(liquid.velocity().z(i, j, k)));
            }
    EXPECT_NEAR(slowest, g * time, 1e-3 * g * time);
    EXPECT_NEAR(fastest, g * time, 1e-3 * g * time);
    EXPECT_NEAR(0.9 - height / mass, 0.5 * g * time * (time - 0.01), 0.1 * liquid.domain().h);
    EXPECT_NEAR(liquid.volume(), before, 0.005 * before);
}

// ---- waves -------------------------------------------------------------------------------------------------------------

/// Times at which a row of values crosses zero, between which it is taken as linear.
std::vector<double> zero_crossings(const std::vector<double>& values, double dt) {
    std::vector<double> times;
    for (std::size_t n = 1; n < values.size(); ++n)
        if ((values[n - 1] < 0) != (values[n] < 0)) times.push_back(dt * (double(n - 1) + values[n - 1] / (values[n - 1] - values[n])));
    return times;
}

TEST(Liquid, sloshing_has_its_frequency) {
    const TankParams params{.size = {1, 0.0625, 0.75}, .resolution = 64};
    Liquid liquid(tank_shot(params), tank_setup(params));
    const double depth = 0.4, k = pi, wanted = std::sqrt(g * k * std::tanh(k * depth));
    fill(liquid, [&](const Vec3d& p) { return p.z - depth - 0.012 * std::cos(k * p.x); });
    const double dt = 0.01;
    std::vector<double> mode;
    for (int step = 0; step < 400; ++step) {
        double sum = 0;
        for (int i = 0; i < 64; ++i) sum += surface_height(liquid, i, 1) * std::cos(k * liquid.domain().cell_center(i, 0, 0).x);
        mode.push_back(sum);
        liquid.step(dt);
    }
    const std::vector<double> times = zero_crossings(mode, dt);
    ASSERT_GE(times.size(), 5u);
    const double found = pi * double(times.size() - 1) / (times.back() - times.front());
    std::printf("sloshing: omega %.4f 1/s, linear waves %.4f (%+.2f %%)\n", found, wanted, 100 * (found / wanted - 1));
    EXPECT_NEAR(found / wanted, 1, 0.005);
}

TEST(Liquid, a_solitary_wave_has_its_speed) {
    const TankParams params{.size = {5, 0.0625, 0.4375}, .resolution = 320};
    Liquid liquid(tank_shot(params), tank_setup(params));
    const double depth = 0.25, a = 0.05, wanted = std::sqrt(g * (depth + a)), k = std::sqrt(3 * a / (4 * depth * depth * depth)), x0 = 1.2;
    const auto eta = [&](double x) { return a / std::pow(std::cosh(k * (x - x0)), 2); };
    const auto slope = [&](double x) { return -2 * k * eta(x) * std::tanh(k * (x - x0)); };
    fill(liquid, [&](const Vec3d& p) { return p.z - depth - eta(p.x); },
         [&](const Vec3d& p) {
             const double all = depth + eta(p.x);
             return Vec3d(wanted * eta(p.x) / all, 0, -p.z * wanted * depth * slope(p.x) / (all * all));
         });
    const double dt = 0.006;
    const auto crest = [&] {   // the middle of what stands out by half of it or more
        double sum = 0, where = 0;
        for (int i = 0; i < 320; ++i) {
            const double over = std::max(0.0, surface_height(liquid, i, 1) - depth - 0.5 * a);
            sum += over, where += over * liquid.domain().cell_center(i, 0, 0).x;
        }
        return where / sum;
    };
    for (int step = 0; step < 50; ++step) liquid.step(dt);
    const double first = crest();
    for (int step = 0; step < 150; ++step) liquid.step(dt);
    const double found = (crest() - first) / (150 * dt);
    std::printf("solitary wave: speed %.4f m/s, wanted %.4f (%+.2f %%)\n", found, wanted, 100 * (found / wanted - 1));
    EXPECT_NEAR(found / wanted, 1, 0.01);
}

// ---- drops -------------------------------------------------------------------------------------------------------------

TEST(Liquid, a_drop_swings_as_rayleigh_says) {
    constexpr int n = 36;
    const TankParams params{.size = {0.032, 0.032, 0.032}, .resolution = n, .gravity = {}, .lid = true};
    LiquidSetup setup = tank_setup(params);
    setup.liquid.tension = 0.07, setup.liquid.density = 1000;
    Liquid liquid(tank_shot(params), setup);
    const double radius = 0.0095, wanted = std::sqrt(8 * 0.07 / (1000 * radius * radius * radius));
    const Vec3d middle(0.016);
    fill(liquid, [&](const Vec3d& p) {
        const Vec3d d = p - middle;
        const double r = length(d), c = r > 0 ? d.z / r : 0;
        return r - radius * (1 + 0.08 * 0.5 * (3 * c * c - 1));
    });
    const double dt = 1e-3;
    std::vector<double> mode;
    for (int step = 0; step < 340; ++step) {
        double sum = 0, count = 0;
        for (int k = 0; k < n; ++k)
            for (int j = 0; j < n; ++j)
                for (int i = 0; i < n; ++i) {
                    const double part = std::clamp(0.5 - double(liquid.phi()(i, j, k)) / liquid.domain().h, 0.0, 1.0);
                    const Vec3d d = liquid.domain().cell_center(i, j, k) - middle;
                    sum += part * (d.z * d.z - 0.5 * (d.x * d.x + d.y * d.y)), count += part;
                }
        mode.push_back(sum / count);
        liquid.step(dt);
    }
    const std::vector<double> times = zero_crossings(mode, dt);
    ASSERT_GE(times.size(), 3u);
    const double found = pi * double(times.size() - 1) / (times.back() - times.front());
    std::printf("drop: omega %.2f 1/s, Rayleigh's %.2f (%+.2f %%)\n", found, wanted, 100 * (found / wanted - 1));
    EXPECT_NEAR(found / wanted, 1, 0.03);
}

// ---- a falling column --------------------------------------------------------------------------------------------------

/// Martin and Moyce (1952), a column twice as high as wide: the front Z = x / a at T = t sqrt(2 g / a).
constexpr double experiment[][2] = {{0.41, 1.11}, {0.84, 1.23}, {1.19, 1.44}, {1.43, 1.67}, {1.63, 1.89}, {1.82, 2.11}, {1.97, 2.33},
                                    {2.20, 2.56}, {2.32, 2.78}, {2.50, 3.00}, {2.64, 3.22}, {2.82, 3.44}, {2.96, 3.67}};

TEST(Liquid, a_falling_column_runs_as_in_the_experiment) {
    const double a = 0.05715;
    const TankParams params{.size = {5 * a, a / 8, 2.5 * a}, .resolution = 100};
    Liquid liquid(tank_shot(params), tank_setup(params));
    fill(liquid, [&](const Vec3d& p) { return std::max(p.x - a, p.z - 2 * a); });
    const double dt = 1.5e-3, unit = std::sqrt(2 * g / a);
    std::vector<std::array<double, 2>> front;
    while (front.empty() || front.back()[0] < 3.2) {
        double x = 0;
        for (int i = 0; i < 100; ++i)   // the front on the floor
            if (const double here = double(liquid.phi()(i, 1, 0)); here < 0) x = liquid.domain().cell_center(i, 0, 0).x - here;
        front.push_back({liquid.time() * unit, x / a});
        liquid.step(dt);
    }
    const auto at = [&](double T) {
        for (std::size_t n = 1; n < front.size(); ++n)
            if (front[n][0] >= T) return front[n - 1][1] + (front[n][1] - front[n - 1][1]) * (T - front[n - 1][0]) / (front[n][0] - front[n - 1][0]);
        return front.back()[1];
    };
    double best = 1e9, shift = 0;   // a gate takes time to open: shifts of T up to 0.18 are usual
    for (double s = 0; s <= 0.18; s += 0.01) {
        double worst = 0;
        for (const auto& [T, Z] : experiment) worst = std::max(worst, std::fabs(at(std::max(0.0, T - s)) - Z));
        if (worst < best) best = worst, shift = s;
    }
    std::printf("falling column: front within %.3f widths of Martin and Moyce's, T shifted by %.2f\n", best, shift);
    EXPECT_LT(best, 0.15);
}

}  // namespace
}  // namespace phlo::verify
