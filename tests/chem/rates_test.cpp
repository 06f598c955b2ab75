#include <gtest/gtest.h>

#include <cmath>

#include "chem/integration/cell_system.h"
#include "chem/integration/kinetics.h"
#include "chem/mechanism/read.h"
#include "config/node.h"
#include "gri30.h"
#include "source_dir.h"
#include "tables.h"

namespace phlo::chem::test {
namespace {

using P = simd::Pack<double>;

/// Largest relative difference of the net production rates to a table's; entries below 1e-12 of a state's largest count less.
double worst_production(const Network& network, const std::string& table) {
    double worst = 0;
    for (const TableRow& row : read_csv(table)) {
        CellState state{.temperature = number(row, "T_K"), .volume = 1};
        for (const Species& s : network.mechanism().species)
            state.amounts.push_back(number(row, "Y_" + s.name) * number(row, "rho_kg_m3") / s.molar_mass);
        const Rates rates = rates_of(network, state, {.adiabatic = true});
        double largest = 0;
        for (const Species& s : network.mechanism().species) largest = std::max(largest, std::abs(number(row, "wdot_" + s.name)) * 1000);
        for (int s = 0; s < network.species(); ++s) {
            const double expected = number(row, "wdot_" + network.mechanism().species[s].name) * 1000;  // kmol to mol
            worst = std::max(worst, std::abs(rates.amounts[s] - expected) / std::max(std::abs(expected), 1e-12 * largest));
        }
    }
    return worst;
}

Network toy_network(const std::string& text) { return Network(read_mechanism(config::parse_yaml(text, "toy.yaml"), "")); }

/// Largest difference between the analytic Jacobian and central differences of the rates, relative to the row's scale.
double worst_derivative(const Network& network, const CellState& state, const KineticsParams& params) {
    const SystemPlan plan(network, params);
    std::vector<double> amounts = state.amounts;
    double temperature = state.temperature;
    Cells<double> cells{
        .count = 1, .amounts = {}, .temperature = &temperature, .same_volume = state.volume, .same_pressure = state.pressure};
    for (double& n : amounts) cells.amounts.push_back(&n);
    const int list[] = {0};
    std::vector<FailedCell> none;
    CellSystem<P> system(plan, cells, list, none);
    const int n = plan.unknowns;
    std::vector<P> y(std::size_t(n), P(0.0)), f(y), up(y), down(y);
    system.load(0, y.data());
    const P t(0.3);
    double worst = 0;
    std::vector analytic(std::size_t(n), std::vector<double>(std::size_t(n), 0.0));
    system.linearise(t, y.data(), f.data());
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j) analytic[i][j] = system.derivative(i, j)[0];
    for (int j = 0; j < n; ++j) {
        const double step = 1e-6 * (std::abs(y[j][0]) + (j < plan.states ? 1e-3 : 0));
        std::vector<P> moved = y;
        moved[j] = y[j] + P(step);
        system.rates(t, moved.data(), up.data());
        moved[j] = y[j] - P(step);
        system.rates(t, moved.data(), down.data());
        for (int i = 0; i < n; ++i) {
            const double difference = (up[i][0] - down[i][0]) / (2 * step);
            double scale = std::abs(f[i][0]) / (std::abs(y[j][0]) + 1e-3);
            for (int k = 0; k < n; ++k)
                scale = std::max(scale, std::abs(analytic[i][k]) * (std::abs(y[k][0]) + 1e-6) / (std::abs(y[j][0]) + 1e-6));
            worst = std::max(worst, std::abs(difference - analytic[i][j]) / std::max(scale, 1e-300));
        }
    }
    return worst;
}

CellState burning_hydrogen(const Network& network) {
    CellState state{.temperature = 1450, .volume = 1, .pressure = 2e5, .amounts = {}};
    for (int s = 0; s < network.species(); ++s) state.amounts.push_back(0.2 + 0.3 * s);
    return state;
}

TEST(rates, production_of_hydrogen_agrees_with_cantera) {
    const Network network(read_mechanism(phlo::test::source_dir() + "/mechanisms/hydrogen.yaml"));
    EXPECT_LT(worst_production(network, data_dir + "wdot_h2o2.csv"), 1e-9);
}

TEST(rates, production_of_gri30_agrees_with_cantera) {
    NEEDS_GRI30();
    const Network network(*gri30());
    EXPECT_LT(worst_production(network, data_dir + "wdot_gri30.csv"), 1e-9);
}

TEST(rates, progress_of_each_reaction_agrees_with_cantera) {
    const Network network(read_mechanism(phlo::test::source_dir() + "/mechanisms/hydrogen.yaml"));
    std::map<std::string, TableRow> states;
    for (const TableRow& row : read_csv(data_dir + "wdot_h2o2.csv")) states[row.at("state_id")] = row;
    int compared = 0;
    for (const TableRow& row : read_csv(data_dir + "rates_h2o2.csv")) {
        const TableRow& at = states.at(row.at("state_id"));
        CellState state{.temperature = number(at, "T_K"), .volume = 1};
        for (const Species& s : network.mechanism().species)
            state.amounts.push_back(number(at, "Y_" + s.name) * number(at, "rho_kg_m3") / s.molar_mass);
        const Rates rates = rates_of(network, state, {.adiabatic = true});
        const double forward = number(row, "rop_fwd") * 1000, backward = number(row, "rop_rev") * 1000;
        const int r = int(number(row, "reaction")) - 1;
        EXPECT_NEAR(rates.progress[std::size_t(r)], forward - backward, 1e-9 * (forward + backward))
            << row.at("state_id") << " reaction " << r;
        ++compared;
    }
    EXPECT_GT(compared, 100);
}

TEST(rates, jacobian_is_the_derivative_in_every_reactor) {
    const Network network(read_mechanism(phlo::test::source_dir() + "/mechanisms/hydrogen.yaml"));
    const CellState state = burning_hydrogen(network);
    for (const Hold hold : {Hold::volume, Hold::pressure})
        for (const bool adiabatic : {false, true})
            EXPECT_LT(worst_derivative(network, state, {.hold = hold, .adiabatic = adiabatic}), 2e-7) << int(hold) << adiabatic;
}

TEST(rates, jacobian_of_gri30_is_the_derivative) {
    NEEDS_GRI30();
    const Network network(*gri30());
    EXPECT_LT(worst_derivative(network, burning_hydrogen(network), {.hold = Hold::pressure, .adiabatic = true}), 1e-6);
}

TEST(rates, jacobian_knows_real_orders_and_control_functions) {
    const Network network = toy_network(R"yaml(
species: [S1, S2, S3, S4]
reactions:
- {equation: S1 + S2 => 2 S3, rate: 3, orders: {S1: 0.5, S2: 1.7, S4: -0.4}, negative-orders: true}
- {equation: S3 => S1, rate: "2 + sin(t) * exp(-300/T) * S2 / (1 + S3)"}
- {equation: 3 S3 => S2, rate: {A: 0.7, b: 0.5, Ta: 200 K}}
- {equation: S3 + S4 => S4 + S2, rate: "T^0.3"}
)yaml");
    const CellState state{.temperature = 640, .volume = 2, .pressure = 1e5, .amounts = {1.3, 0.7, 0.4, 2.1}};
    EXPECT_LT(worst_derivative(network, state, {}), 1e-7);
    EXPECT_LT(worst_derivative(network, state, {.hold = Hold::pressure}), 1e-7);
}

TEST(rates, a_rate_ends_with_what_it_uses_up_whatever_its_order) {
    for (const char* order : {"0", "0.5", "1.5"}) {
        const Network network =
            toy_network(std::string("species: [A, B]\nreactions: [{equation: A => B, rate: 2, orders: {A: ") + order + "}}]");
        CellState state{.temperature = 300, .volume = 1, .amounts = {0, 1}};
        EXPECT_EQ(rates_of(network, state, {}).amounts[0], 0) << order;
        state.amounts = {1, 0};
        EXPECT_NEAR(rates_of(network, state, {}).amounts[0], -2, 1e-12) << order;
    }
}

TEST(rates, totals_are_found_in_the_stoichiometry) {
    const Network network(read_mechanism(phlo::test::source_dir() + "/mechanisms/hydrogen.yaml"));
    EXPECT_EQ(network.states().size(), 8u);  // N2 and AR only collide
    ASSERT_EQ(network.invariants().size(), 2u);  // hydrogen and oxygen atoms
    for (const auto& w : network.invariants())
        for (const CompiledReaction& reaction : network.compiled()) {
            double sum = 0;
            for (const Term& t : reaction.net) sum += t.coefficient * w[std::size_t(network.state_of(t.species))];
            EXPECT_NEAR(sum, 0, 1e-12);
        }
}

}  // namespace
}  // namespace phlo::chem::test
