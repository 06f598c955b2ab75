#include "kinetics_cases.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "base/error.h"
#include "chem/integration/cell_system.h"
#include "chem/mechanism/read.h"

namespace phlo::bench {
namespace {

using P = simd::Pack<double>;

std::vector<std::vector<double>> read_table(const std::string& name) {
    const std::string path = PHLO_SOURCE_DIR "/tests/data/kinetics/cells/" + name;
    std::ifstream file(path);
    if (!file) throw RunError("cannot read " + path);
    std::vector<std::vector<double>> rows;
    std::string line, word;
    for (std::getline(file, line); std::getline(file, line);) {
        std::stringstream words(line);
        rows.emplace_back();
        while (std::getline(words, word, ',')) rows.back().push_back(std::stod(word));
    }
    return rows;
}

/// The chain's equations written out: the best that scalar code can do.
OdeProblem chain_by_hand(std::array<double, 5> k) {
    return {.n = 6,
            .rates =
                [k](const double* c, double* f) {
                    const double q1 = k[0] * c[0], q2 = k[1] * c[1], q3 = k[2] * c[3] * c[1], q4 = k[3] * c[4] * c[0],
                                 q5 = k[4] * c[0] * c[1] * c[5];
                    f[0] = -q1 - q4 - q5, f[1] = -q2 - q3 - q5, f[2] = 5 * q5;
                    f[3] = 2 * q1 - q3 + q4, f[4] = 2 * q2 + q3 - q4, f[5] = q3 + q4;
                },
            .jacobian =
                [k](const double* c, double* columns) {
                    const double a = k[3] * c[4], b = k[4] * c[1] * c[5], d = k[2] * c[3], e = k[4] * c[0] * c[5], g = k[4] * c[0] * c[1];
                    const double s4 = k[2] * c[1], s5 = k[3] * c[0];
                    const double all[6][6] = {{-k[0] - a - b, -b, 5 * b, 2 * k[0] + a, -a, a},
                                              {-e, -k[1] - d - e, 5 * e, -d, 2 * k[1] + d, d},
                                              {},
                                              {0, -s4, 0, -s4, s4, s4},
                                              {-s5, 0, 0, s5, -s5, s5},
                                              {-g, -g, 5 * g, 0, 0, 0}};
                    std::copy_n(&all[0][0], 36, columns);
                }};
}

KineticsCase chain(bool stiff) {
    chem::Mechanism mechanism = chem::read_mechanism(PHLO_SOURCE_DIR "/mechanisms/chain.yaml");
    std::array<double, 5> k = {1e-3, 1e-4, 1e8, 2e7, 1e4};
    for (std::size_t r = 0; r < k.size(); ++r) {
        auto& rate = mechanism.reactions[r].rate;
        if (stiff) rate = chem::Arrhenius{.A = k[r]};
        k[r] = std::get<chem::Arrhenius>(rate).A;
    }
    KineticsCase c{
        .name = stiff ? "chain, very stiff" : "chain, mild", .network = chem::Network(std::move(mechanism)), .params = {}, .dt = 1.0 / 96};
    c.cvode_tolerances = stiff ? std::vector<std::pair<double, double>>{{1e-4, 1e-9}, {1e-5, 1e-12}}
                               : std::vector<std::pair<double, double>>{{1e-4, 1e-12}, {1e-5, 1e-12}};
    c.by_hand = chain_by_hand(k);
    for (const auto& row : read_table(stiff ? "chain_very.csv" : "chain_mild.csv")) {
        c.start.emplace_back(row.begin() + 2, row.begin() + 8);
        c.end.emplace_back(row.begin() + 8, row.begin() + 14);
        c.start.back().push_back(300), c.end.back().push_back(300);
    }
    return c;
}

KineticsCase hydrogen() {
    KineticsCase c{.name = "hydrogen-air",
                   .network = chem::Network(chem::read_mechanism(PHLO_SOURCE_DIR "/mechanisms/hydrogen.yaml")),
                   .params = {.hold = chem::Hold::pressure, .adiabatic = true},
                   .dt = 1e-4,
                   .by_temperature = true};
    c.cvode_tolerances = {{1e-5, 1e-10}, {1e-6, 1e-12}};
    c.absolute = 1e-13;
    for (const auto& row : read_table("h2air_cp.csv")) {
        for (auto* side : {&c.start, &c.end}) {
            const std::size_t first = side == &c.start ? 3 : 14;
            std::vector<double> cell;
            for (int s = 0; s < c.species(); ++s)
                cell.push_back(row[first + 1 + std::size_t(s)] / c.network.mechanism().species[s].molar_mass);
            cell.push_back(row[first]);
            side->push_back(std::move(cell));
        }
    }
    return c;
}

std::optional<KineticsCase> methane() {
    const char* places[] = {PHLO_SOURCE_DIR "/mechanisms/gri30.yaml", PHLO_SOURCE_DIR "/../shared/data/mechanisms/gri30.yaml"};
    for (const char* file : places) {
        if (!std::filesystem::exists(file)) continue;
        KineticsCase c{.name = "methane-air (GRI 3.0)",
                       .network = chem::Network(chem::read_mechanism(file)),
                       .params = {.hold = chem::Hold::pressure, .adiabatic = true},
                       .dt = 1e-5,
                       .by_temperature = true};
        c.cvode_tolerances = {{1e-5, 1e-10}, {1e-6, 1e-12}};
        c.absolute = 1e-13;
        // --- cells along ignitions from six temperatures, evenly spread over the steps that the chemistry asks for ---
        const chem::Mechanism& m = c.network.mechanism();
        for (int i = 0; i < 6; ++i) {
            chem::CellState state{
                .temperature = 1400.0 + 80 * i, .pressure = 101325, .amounts = std::vector<double>(std::size_t(c.species()), 0.0)};
            state.amounts[m.find("CH4")] = 1, state.amounts[m.find("O2")] = 2, state.amounts[m.find("N2")] = 7.52;
            double mass = 0;
            for (int s = 0; s < c.species(); ++s) mass += state.amounts[s] * m.species[s].molar_mass;
            for (double& n : state.amounts) n /= mass;
            std::vector<std::vector<double>> path;
            chem::KineticsParams tight = c.params;
            tight.relative = 1e-6, tight.absolute = 1e-14;
            chem::react_along(c.network, state, 5e-3, tight, [&](const chem::CellState& s, const chem::Rates&) {
                path.push_back(s.amounts);
                path.back().push_back(s.temperature);
            });
            for (std::size_t k = 0; k < 20; ++k) c.start.push_back(path[path.size() * k / 20]);
        }
        double seconds = 0;
        c.end = c.with_cvode(1e-10, 1e-16, seconds, c.start.size());
        return c;
    }
    std::fprintf(stderr, "GRI-Mech 3.0 is left out: put Cantera's gri30.yaml into mechanisms/ to have it\n");
    return std::nullopt;
}

}  // namespace

double KineticsCase::error(const std::vector<std::vector<double>>& result) const {
    double sum = 0;
    std::size_t count = 0;
    for (std::size_t cell = 0; cell < result.size(); ++cell) {
        if (by_temperature) {
            sum += std::pow(result[cell].back() - end[cell].back(), 2);
            ++count;
            continue;
        }
        for (int s = 0; s < species(); ++s) {
            sum += std::pow((result[cell][s] - end[cell][s]) / (std::abs(end[cell][s]) + 1e-6), 2);
            ++count;
        }
    }
    return std::sqrt(sum / double(count));
}

OdeProblem KineticsCase::ode(const std::vector<double>& cell) const {
    // The engine's own equations on one lane: a register holds one cell as it holds several, so CVODE pays what scalar code would.
    struct Single {
        std::vector<double> amounts;
        double temperature;
        chem::Cells<double> cells;
        int list[1] = {0};
        chem::SystemPlan plan;
        std::vector<chem::FailedCell> none;
        std::optional<chem::CellSystem<P>> system;
        std::vector<P> y, f;
        Single(const KineticsCase& c, const std::vector<double>& from)
            : amounts(from.begin(), from.end() - 1),
              temperature(from.back()),
              plan(c.network, c.params),
              y(std::size_t(plan.unknowns), P(0.0)),
              f(y) {
            cells.count = 1;
            for (double& n : amounts) cells.amounts.push_back(&n);
            cells.temperature = &temperature;
            system.emplace(plan, cells, list, none);
            system->load(0, y.data());
        }
        void set(const double* from) {
            for (int k = 0; k < plan.unknowns; ++k) y[k] = P(from[k]);
        }
    };
    auto one = std::make_shared<Single>(*this, cell);
    return {.n = one->plan.unknowns,
            .rates =
                [one](const double* y, double* f) {
                    one->set(y);
                    one->system->rates(P(0.0), one->y.data(), one->f.data());
                    for (int k = 0; k < one->plan.unknowns; ++k) f[k] = one->f[k][0];
                },
            .jacobian =
                [one](const double* y, double* columns) {
                    one->set(y);
                    one->system->linearise(P(0.0), one->y.data(), one->f.data());
                    for (int j = 0; j < one->plan.unknowns; ++j)
                        for (int i = 0; i < one->plan.unknowns; ++i) columns[j * one->plan.unknowns + i] = one->system->derivative(i, j)[0];
                }};
}

std::vector<std::vector<double>> KineticsCase::with_cvode(double relative, double absolute_tolerance, double& seconds,
                                                          std::size_t most_cells) const {
    std::vector<std::vector<double>> result(start.begin(), start.begin() + long(std::min(most_cells, start.size())));
    seconds = 0;
    for (auto& cell : result) {
        // what never changes is part of the problem, so each cell has its own; making it is not timed
        Cvode cvode(by_hand ? *by_hand : ode(cell), relative, absolute_tolerance);
        std::vector<double> y;
        for (const int s : network.states()) y.push_back(cell[s]);
        if (params.adiabatic) y.push_back(cell.back());
        const auto begin = std::chrono::steady_clock::now();
        const bool arrived = cvode.integrate(y.data(), dt);
        seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
        if (!arrived) return {};
        for (std::size_t k = 0; k < network.states().size(); ++k) cell[network.states()[k]] = y[k];
        if (params.adiabatic) cell.back() = y.back();
    }
    return result;
}

std::vector<KineticsCase> kinetics_cases() {
    std::vector<KineticsCase> cases;
    cases.push_back(chain(false));
    cases.push_back(chain(true));
    cases.push_back(hydrogen());
    if (auto gri = methane()) cases.push_back(std::move(*gri));
    return cases;
}

}  // namespace phlo::bench
