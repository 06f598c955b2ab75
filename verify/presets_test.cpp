// Every preset of the gallery with a gas, small and short: it runs, and keeps what no reaction may change. Other models' presets are tried with their laws.
#include <gtest/gtest.h>

#include "chem/integration/kinetics.h"
#include "models/gas/gas.h"
#include "scene/presets.h"
#include "scene/scene.h"
#include "sim/ledger_summary.h"
#include "sim/simulation.h"

namespace phlo::verify {
namespace {

scene::Scene small_scene(const std::string& preset, int resolution, const std::vector<std::string>& changes = {}) {
    std::vector<std::string> overrides{"domain.resolution=" + std::to_string(resolution)};
    overrides.insert(overrides.end(), changes.begin(), changes.end());
    return scene::load_scene(preset, {.overrides = overrides});
}

std::vector<std::string> presets_with_gas() {
    std::vector<std::string> names = scene::preset_names();
    std::erase_if(names, [](const std::string& name) { return !std::holds_alternative<models::GasSetup>(scene::load_scene(name, {.memory_limit = std::size_t(-1)}).model); });
    return names;
}

class EveryPreset : public testing::TestWithParam<std::string> {};

TEST_P(EveryPreset, keeps_its_totals_to_a_millionth) {
    const scene::Scene scene = small_scene(GetParam(), 36, {"gas.transport.scalars=conserving"});
    const auto model = sim::make_model(scene);
    sim::LedgerSummary ledger;
    std::map<std::string, std::map<std::string, double>> last;
    for (int frame = 0; frame < 16; ++frame) ledger.add(last = model->advance(1 / scene.shot.time.fps).ledger);
    int totals = 0;
    const double round_off = 2e-7;   // of fields that hold floats
    for (const auto& [quantity, entries] : last) {
        EXPECT_LT(ledger.chemistry_error(quantity), round_off) << quantity << ": chemistry may not change it";
        if (!quantity.starts_with(sim::conserved_prefix)) continue;
        ++totals;
        EXPECT_FALSE(entries.contains("transported")) << quantity;
        // Energy passes through Newton's method every step, atoms do not.
        EXPECT_LT(ledger.imbalance(quantity), quantity == "total enthalpy" ? 1e-5 : 1e-6) << quantity;
        EXPECT_EQ(entries.contains(models::ledger_entry::reacted), quantity != "total enthalpy") << quantity << ": what reactions did to it is an entry";
    }
    EXPECT_EQ(totals > 0, std::get<models::GasSetup>(scene.model).mechanism.has_value());
}

INSTANTIATE_TEST_SUITE_P(Gallery, EveryPreset, testing::ValuesIn(presets_with_gas()), [](const auto& preset) {
    std::string name = preset.param;
    std::replace(name.begin(), name.end(), '-', '_');
    return name;
});

TEST(Presets, estimated_memory_is_what_a_run_takes_to_a_fifth) {
    for (const auto& [preset, method] : {std::pair("plume", "smoke"), std::pair("campfire", "hybrid"), std::pair("explosion-1", "hybrid"),
                                         std::pair("explosion-1", "grid"), std::pair("hydrogen-jet", "grid")}) {
        const scene::Scene scene = small_scene(preset, 72, {std::string("gas.method=") + method});
        const auto model = sim::make_model(scene);
        model->advance(1 / scene.shot.time.fps);
        const double of_program = 40e6;
        EXPECT_NEAR((scene::estimate(scene).memory_bytes - of_program) / double(model->bytes()), 1, 0.2) << preset << " " << method;
    }
}

TEST(Presets, third_explosion_stays_calm_until_the_blue_gas_arrives) {
    const auto smoke_after = [](const std::vector<std::string>& changes, int frames) {
        const scene::Scene scene = small_scene("explosion-3", 48, changes);
        models::Gas gas(scene.shot, std::get<models::GasSetup>(scene.model));
        for (int frame = 0; frame < frames; ++frame) gas.advance(1 / scene.shot.time.fps);
        return gas.amount("smoke");
    };
    EXPECT_LT(smoke_after({}, 5), 1e-3);                               // the blue gas is on its way
    EXPECT_GT(smoke_after({}, 40), 1);                                 // it has met the red one
    EXPECT_EQ(smoke_after({"emitters.blue.strength=0"}, 40), 0);       // without it nothing happens
}

/// How far the balls of a scene have gone up, in the mean [m], and how much of the smoke has turned red, after 56 frames.
std::pair<double, double> rise_and_red(const std::string& preset, const std::vector<std::string>& changes = {}) {
    const scene::Scene scene = small_scene(preset, 54, changes);
    models::Gas gas(scene.shot, std::get<models::GasSetup>(scene.model));
    double rise = 0;
    const auto add_heights = [&](double factor) {
        for (const auto& body : gas.free_bodies().free()) rise += factor * body.rigid.state.position.z / double(gas.free_bodies().free().size());
    };
    add_heights(-1);
    for (int frame = 0; frame < 56; ++frame) gas.advance(1 / scene.shot.time.fps);
    add_heights(1);
    return {rise, gas.amount("red")};
}

TEST(Presets, balls_with_a_catalyst_rise_on_the_heat_of_its_reaction_and_sink_where_it_takes_heat) {
    const auto [warm, red] = rise_and_red("floating-catalyst");
    const auto [cold, also_red] = rise_and_red("floating-catalyst-cold");
    const auto [still, red_too] = rise_and_red("floating-catalyst", {"chemistry.heat=0"});
    EXPECT_GT(warm, 0.05);
    EXPECT_GT(warm, still + 0.15);
    EXPECT_LT(cold, -0.1);
    EXPECT_LT(cold, still - 0.04) << "smoke weighs more than air: without heat they sink a little, too";
    for (const double made : {red, also_red, red_too}) EXPECT_GT(made, 0.02);
}

TEST(Presets, explosion_in_the_box_leaves_it_by_its_opening_alone) {
    const scene::Scene scene = small_scene("box-burst", 56);
    models::Gas gas(scene.shot, std::get<models::GasSetup>(scene.model));
    const auto amount_in = [&](Vec3d lower, Vec3d upper) {
        double sum = 0;
        for (const models::Substance& substance : gas.substances())
            for (int k = 0; k < gas.domain().cells.z; ++k)
                for (int j = 0; j < gas.domain().cells.y; ++j)
                    for (int i = 0; i < gas.domain().cells.x; ++i) {
                        const Vec3d p = gas.domain().cell_center(i, j, k);
                        if (p.x > lower.x && p.y > lower.y && p.z > lower.z && p.x < upper.x && p.y < upper.y && p.z < upper.z)
                            sum += substance.amount(i, j, k);
                    }
        return sum;
    };
    const auto outside = [&] { return amount_in({-2, -7, 0}, {7, 7, 15}); };
    const auto behind = [&] { return amount_in({-7, -7, 0}, {-6.2, 7, 15}) + amount_in({-6.2, 2.1, 0}, {-3, 7, 15}) + amount_in({-6.2, -2.1, 3.7}, {-3.5, 2.1, 15}); };
    const double at_start = outside();
    EXPECT_LT(at_start, 1e-6);
    for (int frame = 0; frame < 8; ++frame) gas.advance(1 / scene.shot.time.fps);
    EXPECT_GT(outside(), 50);
    EXPECT_LT(behind(), 0.02 * outside());
}

/// How far from round the smoke is, seen from above: from 0, a circle, to 1, a line. By its second moments around its middle.
double oblong(models::Gas& gas, const std::string& species) {
    double sum = 0;
    Vec3d first;
    double xx = 0, yy = 0, xy = 0;
    for (const models::Substance& substance : gas.substances())
        for (int k = 0; substance.name == species && k < gas.domain().cells.z; ++k)
            for (int j = 0; j < gas.domain().cells.y; ++j)
                for (int i = 0; i < gas.domain().cells.x; ++i) {
                    const Vec3d p = gas.domain().cell_center(i, j, k);
                    const double n = double(substance.amount(i, j, k));
                    sum += n, first += p * n, xx += n * p.x * p.x, yy += n * p.y * p.y, xy += n * p.x * p.y;
                }
    const Vec3d middle = first / sum;
    xx = xx / sum - middle.x * middle.x, yy = yy / sum - middle.y * middle.y, xy = xy / sum - middle.x * middle.y;
    return std::hypot(xx - yy, 2 * xy) / (xx + yy);
}

TEST(Presets, first_explosion_from_an_even_ball_is_round_from_above_with_one_sweep_as_with_five) {
    for (const int sweeps : {1, 5}) {
        const scene::Scene scene = small_scene("explosion-1-symmetric", 36, {"chemistry.particles.sweeps=" + std::to_string(sweeps), "chemistry.particles.amount=0.15"});
        models::Gas gas(scene.shot, std::get<models::GasSetup>(scene.model));
        for (int frame = 1; frame < 6; ++frame) gas.advance(1 / scene.shot.time.fps);
        EXPECT_GT(gas.amount("S3"), 50) << "it went off";
        EXPECT_LT(oblong(gas, "S3"), 0.03) << sweeps;
    }
}

/// When a reactor with the charge's concentration, in the mean over its molecules, has made half a mole of S3 for each mole of S1 [s].
double onset_in_reactor(models::Gas& gas, const chem::Mechanism& mechanism) {
    const chem::Network network(mechanism);
    double moles = 0, squares = 0;
    for (const models::Substance& substance : gas.substances())
        if (substance.name == "S1")
            for (int k = 0; k < gas.domain().cells.z; ++k)
                for (int j = 0; j < gas.domain().cells.y; ++j)
                    for (int i = 0; i < gas.domain().cells.x; ++i) moles += double(substance.amount(i, j, k)), squares += std::pow(double(substance.amount(i, j, k)), 2);
    const double c = squares / moles;
    chem::CellState cell{.temperature = 293.15, .volume = 1, .amounts = {c, c, 0, 0, 0, 0}};
    double time = 0;
    for (; cell.amounts[2] < 0.5 * c; time += 1e-4) chem::react_along(network, cell, 1e-4, {}, [](const auto&, const auto&) {});
    return time;
}

TEST(Presets, explosion_in_the_box_goes_off_when_its_chemistry_says) {
    const scene::Scene scene = small_scene("box-burst", 44, {"time.fps=480"});
    const auto& setup = std::get<models::GasSetup>(scene.model);
    models::Gas gas(scene.shot, setup);
    const double expected = onset_in_reactor(gas, *setup.mechanism), all = gas.amount("S1");
    double onset = 0, before = 0;
    for (int frame = 1; onset == 0 && frame < 40; ++frame) {
        gas.advance(1.0 / 480);
        const double now = gas.amount("S3") / all;
        if (now > 0.5) onset = (frame - (now - 0.5) / (now - before)) / 480;
        before = now;
    }
    EXPECT_NEAR(onset / expected, 1, 0.05);
}

}  // namespace
}  // namespace phlo::verify
