#include "chem/integration/reactor.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "chem/integration/reactor_columns.h"
#include "chem/mechanism/read.h"
#include "chem/rates/thermo.h"
#include "complaint.h"
#include "source_dir.h"

namespace phlo::chem {
namespace {

Mechanism from(const std::string& text) { return read_mechanism(config::parse_yaml(text, "m.yaml"), ""); }

/// A => B at 2/s: everything is known in closed form.
Mechanism decay() { return from("species: [A, B]\nreactions:\n- {equation: A => B, rate: 2}\n"); }

const Mechanism& hydrogen() {
    static const Mechanism mechanism = read_mechanism(phlo::test::source_dir() + "/mechanisms/hydrogen.yaml");
    return mechanism;
}

ReactorParams read(const Mechanism& mechanism, const std::string& section, const std::vector<std::string>& overrides = {}) {
    const config::Node file = config::parse_yaml(section, "m.yaml");
    return read_reactor(mechanism, file.is_null() ? config::Node{} : *file.get("react"), overrides);
}

std::string refusal(const Mechanism& mechanism, const std::string& section, const std::vector<std::string>& overrides = {}) {
    return test::complaint([&] { read(mechanism, section, overrides); });
}

TEST(reactor, decay_follows_the_exponential) {
    const Network network(decay());
    ReactorParams params = default_reactor(network.mechanism());
    params.amount = {{"A", 3}};
    params.time = 2;
    const ReactorRun run = run_reactor(network, params);
    for (const double t : {0.0, 0.123, 0.77, 1.9, 2.0}) {
        const CellState state = run.path.at(t);
        EXPECT_NEAR(state.amounts[0], 3 * std::exp(-2 * t), 1e-5) << "between the steps too, at " << t;
        EXPECT_NEAR(state.amounts[0] + state.amounts[1], 3, 1e-12);
    }
    EXPECT_LT(run.totals_drift, 1e-13);
    EXPECT_FALSE(run.ignition_delay);
    EXPECT_GT(run.report.steps, 5);
}

TEST(reactor, early_times_are_right_even_in_a_very_long_run) {
    const Network network(read_mechanism(phlo::test::source_dir() + "/mechanisms/robertson.yaml"));
    ReactorParams params = default_reactor(network.mechanism());
    params.amount = {{"A", 1}};
    params.time = 4e10;
    const ReactorRun run = run_reactor(network, params);
    // at first B is made at 0.04/s and hardly anything else happens
    EXPECT_NEAR(run.path.at(1e-5).amounts[1], 4e-7, 2e-9);
    EXPECT_NEAR(run.path.at(4e-5).amounts[1], 1.6e-6, 1e-8);
    EXPECT_NEAR(run.path.at(40).amounts[0], 0.7158270688, 1e-5) << "[hairer1996, IV.10]";
    EXPECT_EQ(run.path.back().time, 4e10);
}

TEST(reactor, columns_joined_by_lines_stay_on_the_curve) {
    const Network network(decay());
    ReactorParams params = default_reactor(network.mechanism());
    params.amount = {{"A", 1}};
    params.time = 3;
    params.tolerance = 1e-4;  // long steps: the table must be finer than they are
    const ReactorRun run = run_reactor(network, params);
    const std::vector<Column> columns = columns_of(network.mechanism(), params, run);
    ASSERT_EQ(columns.size(), 6u);
    EXPECT_EQ(columns[0].header(), "time [s]");
    EXPECT_EQ(columns[4].header(), "A [mol/m^3]");
    const std::vector<double>&t = columns[0].values, &a = columns[4].values;
    EXPECT_GT(t.size(), run.path.steps().size());
    for (std::size_t i = 0; i + 1 < t.size(); ++i)
        EXPECT_NEAR(0.5 * (a[i] + a[i + 1]), std::exp(-(t[i] + t[i + 1])), 5e-4) << "half-way between rows, at " << t[i];
}

TEST(reactor, rows_follow_the_points_that_are_asked_for) {
    const Network network(decay());
    ReactorParams params = default_reactor(network.mechanism());
    params.amount = {{"A", 1}};
    params.time = 4;
    params.points = 9;
    const ReactorRun run = run_reactor(network, params);
    const std::vector<double> even = columns_of(network.mechanism(), params, run)[0].values;
    ASSERT_EQ(even.size(), 9u);
    for (std::size_t i = 0; i < 9; ++i) EXPECT_DOUBLE_EQ(even[i], 0.5 * double(i));
    params.spacing = Spacing::log;
    const std::vector<double> decades = columns_of(network.mechanism(), params, run)[0].values;
    ASSERT_EQ(decades.size(), 9u);
    EXPECT_EQ(decades.front(), 0);
    EXPECT_EQ(decades.back(), 4);
    for (std::size_t i = 2; i + 1 < 9; ++i) EXPECT_NEAR(decades[i + 1] / decades[i], decades[i] / decades[i - 1], 1e-9);
}

TEST(reactor, long_paths_are_thinned_without_losing_their_shape) {
    Trajectory path(Hold::volume);
    const int steps = 20000;
    for (int i = 0; i <= steps; ++i) {
        const double t = 10.0 * i / steps;
        path.add({.time = t, .temperature = 300, .volume = 1, .pressure = 0, .amounts = {2 + std::sin(t)}, .heating = 0},
                 {.amounts = {std::cos(t)}, .progress = {}});
    }
    const std::vector<double> times = path.faithful_times(2e-4);
    EXPECT_LT(times.size(), 3000u);
    for (std::size_t i = 0; i + 1 < times.size(); ++i) {
        const double middle = 0.5 * (times[i] + times[i + 1]);
        EXPECT_NEAR(0.5 * (path.at(times[i]).amounts[0] + path.at(times[i + 1]).amounts[0]), 2 + std::sin(middle), 5e-4);
    }
}

TEST(reactor, between_steps_nothing_is_negative) {
    Trajectory path(Hold::volume);
    const auto add = [&](double t, double n, double slope) {
        path.add({.time = t, .temperature = 300, .volume = 1, .pressure = 0, .amounts = {n, 1}, .heating = 0},
                 {.amounts = {slope, 0}, .progress = {}});
    };
    add(0, 1, -30);
    add(1, 1e-9, 0);
    for (int i = 0; i <= 100; ++i) EXPECT_GE(path.at(0.01 * i).amounts[0], 0) << "the cubic alone would reach −3";
}

TEST(reactor, the_start_is_the_same_however_it_is_said) {
    const Mechanism& m = hydrogen();
    ReactorParams by_mole = default_reactor(m);
    by_mole.temperature = 900;
    by_mole.pressure = 2e5;
    by_mole.mole = {{"H2", 4}, {"O2", 2}};
    const CellState a = initial_state(m, by_mole);
    EXPECT_NEAR(a.amounts[std::size_t(m.find("H2"))], 2.0 / 3 * 2e5 / (gas_constant * 900), 1e-10);

    ReactorParams by_mass = by_mole;
    by_mass.mole.clear();
    by_mass.mass = {{"H2", 4 * m.species[std::size_t(m.find("H2"))].molar_mass},
                    {"O2", 2 * m.species[std::size_t(m.find("O2"))].molar_mass}};
    ReactorParams by_amount = by_mole;
    by_amount.mole.clear();
    by_amount.pressure = 1;  // does not count
    for (const char* name : {"H2", "O2"}) by_amount.amount[name] = a.amounts[std::size_t(m.find(name))];
    for (const ReactorParams& other : {by_mass, by_amount}) {
        const CellState b = initial_state(m, other);
        EXPECT_NEAR(b.pressure, 2e5, 1e-6);
        for (std::size_t k = 0; k < a.amounts.size(); ++k) EXPECT_NEAR(b.amounts[k], a.amounts[k], 1e-12);
    }
}

TEST(reactor, hydrogen_ignites_when_and_as_hot_as_it_should) {
    // H2:O2:N2 = 2:1:3.76 at 1000 K and 1 atm: reference by Cantera 3.0.1, rtol 1e-9
    const Network network(hydrogen());
    ReactorParams params = default_reactor(hydrogen());
    params.temperature = 1000;
    params.mole = {{"H2", 2}, {"O2", 1}, {"N2", 3.76}};
    params.time = 2.4e-3;
    const ReactorRun pressure = run_reactor(network, params);
    ASSERT_TRUE(pressure.ignition_delay && pressure.delay_400);
    EXPECT_NEAR(*pressure.ignition_delay / 3.11980043e-04, 1, 1e-4);
    EXPECT_NEAR(*pressure.delay_400 / 3.11137418e-04, 1, 1e-4);
    EXPECT_NEAR(pressure.path.back().temperature, 2692.8133, 0.05);
    EXPECT_LT(pressure.totals_drift, 1e-12);
    EXPECT_LT(std::abs(pressure.energy_drift), 0.01);
    EXPECT_DOUBLE_EQ(pressure.path.back().pressure, 101325);

    params.hold = Hold::volume;
    const ReactorRun volume = run_reactor(network, params);
    EXPECT_GT(volume.path.back().temperature, pressure.path.back().temperature + 200) << "no work is done";
    EXPECT_LT(std::abs(volume.energy_drift), 0.01);
    EXPECT_DOUBLE_EQ(volume.path.back().volume, 1);

    params.thermal = Thermal::isothermal;
    const ReactorRun held = run_reactor(network, params);
    EXPECT_EQ(held.path.back().temperature, 1000);
    EXPECT_FALSE(held.ignition_delay);
}

TEST(reactor, what_is_drawn_reacts_and_comes_largest_first) {
    const Network network(hydrogen());
    ReactorParams params = default_reactor(hydrogen());
    params.temperature = 1100;
    params.mole = {{"H2", 2}, {"O2", 1}, {"N2", 3.76}};
    params.time = 1e-3;
    const std::vector<Column> columns = columns_of(hydrogen(), params, run_reactor(network, params));
    EXPECT_EQ(columns[4].header(), "X_H2");
    const std::vector<const Column*> shown = notable_species(network, columns, 3);
    ASSERT_EQ(shown.size(), 3u);
    EXPECT_EQ(shown[0]->name, "X_H2");
    EXPECT_EQ(shown[1]->name, "X_H2O");
    EXPECT_EQ(shown[2]->name, "X_O2") << "and not N2, which only gets thinner";
    for (std::size_t row = 0; row < columns[0].values.size(); ++row) {
        double sum = 0;
        for (std::size_t c = 4; c < columns.size(); ++c) sum += columns[c].values[row];
        EXPECT_NEAR(sum, 1, 1e-12);
    }
}

TEST(reactor, a_section_and_the_command_line_say_what_to_do) {
    const std::string section = "react: {temperature: 1200 K, pressure: 2 atm, mole: {H2: 2, O2: 1}, time: 5 ms, hold: volume}\n";
    const ReactorParams plain = read(hydrogen(), section);
    EXPECT_EQ(plain.temperature, 1200);
    EXPECT_EQ(plain.pressure, 202650);
    EXPECT_EQ(plain.mole.at("H2"), 2);
    EXPECT_EQ(plain.time, 5e-3);
    EXPECT_EQ(plain.hold, Hold::volume);
    EXPECT_EQ(plain.thermal, Thermal::adiabatic);

    const ReactorParams changed = read(hydrogen(), section, {"mole.N2=3.76", "temperature=600 degC"});
    EXPECT_EQ(changed.mole.size(), 3u);
    EXPECT_DOUBLE_EQ(changed.temperature, 873.15);
    const ReactorParams replaced = read(hydrogen(), section, {"amount={H2: 3, O2: 1 mol/l}"});
    EXPECT_TRUE(replaced.mole.empty());
    EXPECT_NEAR(replaced.amount.at("O2"), 1000, 1e-9);
    EXPECT_EQ(read(decay(), "react: {amount: {A: 1}}").thermal, Thermal::isothermal);
    EXPECT_EQ(read(decay(), "react: {amount: {A: 1}}").show, SpeciesMeasure::concentration);
}

TEST(reactor, wrong_settings_are_told_with_their_place) {
    const auto expect = [](const std::string& said, const std::string& start, const std::string& part) {
        EXPECT_TRUE(said.starts_with(start)) << said;
        EXPECT_NE(said.find(part), std::string::npos) << said;
    };
    expect(refusal(decay(), "react: {amount: {a: 1}}"), "m.yaml:1:18: react.amount.a: ", "did you mean 'A'");
    expect(refusal(decay(), "react: {amuont: {A: 1}}"), "m.yaml:1:9: react.amuont: ", "did you mean 'amount'");
    expect(refusal(decay(), "react: {amount: {A: -1}}"), "m.yaml:1:21: react.amount.A: ", ">= 0");
    expect(refusal(decay(), "react: {amount: {A: 0}}"), "m.yaml:1:9: react.amount: ", "nothing in it");
    expect(refusal(decay(), "react: {amount: {A: 1 kg}}"), "m.yaml:1:21: react.amount.A: ", "mol/m^3");
    expect(refusal(decay(), "react: {time: 1}"), "m.yaml:1:8: react: ", "what is in the reactor?");
    expect(refusal(decay(), ""), "react: ", "--set \"amount={A: 1}\"");
    expect(refusal(hydrogen(), "", {"mole.H3=1"}), "--set mole.H3=1: react.mole.H3: ", "did you mean 'H2'");
    expect(refusal(decay(), "react: {amount: {A: 1}, mole: {A: 1}}"), "m.yaml:1:9: react.amount: ", "said twice");
    expect(refusal(decay(), "react: {amount: {A: 1}, pressure: 1}"), "m.yaml:1:25: react.pressure: ", "follows");
    expect(refusal(decay(), "react: {amount: {A: 1}, thermal: adiabatic}"), "m.yaml:1:25: react.thermal: ", "isothermal");
    expect(refusal(decay(), "react: {amount: {A: 1}, time: 0}"), "m.yaml:1:31: react.time: ", "> 0");
    expect(refusal(decay(), "react: {amount: {A: 1}, hold: temperature}"), "m.yaml:1:31: react.hold: ", "pressure or volume");
    expect(refusal(decay(), "react: {amount: {A: 1}, points: 1}"), "m.yaml:1:25: react.points: ", "at least 2");
    expect(refusal(decay(), "react: {amount: {A: 1}}", {"temperature=3 m"}), "--set temperature=3 m: react.temperature: ", "temperature");
}

}  // namespace
}  // namespace phlo::chem
