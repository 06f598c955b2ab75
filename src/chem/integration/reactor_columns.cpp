#include "chem/integration/reactor_columns.h"

#include <algorithm>

namespace phlo::chem {
namespace {

std::vector<double> output_times(const ReactorParams& params, const Trajectory& path) {
    if (params.points == 0) return path.faithful_times(5e-5);
    return params.spacing == Spacing::log ? path.log_times(params.points) : path.linear_times(params.points);
}

std::vector<Column> empty_columns(const Mechanism& mechanism, SpeciesMeasure measure) {
    std::vector<Column> columns{{"time", "s"}, {"temperature", "K"}, {"pressure", "Pa"}, {"density", "kg/m^3"}};
    const char* prefix = measure == SpeciesMeasure::mole_fraction ? "X_" : measure == SpeciesMeasure::mass_fraction ? "Y_" : "";
    for (std::size_t k = 0; k < mechanism.species.size(); ++k)
        columns.push_back({prefix + mechanism.species[k].name, measure == SpeciesMeasure::concentration ? "mol/m^3" : "", int(k)});
    return columns;
}

double peak_of(const Column& column) { return column.values.empty() ? 0 : *std::ranges::max_element(column.values); }

}  // namespace

std::vector<Column> columns_of(const Mechanism& mechanism, const ReactorParams& params, const ReactorRun& run) {
    std::vector<Column> columns = empty_columns(mechanism, params.show);
    for (const double time : output_times(params, run.path)) {
        const CellState state = run.path.at(time);
        double moles = 0, mass = 0;
        for (std::size_t k = 0; k < state.amounts.size(); ++k) {
            moles += state.amounts[k];
            mass += state.amounts[k] * mechanism.species[k].molar_mass;
        }
        const double head[]{time, state.temperature, state.pressure, mass / state.volume};
        for (Column& column : columns) {
            const auto c = std::size_t(&column - columns.data());
            if (column.species < 0) {
                column.values.push_back(head[c]);
                continue;
            }
            const auto k = std::size_t(column.species);
            const double n = state.amounts[k];
            column.values.push_back(params.show == SpeciesMeasure::mole_fraction   ? n / moles
                                    : params.show == SpeciesMeasure::mass_fraction ? n * mechanism.species[k].molar_mass / mass
                                                                                   : n / state.volume);
        }
    }
    return columns;
}

std::vector<const Column*> notable_species(const Network& network, const std::vector<Column>& columns, std::size_t most) {
    std::vector<const Column*> chosen;
    for (const Column& column : columns) {
        if (column.species < 0 || network.state_of(column.species) < 0 || column.values.empty()) continue;
        const auto [low, high] = std::ranges::minmax(column.values);
        if (high - low > 0.02 * high) chosen.push_back(&column);
    }
    std::ranges::stable_sort(chosen, [](const Column* a, const Column* b) { return peak_of(*a) > peak_of(*b); });
    while (!chosen.empty() && (chosen.size() > most || peak_of(*chosen.back()) < 1e-6 * peak_of(*chosen.front()))) chosen.pop_back();
    return chosen;
}

}  // namespace phlo::chem
