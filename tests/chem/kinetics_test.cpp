#include "chem/integration/kinetics.h"

#include <gtest/gtest.h>

#include <cmath>

#include "base/error.h"
#include "base/parallel.h"
#include "base/random.h"
#include "chem/mechanism/read.h"
#include "gri30.h"
#include "source_dir.h"
#include "tables.h"

namespace phlo::chem::test {
namespace {

/// Species and reactions of a table in toy/; what it calls buffered stands on both sides of its reactions.
struct Toy {
    Network network;
    CellState start;
};

Toy read_toy(const std::string& name) {
    const config::Node json = config::parse_yaml_file(data_dir + "toy/" + name + ".json");
    Mechanism m;
    m.name = name;
    for (const config::Node& s : json.get("species")->items) m.species.push_back({.name = s.text});
    CellState start{.temperature = 300, .volume = 1, .amounts = std::vector<double>(m.species.size(), 0.0)};
    for (const auto& entry : json.get("c0")->entries) start.amounts[m.find(entry.key)] = std::stod(entry.value.text);
    const auto is_buffered = [&](const std::string& species) {
        for (const config::Node& b : json.get("buffered")->items)
            if (b.text == species) return true;
        return false;
    };
    for (const config::Node& r : json.get("reactions")->items) {
        Reaction reaction{.rate = Arrhenius{.A = std::stod(r.get("k")->text)}};
        for (const auto& entry : r.get("reactants")->entries) {
            reaction.reactants.push_back({m.find(entry.key), std::stod(entry.value.text)});
            if (is_buffered(entry.key)) reaction.products.push_back(reaction.reactants.back());
        }
        reaction.orders = reaction.reactants;
        for (const auto& entry : r.get("products")->entries)
            if (!is_buffered(entry.key)) reaction.products.push_back({m.find(entry.key), std::stod(entry.value.text)});
        m.reactions.push_back(std::move(reaction));
    }
    return {Network(std::move(m)), std::move(start)};
}

/// Largest difference to the table, over each species' maximum.
double worst_of_toy(const std::string& name, double tolerance) {
    Toy toy = read_toy(name);
    const auto rows = read_csv(data_dir + "toy/" + name + ".csv");
    std::vector<double> largest(std::size_t(toy.network.species()), 0.0);
    for (const TableRow& row : rows)
        for (const int s : toy.network.states()) largest[s] = std::max(largest[s], number(row, toy.network.mechanism().species[s].name));
    double worst = 0;
    CellState state = toy.start;
    for (const TableRow& row : rows) {
        const double t = number(row, "t");
        if (t > state.time)
            react_along(toy.network, state, t - state.time, {.relative = tolerance, .absolute = 1e-18},
                        [](const CellState&, const Rates&) {});
        for (const int s : toy.network.states())
            worst = std::max(worst, std::abs(state.amounts[s] - number(row, toy.network.mechanism().species[s].name)) / largest[s]);
        state.time = t;
    }
    return worst;
}

TEST(kinetics, stiff_toys_end_where_cvode_says) {
    for (const char* name : {"robertson_std", "robertson_k2", "chain_mild_11", "chain_mild_lean", "chain_very_11", "chain_very_rich"})
        EXPECT_LT(worst_of_toy(name, 1e-6), 1e-5) << name;
}

TEST(kinetics, oscillators_keep_their_phase) {
    for (const char* name : {"oregonator_f1", "oregonator_f16", "brusselator_A1_B3", "brusselator_depleting", "bz_batch", "bz_batch_slow"})
        EXPECT_LT(worst_of_toy(name, 1e-8), 1e-4) << name;
}

TEST(kinetics, a_tighter_tolerance_is_a_smaller_error) {
    const double loose = worst_of_toy("robertson_std", 1e-4), tight = worst_of_toy("robertson_std", 1e-7);
    EXPECT_LT(loose, 1e-3);
    EXPECT_LT(tight, loose / 50);
}

/// Starts a row of an ignition table and follows it to its end.
struct Ignition {
    double delay = 0, end_temperature = 0;
};
Ignition ignite(const Network& network, const TableRow& row) {
    const Mechanism& m = network.mechanism();
    CellState state{
        .temperature = number(row, "T0_K"), .pressure = number(row, "P0_Pa"), .amounts = std::vector<double>(m.species.size(), 0.0)};
    std::stringstream mixture(row.at("X0"));
    double moles = 0;
    for (std::string word; mixture >> word;) {
        const auto colon = word.find(':');
        state.amounts[m.find(word.substr(0, colon))] = std::stod(word.substr(colon + 1));
        moles += std::stod(word.substr(colon + 1));
    }
    state.volume = gas_constant * state.temperature * moles / state.pressure;
    double fastest = 0;
    Ignition result;
    react_along(network, state, number(row, "t_end_s"),
                {.hold = row.at("reactor") == "CP" ? Hold::pressure : Hold::volume, .adiabatic = true, .relative = 1e-6, .absolute = 1e-16},
                [&](const CellState& s, const Rates&) {
                    if (s.heating > fastest) fastest = s.heating, result.delay = s.time;
                });
    result.end_temperature = state.temperature;
    return result;
}

void expect_ignitions(const Network& network, const std::string& table, std::size_t every) {
    const auto rows = read_csv(table);
    for (std::size_t i = 0; i < rows.size(); i += every) {
        const Ignition found = ignite(network, rows[i]);
        EXPECT_NEAR(found.delay, number(rows[i], "tau_max_dTdt_s"), 0.003 * number(rows[i], "tau_max_dTdt_s")) << rows[i].at("case_id");
        EXPECT_NEAR(found.end_temperature, number(rows[i], "T_end_K"), 0.05) << rows[i].at("case_id");
    }
}

TEST(kinetics, hydrogen_ignites_when_cantera_says) {
    expect_ignitions(Network(read_mechanism(phlo::test::source_dir() + "/mechanisms/hydrogen.yaml")), data_dir + "ignition_h2.csv", 1);
}

TEST(kinetics, methane_ignites_when_cantera_says) {
    NEEDS_GRI30();
    expect_ignitions(Network(*gri30()), data_dir + "ignition_ch4.csv", 3);
}

/// Largest difference of mass fractions along a trajectory, over each species' peak. The table's times have six digits: what a species
/// changes within half of the last one does not count.
double worst_of_trajectory(const Network& network, const std::string& path, Hold hold) {
    const auto rows = read_csv(path);
    const Mechanism& m = network.mechanism();
    std::map<std::string, double> peak;
    for (const TableRow& row : rows)
        for (const Species& s : m.species) peak[s.name] = std::max(peak[s.name], number(row, "Y_" + s.name));
    CellState state{.temperature = number(rows[0], "T_K"), .volume = 1 / number(rows[0], "rho_kg_m3"), .pressure = number(rows[0], "P_Pa")};
    for (const Species& s : m.species) state.amounts.push_back(number(rows[0], "Y_" + s.name) / s.molar_mass);
    double worst = 0;
    for (const TableRow& row : rows) {
        const double t = number(row, "t_s");
        Rates rates;
        if (t > state.time)
            react_along(network, state, t - state.time, {.hold = hold, .adiabatic = true, .relative = 1e-7, .absolute = 1e-18},
                        [&](const CellState&, const Rates& now) { rates = now; });
        state.time = t;
        for (std::size_t s = 0; s < m.species.size(); ++s) {
            const double Y = number(row, "Y_" + m.species[s].name);
            if (peak[m.species[s].name] == 0) continue;
            const double unsure = rates.amounts.empty() ? 0 : std::abs(rates.amounts[s]) * m.species[s].molar_mass * 5e-6 * t;
            worst = std::max(worst, (std::abs(state.amounts[s] * m.species[s].molar_mass - Y) - unsure) / peak[m.species[s].name]);
        }
    }
    return worst;
}

void expect_trajectories(const Network& network, const std::string& folder, const std::string& prefix) {
    int compared = 0;
    for (const auto& file : std::filesystem::directory_iterator(folder)) {
        const std::string name = file.path().filename();
        if (!name.starts_with(prefix)) continue;
        EXPECT_LT(worst_of_trajectory(network, file.path(), name.find("_cp_") != std::string::npos ? Hold::pressure : Hold::volume), 1e-3)
            << name;
        ++compared;
    }
    EXPECT_GE(compared, 4);
}

TEST(kinetics, trajectories_of_hydrogen_follow_cantera) {
    expect_trajectories(Network(read_mechanism(phlo::test::source_dir() + "/mechanisms/hydrogen.yaml")), data_dir + "trajectories", "h2");
}

TEST(kinetics, trajectories_of_methane_follow_cantera) {
    NEEDS_SHARED_DATA();
    expect_trajectories(Network(read_mechanism(shared_dir + "mechanisms/h2o2.yaml")), shared_dir + "kinetics/trajectories", "h2");
    expect_trajectories(Network(read_mechanism(shared_dir + "mechanisms/gri30.yaml")), shared_dir + "kinetics/trajectories", "ch4");
}

// ---- batches ----------------------------------------------------------------------------------------------------------------------

/// Cells of a table in cells/ and room for their results.
template <class S>
struct Batch {
    std::vector<std::vector<S>> amounts;
    std::vector<S> temperature;
    Cells<S> cells;

    Batch(int species, int count)
        : amounts(std::size_t(species), std::vector<S>(std::size_t(count))), temperature(std::size_t(count), S(300)) {
        cells.count = count;
        cells.temperature = temperature.data();
        for (auto& a : amounts) cells.amounts.push_back(a.data());
    }
};

template <class S>
Batch<S> chain_cells(int copies, const std::string& table = "chain_mild") {
    const auto rows = read_csv(data_dir + "cells/" + table + ".csv");
    Batch<S> batch(6, int(rows.size()) * copies);
    for (int i = 0; i < batch.cells.count; ++i)
        for (int s = 0; s < 6; ++s)
            batch.amounts[s][i] = S(number(rows[std::size_t(i) % rows.size()], "S" + std::to_string(s + 1) + "_start"));
    return batch;
}

Network stiff_chain() {
    Mechanism m = read_mechanism(phlo::test::source_dir() + "/mechanisms/chain.yaml");
    const double k[] = {1e-3, 1e-4, 1e8, 2e7, 1e4};
    for (std::size_t r = 0; r < 5; ++r) m.reactions[r].rate = Arrhenius{.A = k[r]};
    return Network(std::move(m));
}

TEST(kinetics, cells_of_the_stiff_chain_agree_with_their_table_in_float_and_double) {
    const Network network = stiff_chain();
    const auto rows = read_csv(data_dir + "cells/chain_very.csv");
    Batch<float> single = chain_cells<float>(1, "chain_very");
    Batch<double> full = chain_cells<double>(1, "chain_very");
    EXPECT_EQ(react(network, single.cells, 1.0 / 96, {.relative = 1e-5, .absolute = 1e-11}).failed, 0);
    EXPECT_EQ(react(network, full.cells, 1.0 / 96, {.relative = 1e-7, .absolute = 1e-13}).failed, 0);
    double sum_single = 0, sum_full = 0;
    for (std::size_t i = 0; i < rows.size(); ++i)
        for (int s = 0; s < 6; ++s) {
            const double expected = number(rows[i], "S" + std::to_string(s + 1) + "_end"), scale = std::abs(expected) + 1e-6;
            sum_single += std::pow((double(single.amounts[s][i]) - expected) / scale, 2);
            sum_full += std::pow((full.amounts[s][i] - expected) / scale, 2);
        }
    EXPECT_LT(std::sqrt(sum_single / double(6 * rows.size())), 1e-3);
    EXPECT_LT(std::sqrt(sum_full / double(6 * rows.size())), 1e-5);
}

TEST(kinetics, results_do_not_depend_on_threads_or_on_neighbours) {
    const Network network = stiff_chain();
    Batch<float> two = chain_cells<float>(5), one = chain_cells<float>(5), alone(6, 1);
    react(network, two.cells, 1.0 / 96, {});
    {
        const ThreadLimit limit(1);
        react(network, one.cells, 1.0 / 96, {});
    }
    const Batch<float> start = chain_cells<float>(1);
    for (int s = 0; s < 6; ++s) {
        EXPECT_EQ(two.amounts[s], one.amounts[s]);
        alone.amounts[s][0] = start.amounts[s][77];
    }
    react(network, alone.cells, 1.0 / 96, {});
    for (int s = 0; s < 6; ++s) EXPECT_EQ(alone.amounts[s][0], two.amounts[s][77]);
}

TEST(kinetics, explicit_methods_serve_what_is_not_stiff) {
    const Network mild(read_mechanism(phlo::test::source_dir() + "/mechanisms/chain.yaml"));
    Batch<double> a = chain_cells<double>(1), b = chain_cells<double>(1);
    EXPECT_EQ(react(mild, a.cells, 1.0 / 96, {}).explicit_cells, a.cells.count);
    EXPECT_EQ(react(stiff_chain(), b.cells, 1.0 / 96, {}).explicit_cells, 0);
}

TEST(kinetics, integrators_have_the_order_of_their_names_in_cells) {
    const Network mild(read_mechanism(phlo::test::source_dir() + "/mechanisms/chain.yaml"));
    const auto end = [&](Integrator integrator, double step) {
        Batch<double> batch = chain_cells<double>(1);
        EXPECT_EQ(react(mild, batch.cells, 1.0 / 12, {.integrator = integrator, .fixed_step = step}).failed, 0);
        return batch.amounts;
    };
    const auto exact = end(Integrator::rosenbrock, 1.0 / 6144);
    const auto error = [&](Integrator integrator, double step) {
        const auto found = end(integrator, step);
        double sum = 0;
        for (std::size_t s = 0; s < found.size(); ++s)
            for (std::size_t i = 0; i < found[s].size(); ++i) sum += std::abs(found[s][i] - exact[s][i]);
        return sum;
    };
    for (const auto& [integrator, order] : {std::pair{Integrator::rk2, 2.0}, {Integrator::rk3, 3.0}, {Integrator::rosenbrock, 4.0}})
        EXPECT_NEAR(std::log2(error(integrator, 1.0 / 192) / error(integrator, 1.0 / 768)) / 2, order, 0.3) << int(integrator);
}

template <class S>
double worst_drift(const Network& network, Batch<S>& batch, double dt, const KineticsParams& params, int times) {
    const auto totals = [&](int cell) {
        std::vector<double> sums;
        for (const auto& w : network.invariants()) {
            double sum = 0, scale = 0;
            for (std::size_t k = 0; k < w.size(); ++k) {
                sum += w[k] * double(batch.amounts[network.states()[k]][cell]);
                scale += std::abs(w[k]) * double(batch.amounts[network.states()[k]][cell]);
            }
            sums.push_back(sum), sums.push_back(scale);
        }
        return sums;
    };
    std::vector<std::vector<double>> before;
    for (int i = 0; i < batch.cells.count; ++i) before.push_back(totals(i));
    for (int i = 0; i < times; ++i) react(network, batch.cells, dt, params);
    double worst = 0;
    for (int i = 0; i < batch.cells.count; ++i) {
        const auto after = totals(i);
        for (std::size_t k = 0; k < after.size(); k += 2)
            worst = std::max(worst, std::abs(after[k] - before[i][k]) / std::max(before[i][k + 1], after[k + 1]));
    }
    return worst;
}

TEST(kinetics, totals_hold_to_round_off_over_ten_thousand_steps) {
    const Network network(read_mechanism(phlo::test::source_dir() + "/mechanisms/hydrogen.yaml"));
    const KineticsParams fixed{.hold = Hold::pressure, .adiabatic = true, .integrator = Integrator::rosenbrock, .fixed_step = 1e-7};
    const auto burn = [&]<class S>(S) {
        Batch<S> batch(network.species(), 4);
        for (int i = 0; i < 4; ++i) {
            batch.amounts[network.mechanism().find("H2")][i] = S(2 + i), batch.amounts[network.mechanism().find("O2")][i] = S(1.5);
            batch.amounts[network.mechanism().find("N2")][i] = S(4), batch.temperature[i] = S(1300);
        }
        return worst_drift(network, batch, 1e-3, fixed, 1);
    };
    EXPECT_LT(burn(1.0), 1e-12);
    EXPECT_LT(burn(1.0f), 1e-6);
    Batch<float> chain = chain_cells<float>(1);
    EXPECT_LT(worst_drift(stiff_chain(), chain, 1.0 / 96, {}, 300), 300 * 1e-7);  // each call rounds the amounts to floats once
    Batch<double> full = chain_cells<double>(1);
    EXPECT_LT(worst_drift(stiff_chain(), full, 1.0 / 96, {}, 300), 1e-12);
}

/// A random mechanism: up to 7 species, up to 10 reactions of up to three reactants, rate constants over 12 decades.
Mechanism random_mechanism(unsigned seed) {
    unsigned draw = 0;
    const auto uniform = [&](double low, double high) {
        return low + (high - low) * double(uniform4({.seed = seed, .step = 0, .stream = 1}, draw++)[0]);
    };
    Mechanism m;
    const int species = int(uniform(2, 8)), reactions = int(uniform(1, 11));
    for (int s = 0; s < species; ++s) m.species.push_back({.name = "S" + std::to_string(s)});
    for (int r = 0; r < reactions; ++r) {
        Reaction reaction{.rate = Arrhenius{.A = std::pow(10.0, uniform(-4, 8))}};
        std::map<int, double> left, right;
        for (int i = int(uniform(1, 4)); i > 0; --i) left[int(uniform(0, species))] += 1;
        double matter = 0;
        for (const auto& [s, n] : left) matter += n;
        for (double rest = matter; rest > 0;) {  // every species has the same mass, so that nothing can grow without end
            const double part = uniform(0, 1) < 0.3 ? rest : std::min(rest, 0.5 * std::floor(uniform(1, 3)));
            right[int(uniform(0, species))] += part;
            rest -= part;
        }
        for (const auto& [s, n] : left)
            reaction.reactants.push_back({s, n}), reaction.orders.push_back({s, uniform(0, 1) < 0.2 ? uniform(0, 2) : n});
        for (const auto& [s, n] : right) reaction.products.push_back({s, n});
        m.reactions.push_back(std::move(reaction));
    }
    return m;
}

TEST(kinetics, no_amount_is_ever_negative_and_nothing_is_lost) {
    for (unsigned seed = 1; seed <= 120; ++seed) {
        const Network network(random_mechanism(seed));
        if (network.states().empty()) continue;
        const auto fill = [&](auto& batch) {
            for (int s = 0; s < network.species(); ++s)
                for (int i = 0; i < batch.cells.count; ++i) {
                    const auto u = uniform4({.seed = seed, .step = unsigned(s), .stream = 2}, unsigned(i));
                    const double n = u[0] < 0.3f ? 0.0 : std::pow(10.0, -9 * double(u[1]));
                    batch.amounts[s][i] = std::remove_cvref_t<decltype(batch.amounts[s][i])>(n);
                }
        };
        for (const Integrator integrator : {Integrator::automatic, Integrator::rosenbrock}) {
            Batch<double> full(network.species(), 24);
            Batch<float> single(network.species(), 24);
            fill(full), fill(single);
            const KineticsParams params{.integrator = integrator};
            EXPECT_LT(worst_drift(network, full, 0.02, params, 5), 1e-12) << seed;
            EXPECT_LT(worst_drift(network, single, 0.02, params, 5), 1e-6) << seed;
            for (int s = 0; s < network.species(); ++s)
                for (int i = 0; i < 24; ++i) {
                    EXPECT_GE(full.amounts[s][i], 0) << seed;
                    EXPECT_GE(single.amounts[s][i], 0) << seed;
                }
        }
    }
}

TEST(kinetics, a_cell_that_cannot_be_integrated_is_left_as_it_was_and_reported) {
    Mechanism m;
    m.name = "blow-up";
    m.species = {{.name = "A"}, {.name = "B"}};
    // 2 A => 3 A: a' = a² is infinite at t = 1/a
    m.reactions.push_back(
        {.equation = "2 A => 3 A", .reactants = {{0, 2}}, .products = {{0, 3}}, .orders = {{0, 2}}, .rate = Arrhenius{.A = 1}});
    const Network network(std::move(m));
    Batch<double> batch(2, 3);
    batch.amounts[0] = {0.1, 5, 0.2};
    const KineticsReport report = react(network, batch.cells, 1, {});
    EXPECT_EQ(report.failed, 1);
    ASSERT_EQ(report.failures.size(), 1u);
    EXPECT_EQ(report.failures[0].cell, 1);
    EXPECT_EQ(batch.amounts[0][1], 5);
    EXPECT_NEAR(batch.amounts[0][0], 0.1 / (1 - 0.1), 1e-5);
    EXPECT_NE(report.summary(network).find("1 of 3 cells"), std::string::npos);
}

TEST(kinetics, a_jump_in_time_is_stepped_over_in_floats) {
    // Nothing, then a source of 25 S a second: A is used up from 0.15 s on, and B starts from nothing at all.
    const Network network(read_mechanism(config::parse_yaml(R"yaml(
species: [A, B]
reactions:
- {equation: A => B, rate: "if(t > 0.15, 25, 0)"})yaml", "test"), ""));
    for (const double start : {0.14, 0.1447, 0.1499}) {
        for (const Integrator integrator : {Integrator::rosenbrock, Integrator::rk3}) {
            Batch<float> batch(2, 3);
            batch.amounts[0] = {1, 1e-3f, 40};
            const KineticsReport report = react(network, batch.cells, 0.02, {.integrator = integrator, .start_time = start});
            EXPECT_EQ(report.failed, 0) << start;
            EXPECT_EQ(report.repeated, 0) << start;
            EXPECT_LT(report.steps, 3 * 400) << start;
            for (std::size_t i = 0; i < 3; ++i) {
                const double from = std::vector{1.0, 1e-3, 40.0}[i];
                EXPECT_NEAR(batch.amounts[0][i] / from, std::exp(-25 * (start + 0.02 - 0.15)), 2e-3) << start;
                EXPECT_NEAR((batch.amounts[0][i] + batch.amounts[1][i]) / from, 1, 1e-6);
            }
        }
    }
}

TEST(kinetics, what_floats_cannot_follow_is_tried_again_in_doubles) {
    // With two steps neither floats nor doubles arrive, and nothing changes.
    Batch<float> few = chain_cells<float>(1, "chain_very"), start = chain_cells<float>(1, "chain_very");
    const KineticsReport none = react(stiff_chain(), few.cells, 1.0 / 96, {.most_steps = 2});
    EXPECT_GT(none.failed, 0);
    EXPECT_GE(none.repeated, none.failed);
    for (const FailedCell& f : none.failures)
        for (std::size_t s = 0; s < 6; ++s) EXPECT_EQ(few.amounts[s][std::size_t(f.cell)], start.amounts[s][std::size_t(f.cell)]);

    // Rates that swing sixteen hundred times take more steps than floats are allowed.
    const Network swinging(read_mechanism(config::parse_yaml(R"yaml(
species: [A, B]
reactions:
- {equation: A => B, rate: "1e5*(1 + sin(2e5*t))"}
- {equation: B => A, rate: "1e5*(1 + cos(2e5*t))"})yaml", "test"), ""));
    Batch<float> batch(2, 1);
    batch.amounts[0] = {1};
    const KineticsReport report = react(swinging, batch.cells, 0.05, {.most_steps = 200'000});
    EXPECT_EQ(report.repeated, 1);
    EXPECT_EQ(report.failed, 0);
    CellState exact{.temperature = 300, .volume = 1, .amounts = {1, 0}};
    react_along(swinging, exact, 0.05, {.relative = 1e-7}, [](const CellState&, const Rates&) {});
    EXPECT_NEAR(batch.amounts[0][0], exact.amounts[0], 1e-3);
    EXPECT_NEAR(batch.amounts[0][0] + batch.amounts[1][0], 1, 1e-6);
}

TEST(kinetics, adiabatic_without_thermodynamics_is_refused) {
    const Network network(read_mechanism(phlo::test::source_dir() + "/mechanisms/chain.yaml"));
    Batch<double> batch = chain_cells<double>(1);
    EXPECT_THROW(react(network, batch.cells, 0.01, {.adiabatic = true}), InputError);
}

}  // namespace
}  // namespace phlo::chem::test
