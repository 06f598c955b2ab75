// The same shot whatever the time step, the frame rate and the size of the cells: what a look at low resolution promises must hold at high resolution.
// docs/models/same-shot.md has the table for whole presets at their own resolution.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "chem/mechanism/read.h"
#include "compare/comparison.h"
#include "scene/scene.h"
#include "sim/simulation.h"
#include "small_scenes.h"

namespace phlo::verify {
namespace {

using models::WallKind;

GasScene swelling_box(int cells, const std::string& mechanism) {
    GasScene setup = empty_box(cells, WallKind::open);
    setup.gas.method = models::GasMethod::grid;
    setup.gas.scalar_transport = models::ScalarTransport::conserving;
    setup.mechanism = chem::read_mechanism(config::parse_yaml(mechanism, "test"), "chemistry.mechanism");
    return setup;
}

/// 1 in the middle, 0 from a distance of `radius` on.
double bell(const Vec3d& p, double radius) {
    const double r = length(p - Vec3d(0.5)) / radius;
    return r < 1 ? (1 - r * r) * (1 - r * r) : 0;
}

/// Temperature goes along with the gas and is not diluted. So a ball in which T and the wanted volume V are in proportion ends with the heat
/// ∫ T (1 + V) dV of how it began: ∫ w dV = 32π/105 R³, ∫ w² dV = 4π 128/3465 R³.
TEST(SameShot, hot_gas_that_swells_has_the_heat_of_its_volume) {
    constexpr double radius = 0.2, volume = 4, pi = std::numbers::pi;
    const double exact = std::pow(radius, 3) * (32 * pi / 105 + volume * 4 * pi * 128 / 3465);
    const auto heat = [&](int cells) {
        GasScene setup = swelling_box(cells, "species: [A, B]\nreactions:\n- {equation: A => B, rate: 1}");
        setup.chemistry.expansion = "r1";
        Gas gas(setup);
        fill_cells(gas.domain(), gas.expansion().volume, [&](const Vec3d& p) { return volume * bell(p, radius); });
        fill_cells(gas.domain(), gas.excess_temperature(), [&](const Vec3d& p) { return bell(p, radius); });
        for (int frame = 0; frame < 8; ++frame) gas.advance(1.0 / 24);
        return gas.heat() / exact;
    };
    EXPECT_NEAR(heat(30), 1, 0.08);   // six cells in radius
    EXPECT_NEAR(heat(60), 1, 0.04);
}

/// A ball that burns within a frame, from rest: everything depends on whether it swells while it burns.
TEST(SameShot, steps_of_its_own_give_what_very_short_ones_give) {
    const auto burn = [](double step, double fps) {
        GasScene setup = swelling_box(30, "species: [A, B, C]\nreactions:\n- {equation: A + B => 2 C, rate: 200}");
        setup.chemistry.heat = "1000*r1", setup.chemistry.expansion = "5*r1";
        setup.time.fixed_step = step;
        Gas gas(setup);
        for (std::size_t s = 0; s < 2; ++s)
            fill_cells(gas.domain(), gas.substances()[s].amount, [](const Vec3d& p) { return 1.5 * bell(p, 0.22); });
        int steps = 0;
        for (int frame = 0; frame < int(std::lround(fps / 8)); ++frame) steps += gas.advance(1 / fps).substeps;
        return std::tuple(gas.heat(), gas.amount("C"), steps);
    };
    const auto [heat, product, many] = burn(1e-3, 24);
    EXPECT_NEAR(std::get<0>(burn(2e-3, 24)) / std::get<0>(burn(4e-3, 24)), 1, 0.03) << "half the step";
    for (const double fps : {8.0, 24.0, 48.0}) {
        const auto [own_heat, own_product, steps] = burn(0, fps);
        EXPECT_NEAR(own_heat / heat, 1, 0.04) << fps;
        EXPECT_NEAR(own_product / product, 1, 0.01) << fps;
        EXPECT_LT(steps, many / 8) << fps;
    }
}

/// A flame that heats the less the hotter it is, T' = 40 (1 - T / 100), approaches its limit along an exponential whatever the step.
TEST(SameShot, heat_that_depends_on_the_temperature_is_a_mean_over_the_step) {
    for (const double step : {0.002, 0.02}) {
        GasScene setup = empty_box(8);
        setup.gas.method = models::GasMethod::grid;
        setup.mechanism = chem::read_mechanism(config::parse_yaml("species: [A, B]\nreactions:\n- {equation: A => B, rate: 1, orders: {A: 0}}", "test"), "");
        setup.chemistry.heat = "1000*r1*(1 - (T - 293.15)/100)";
        setup.time.fixed_step = step;
        Gas gas(setup);
        gas.substances()[0].amount.fill(10);
        gas.advance(0.1);
        EXPECT_NEAR(gas.excess_temperature()(4, 4, 4), 100 * (1 - std::exp(-1.0)), 0.2) << step;
    }
}

compare::Record record(const std::string& preset, int resolution, double seconds, const std::vector<std::string>& changes = {}) {
    std::vector<std::string> overrides{"domain.resolution=" + std::to_string(resolution)};
    overrides.insert(overrides.end(), changes.begin(), changes.end());
    render::RenderParams look;
    const scene::Scene scene = scene::load_scene(preset, {.overrides = overrides, .sections = {scene::section("render", render::render_table(), look)}});
    const auto model = sim::make_model(scene);
    compare::Record result;
    for (int frame = 1; frame <= int(std::lround(seconds * scene.shot.time.fps)); ++frame) {
        const models::FrameStats stats = model->advance(1 / scene.shot.time.fps);
        result.add(stats, stats.time);
        field::Frame shown = model->show();
        shown.time = stats.time;
        result.add(shown, look);
    }
    return result;
}

/// Per cent by which two runs may differ.
struct Bounds {
    double heat, amounts, soot, volume, light, size;
};

void expect_same_shot(const compare::Record& a, const compare::Record& b, const Bounds& bounds, double mean, const std::string& what) {
    for (const compare::ComparedCurve& curve : compare::compare(a, b, {.mean = mean}).curves) {
        const double bound = curve.name == "heat"                  ? bounds.heat
                             : curve.name.starts_with("amount of ") ? bounds.amounts
                             : curve.name.starts_with("soot ")      ? bounds.soot
                             : curve.name == "expanded volume"      ? bounds.volume
                             : curve.name == "radiated power"       ? bounds.light
                                                                    : bounds.size;
        if (curve.name == "sub-steps") continue;
        EXPECT_LT(100 * curve.worst(), bound) << what << ": " << curve.name;
    }
}

TEST(SameShot, first_explosion_by_steps_frame_rate_and_size) {
    const compare::Record usual = record("explosion-1", 80, 0.25);
    const Bounds close{.heat = 5, .amounts = 5, .soot = 10, .volume = 4, .light = 35, .size = 5};
    expect_same_shot(usual, record("explosion-1", 80, 0.25, {"time.cfl=2"}), close, 0, "cfl 2");
    expect_same_shot(usual, record("explosion-1", 80, 0.25, {"time.fps=48"}), close, 0, "48 fps");
    expect_same_shot(usual, record("explosion-1", 60, 0.25), {.heat = 10, .amounts = 10, .soot = 20, .volume = 5, .light = 40, .size = 10}, 0, "60 cells");
}

TEST(SameShot, blast_by_steps_frame_rate_and_size) {
    const compare::Record usual = record("blast", 60, 1.0 / 3);
    const Bounds close{.heat = 5, .amounts = 5, .soot = 0, .volume = 4, .light = 12, .size = 5};
    expect_same_shot(usual, record("blast", 60, 1.0 / 3, {"time.cfl=6"}), close, 0, "cfl 6");
    expect_same_shot(usual, record("blast", 60, 1.0 / 3, {"time.fps=48"}), close, 0, "48 fps");
    expect_same_shot(usual, record("blast", 80, 1.0 / 3), {.heat = 10, .amounts = 10, .soot = 0, .volume = 5, .light = 30, .size = 10}, 0, "80 cells");
}

/// A fire flickers: means over three quarters of a second.
TEST(SameShot, campfire_by_steps_frame_rate_and_size) {
    const compare::Record usual = record("campfire", 48, 1.25);
    const Bounds close{.heat = 10, .amounts = 10, .soot = 0, .volume = 0, .light = 20, .size = 12};
    expect_same_shot(usual, record("campfire", 48, 1.25, {"time.cfl=2"}), close, 0.75, "cfl 2");
    expect_same_shot(usual, record("campfire", 48, 1.25, {"time.fps=48"}), close, 0.75, "48 fps");
    expect_same_shot(usual, record("campfire", 60, 1.25), {.heat = 10, .amounts = 10, .soot = 0, .volume = 0, .light = 35, .size = 15}, 0.75, "60 cells");
}

}  // namespace
}  // namespace phlo::verify
