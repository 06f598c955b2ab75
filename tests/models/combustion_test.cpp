#include "models/vortex_fire/combustion.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <vector>

#include "base/parallel.h"
#include "base/random.h"

namespace phlo::models {
namespace {

struct Mixture {
    std::vector<float> T, fuel, flame, smoke, oxygen, lit;

    explicit Mixture(std::size_t n) : T(n, 300), fuel(n), flame(n), smoke(n), oxygen(n, 0.232f), lit(n) {}
    CombustionColumns columns() { return {.temperature = T, .fuel = fuel, .flame = flame, .smoke = smoke, .oxygen = {}, .lit = lit, .mass = {}}; }
    CombustionColumns with_oxygen() {
        CombustionColumns c = columns();
        c.oxygen = oxygen;
        return c;
    }
};

/// Anything from clean air to pure fuel, cold to white-hot.
Mixture anything(std::size_t n, std::uint64_t seed = 1) {
    Mixture gas(n);
    for (std::size_t i = 0; i < n; ++i) {
        const auto u = uniform4({.seed = seed}, std::uint32_t(i)), v = uniform4({.seed = seed}, std::uint32_t(i), 1);
        const float sum = i % 7 == 0 ? 1.0f : v[0], all = u[0] + u[1] + u[2] + 1e-6f;
        gas.fuel[i] = sum * u[0] / all, gas.flame[i] = sum * u[1] / all, gas.smoke[i] = sum * u[2] / all;
        if (i % 11 == 0) gas.flame[i] = gas.smoke[i] = 0, gas.fuel[i] = 1;
        if (i % 13 == 0) gas.fuel[i] = gas.flame[i] = gas.smoke[i] = 0;
        gas.T[i] = 280 + 2500 * u[3] * u[3];
        gas.oxygen[i] = 0.232f * v[1];
        gas.lit[i] = v[2];
    }
    return gas;
}

/// Fuel, flame, smoke, temperature, oxygen by many small steps of the classical Runge-Kutta method, in double precision.
using State = std::array<double, 5>;
State reference(const CombustionParams& p, State y, double dt, bool oxygen, int steps) {
    const auto slope = [&](const State& s) {
        const double k = p.rate * std::exp(-p.activation_temperature / s[3]) * (oxygen ? s[4] / p.ambient_oxygen : 1);
        const double ks = p.smoke_rate * std::exp(-std::pow(s[3] / p.smoke_temperature, 2)), burning = k * s[0];
        const double loss = p.radiation * (std::pow(s[3], 4) - std::pow(p.ambient_temperature, 4));
        return State{-burning, burning - ks * s[1], ks * s[1], p.heat_of_combustion / p.heat_capacity * burning - loss, oxygen ? -p.oxygen_per_fuel * burning : 0};
    };
    const auto moved = [](State a, const State& d, double h) {
        for (std::size_t i = 0; i < a.size(); ++i) a[i] += h * d[i];
        return a;
    };
    const double h = dt / steps;
    for (int n = 0; n < steps; ++n) {
        const State a = slope(y), b = slope(moved(y, a, h / 2)), c = slope(moved(y, b, h / 2)), d = slope(moved(y, c, h));
        for (std::size_t i = 0; i < y.size(); ++i) y[i] += h / 6 * (a[i] + 2 * b[i] + 2 * c[i] + d[i]);
    }
    return y;
}

/// Differences from the reference: of fractions, and of temperatures by 1000 K.
struct Difference {
    double most = 0, sum_of_squares = 0;
};
Difference error(const CombustionParams& params, double dt, bool oxygen) {
    Mixture gas = anything(120);
    const Mixture start = gas;
    burn(params, oxygen ? gas.with_oxygen() : gas.columns(), dt);
    Difference result;
    for (std::size_t i = 0; i < gas.T.size(); ++i) {
        const State y = reference(params, {start.fuel[i], start.flame[i], start.smoke[i], start.T[i], start.oxygen[i]}, dt, oxygen, 4000);
        for (const double d : {gas.fuel[i] - y[0], gas.flame[i] - y[1], gas.smoke[i] - y[2], (gas.T[i] - y[3]) * 1e-3, oxygen ? gas.oxygen[i] - y[4] : 0})
            result.most = std::max(result.most, std::abs(d)), result.sum_of_squares += d * d;
    }
    return result;
}

TEST(combustion, agrees_with_small_steps_in_double_precision) {
    for (const double dt : {1e-3, 1.0 / 60, 1.0 / 24, 0.3}) {
        EXPECT_LT(error({}, dt, false).most, 1e-2) << dt;
        EXPECT_LT(error({}, dt, true).most, 1e-2) << dt << " with oxygen";
        EXPECT_LT(error({.radiation = 3e-10}, dt, true).most, 1e-2) << dt << " with oxygen and radiation";
        EXPECT_LT(error({.rate = 3e5, .activation_temperature = 12000, .smoke_rate = 40}, dt, false).most, 3e-2) << dt << " with a hard ignition";
    }
}

TEST(combustion, sub_steps_are_of_second_order) {
    const auto at = [](double max_rise) { 
        return std::sqrt(error({.rate = 30, .activation_temperature = 300, .heat_of_combustion = 3e6, .radiation = 1e-10, .max_rise = max_rise}, 0.2, false).sum_of_squares);
    };
    const double coarse = at(0.1), middle = at(0.05), fine = at(0.025);
    EXPECT_GT(coarse / middle, 3) << coarse << " " << middle;
    EXPECT_GT(middle / fine, 3) << middle << " " << fine;
}

TEST(combustion, equal_rates_have_their_own_limit) {
    // G = 0 and a temperature at which both rates are known: k = k_s = 2 / s exactly, or nearly
    for (const double nearly : {1.0, 1 + 1e-7, 1 + 1e-4, 1.01}) {
        const CombustionParams params{.rate = 2 * std::exp(1.0), .activation_temperature = 500, .smoke_rate = nearly * 2 * std::exp(1.0), .smoke_temperature = 500, .heat_of_combustion = 0};
        for (const double dt : {1e-3, 0.5, 3.0}) {
            Mixture gas(1);
            gas.T[0] = 500, gas.fuel[0] = 0.6f, gas.flame[0] = 0.3f, gas.smoke[0] = 0.1f;
            burn(params, gas.columns(), dt);
            const double k = 2, ks = 2 * nearly, fuel = 0.6 * std::exp(-k * dt);
            const double made = nearly == 1 ? 0.6 * k * dt * std::exp(-k * dt) : 0.6 * k * (std::exp(-k * dt) - std::exp(-ks * dt)) / (ks - k);
            EXPECT_NEAR(gas.fuel[0], fuel, 3e-7);
            EXPECT_NEAR(gas.flame[0], 0.3 * std::exp(-ks * dt) + made, nearly == 1 + 1e-7 ? 1e-6 : 4e-7) << nearly << " " << dt;
            EXPECT_EQ(gas.T[0], 500) << "no heat, no change";
        }
    }
}

TEST(combustion, no_fraction_leaves_its_range_at_any_time_step_and_sums_are_kept) {
    for (double dt = 1e-6; dt < 150; dt *= 10)
        for (const CombustionParams& params : {CombustionParams{}, CombustionParams{.rate = 1e7, .activation_temperature = 9000, .smoke_rate = 1e4, .heat_of_combustion = 4e7, .radiation = 1e-9},
                                               CombustionParams{.heat_of_combustion = 0, .oxygen_per_fuel = 3.6}}) {
            Mixture gas = anything(5003);
            const Mixture start = gas;
            burn(params, dt > 1 ? gas.columns() : gas.with_oxygen(), dt);
            double sum_error = 0;
            for (std::size_t i = 0; i < gas.T.size(); ++i) {
                for (const float y : {gas.fuel[i], gas.flame[i], gas.smoke[i], gas.lit[i]}) ASSERT_TRUE(y >= 0 && y <= 1) << y << " after " << dt << " s";
                ASSERT_TRUE(gas.oxygen[i] >= 0 && gas.oxygen[i] <= start.oxygen[i]);
                ASSERT_TRUE(gas.T[i] > 270 && std::isfinite(gas.T[i])) << gas.T[i];
                const double before = double(start.fuel[i]) + start.flame[i] + start.smoke[i], now = double(gas.fuel[i]) + gas.flame[i] + gas.smoke[i];
                sum_error = std::max(sum_error, std::abs(now - before));
            }
            EXPECT_LT(sum_error, 4e-6) << dt;
        }
}

TEST(combustion, clean_air_stays_clean_and_cold_fuel_keeps) {
    Mixture gas(20);
    gas.fuel[3] = 0.5f;
    burn({.rate = 90, .activation_temperature = 30000}, gas.columns(), 100);
    for (std::size_t i = 0; i < 20; ++i) {
        EXPECT_EQ(gas.smoke[i], 0.0f) << "the paper's 1 - fuel - flame would be smoke";
        EXPECT_EQ(gas.T[i], 300.0f);
        EXPECT_EQ(gas.fuel[i], i == 3 ? 0.5f : 0.0f);
    }
}

TEST(combustion, fuel_burnt_is_heat_released) {
    Mixture gas = anything(20000);
    const Mixture start = gas;
    std::vector<float> mass(gas.T.size());
    for (std::size_t i = 0; i < mass.size(); ++i) mass[i] = 0.5f + float(i % 5);
    CombustionColumns columns = gas.with_oxygen();
    columns.mass = mass;
    const CombustionParams params{.heat_of_combustion = 2.5e6, .heat_capacity = 1100, .radiation = 2e-10};
    const CombustionReport report = burn(params, columns, 0.1);
    double fuel = 0, oxygen = 0, warmth = 0, smoke = 0;
    for (std::size_t i = 0; i < mass.size(); ++i) {
        fuel += mass[i] * (double(start.fuel[i]) - gas.fuel[i]);
        smoke += mass[i] * (double(gas.smoke[i]) - start.smoke[i]);
        oxygen += mass[i] * (double(start.oxygen[i]) - gas.oxygen[i]);
        warmth += mass[i] * params.heat_capacity * (double(gas.T[i]) - start.T[i]);
    }
    EXPECT_GT(report.fuel_burnt, 0.1 * double(mass.size())) << "something happened";
    EXPECT_GT(report.heat_radiated, 0.01 * report.heat_released);
    EXPECT_NEAR(report.fuel_burnt, fuel, 1e-9 * fuel);
    EXPECT_NEAR(report.smoke_made, smoke, 1e-9 * smoke);
    EXPECT_NEAR(report.oxygen_used, oxygen, 1e-9 * oxygen);
    EXPECT_NEAR(report.oxygen_used, params.oxygen_per_fuel * fuel, 1e-6 * oxygen);
    EXPECT_NEAR(report.heat_released, params.heat_of_combustion * fuel, 1e-6 * report.heat_released);
    EXPECT_NEAR(report.heat_released - report.heat_radiated, warmth, 1e-9 * report.heat_released);
    EXPECT_EQ(report.hurried, 0);
}

TEST(combustion, a_temperature_rise_is_heat_by_heat_capacity) {
    Mixture gas(1);
    gas.T[0] = 1500, gas.fuel[0] = 0.25f;
    burn({.rate = 1e4, .activation_temperature = 100, .heat_of_combustion = 2e6, .heat_capacity = 1000}, gas.columns(), 1);
    EXPECT_NEAR(gas.T[0], 1500 + 0.25 * 2e6 / 1000, 0.01) << "the paper's code multiplies by density and heat capacity";
    EXPECT_LT(gas.fuel[0], 1e-30f);
}

TEST(combustion, without_oxygen_the_fire_goes_out) {
    Mixture gas(1);
    gas.T[0] = 1500, gas.fuel[0] = 0.5f, gas.oxygen[0] = 0.05f;
    const CombustionParams params{.oxygen_per_fuel = 0.4};
    for (int n = 0; n < 100; ++n) burn(params, gas.with_oxygen(), 0.1);
    EXPECT_NEAR(gas.oxygen[0], 0, 1e-6);
    EXPECT_NEAR(gas.fuel[0], 0.5 - 0.05 / 0.4, 1e-5) << "what the oxygen was not enough for";
    const float left = gas.fuel[0];
    burn(params, gas.with_oxygen(), 100);
    EXPECT_NEAR(gas.fuel[0], left, 1e-6);
}

TEST(combustion, radiation_follows_the_fourth_power_law_at_any_step) {
    // time from T to T' by the integral of dT / (T_0⁴ - T⁴): c t = [ln((T + T_0)/|T - T_0|) + 2 atan(T/T_0)] / (4 T_0³) between them
    const double T0 = 293.15, c = 2e-10;
    const auto clock = [&](double T) { return (std::log((T + T0) / std::abs(T - T0)) + 2 * std::atan(T / T0)) / (4 * c * T0 * T0 * T0); };
    for (const double from : {3000.0, 1200.0, 400.0, 150.0})
        for (const double to : {0.001, 0.03, 0.3, 0.7, 0.99}) {   // of the way towards T0, in one step
            const double T = from + to * (T0 - from), dt = clock(T) - clock(from);
            Mixture gas(1);
            gas.T[0] = float(from);
            const CombustionReport report = burn({.radiation = c}, gas.columns(), dt);
            EXPECT_NEAR(gas.T[0], T, (from > T0 ? 2e-3 : 1.2e-2) * std::abs(T - from) + 1e-6 * from) << from << " " << to;
            EXPECT_NEAR(report.heat_radiated, 1005 * (from - double(gas.T[0])), 1e-3 * std::abs(report.heat_radiated));
        }
    Mixture gas(1);
    gas.T[0] = 3000;
    burn({.radiation = c}, gas.columns(), 1e9);
    EXPECT_NEAR(gas.T[0], T0, 1e-3);
}

TEST(combustion, lit_shows_where_fuel_has_just_begun_to_burn) {
    Mixture gas(3);
    gas.T[0] = 2200, gas.fuel[0] = 0.8f;                        // bursts into flame
    gas.T[1] = 300, gas.fuel[1] = 0.8f;                         // cold fuel
    gas.T[2] = 1800, gas.flame[2] = 0.8f;                       // burnt long ago
    const CombustionParams params{.rate = 400, .lit_time = 1.0 / 60};
    burn(params, gas.columns(), 1.0 / 60);
    EXPECT_GT(gas.lit[0], 0.7f);
    EXPECT_LT(gas.lit[1], 0.01f);
    EXPECT_EQ(gas.lit[2], 0.0f);
    const float first = gas.lit[0];
    burn(params, gas.columns(), 1.0 / 60);
    EXPECT_LT(gas.lit[0], 0.5f * first);
    for (int n = 0; n < 4; ++n) burn(params, gas.columns(), 1.0 / 60);
    EXPECT_LT(gas.lit[0], 0.02f) << "a few ticks later it is an ordinary flame";
}

TEST(combustion, particles_do_not_see_each_other_nor_the_number_of_threads) {
    const CombustionParams params{.heat_of_combustion = 4e6, .radiation = 1e-10};
    Mixture all = anything(9001), again = all;
    CombustionReport report, single;
    {
        const ThreadLimit limit(1);
        single = burn(params, again.with_oxygen(), 0.04);
    }
    report = burn(params, all.with_oxygen(), 0.04);
    EXPECT_EQ(all.T, again.T);
    EXPECT_EQ(all.fuel, again.fuel);
    EXPECT_EQ(all.lit, again.lit);
    EXPECT_EQ(report.heat_radiated, single.heat_radiated);
    const Mixture start = anything(9001);
    for (const std::size_t i : {0ul, 5ul, 8ul, 4095ul, 9000ul}) {
        Mixture one(1);
        one.T[0] = start.T[i], one.fuel[0] = start.fuel[i], one.flame[0] = start.flame[i], one.smoke[0] = start.smoke[i], one.oxygen[0] = start.oxygen[i], one.lit[0] = start.lit[i];
        burn(params, one.with_oxygen(), 0.04);
        EXPECT_EQ(one.T[0], all.T[i]) << i;
        EXPECT_EQ(one.smoke[0], all.smoke[i]) << i;
    }
}

}  // namespace
}  // namespace phlo::models
