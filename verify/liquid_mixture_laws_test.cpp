// Liquids of different density in one tank: waves between them, and rest.
#include <gtest/gtest.h>

#include <cstdio>
#include <numbers>

#include "liquid_tank.h"

namespace phlo::verify {
namespace {

using models::Liquid;
using models::LiquidEmitter;
using models::LiquidMode;
using models::LiquidSetup;

constexpr double pi = std::numbers::pi, g = 9.81;

/// Light liquid over heavy liquid, each 0.25 m deep, in a tank of 1 m; the layer between them is tilted.
LiquidSetup two_layers(const TankParams& params, double light, double heavy, double tilt) {
    LiquidSetup setup = tank_setup(params);
    setup.liquid.density = light;
    setup.liquid.others = {{.substance = "syrup", .density = heavy, .viscosity = 0}};
    LiquidEmitter all, lower;
    all.name = "all", all.shape = geom::Box{.size = {4, 4, 1}};   // up to 0.5 m
    lower.name = "lower", lower.substance = "syrup", lower.shape = geom::Box{.size = {4, 4, 2}};
    lower.motion.position = Curve<Vec3d>(Vec3d(0.5 - std::sin(tilt), 0, 0.25 - std::cos(tilt)));
    lower.motion.rotation = Curve<Vec3d>(Vec3d(0, tilt, 0));
    setup.emitters = {all, lower};
    return setup;
}

/// Of the layer between them, along the tank's first mode [m].
double mode(const Liquid& liquid) {
    const Vec3i n = liquid.domain().cells;
    double sum = 0;
    for (int k = 0; k < n.z; ++k)
        for (int i = 0; i < n.x; ++i)
            if (liquid.phi()(i, n.y / 2, k) < 0) sum += double(liquid.mixture().share[1](i, n.y / 2, k)) * std::cos(pi * (i + 0.5) / n.x);
    return sum * liquid.domain().h * 2 / n.x;
}

/// The slow root of Lamb's equation for two layers of depth h below a free surface (Hydrodynamics, art. 231) [1/s].
double internal_frequency(double light, double heavy, double h) {
    const double k = pi, coth = 1 / std::tanh(k * h);
    const double a = heavy * coth * coth + light, b = -2 * heavy * g * k * coth, c = (heavy - light) * g * g * k * k;
    return std::sqrt((-b - std::sqrt(b * b - 4 * a * c)) / (2 * a));
}

TEST(LiquidMixture, a_wave_between_two_liquids_has_its_frequency) {
    for (const double heavy : {1100.0, 1500.0}) {
        const TankParams params{.size = {1, 0.125, 0.6}, .resolution = 32};
        Liquid liquid(tank_shot(params), two_layers(params, 1000, heavy, 0.05));
        const double start = mode(liquid), omega = internal_frequency(1000, heavy, 0.25);
        const double dt = 0.01 / omega * 1.5;
        double before = start, crossed = 0;
        for (int step = 0; crossed == 0 && step < 400; ++step) {
            liquid.step(dt);
            const double now = mode(liquid);
            if (now * start <= 0) crossed = liquid.time() - dt * now / (now - before);
            before = now;
        }
        std::printf("wave between liquids of 1000 and %.0f kg/m^3: a quarter period of %.3f s for %.3f s (%+.1f %%)\n", heavy, crossed, 0.5 * pi / omega,
                    100 * (crossed * omega / (0.5 * pi) - 1));
        EXPECT_NEAR(crossed * omega / (0.5 * pi), 1, 0.08);   // the layer smears, and the pressure that weighs it is a step old
    }
}

TEST(LiquidMixture, heavy_liquid_below_light_liquid_stays_at_rest) {
    const TankParams params{.size = {0.5, 0.5, 0.6}, .resolution = 20};
    Liquid liquid(tank_shot(params), two_layers(params, 1000, 1400, 0));
    for (int step = 0; step < 60; ++step) liquid.step(0.005);
    const double rested = fastest_in_liquid(liquid);
    std::printf("two layers at rest: %.2e m/s\n", rested);
    EXPECT_LT(rested, 2e-6);
}

}  // namespace
}  // namespace phlo::verify
