#include "chem/integration/reactor.h"

#include <algorithm>
#include <cmath>

#include "chem/rates/thermo.h"

namespace phlo::chem {
namespace {

/// Enthalpy at constant pressure, inner energy at constant volume [J], and the heat capacity that goes with it [J/K].
struct Energy {
    double value = 0, capacity = 0;
};

Energy energy_of(const Mechanism& mechanism, const CellState& state, Hold hold) {
    const double T = state.temperature, inner = hold == Hold::volume ? 1 : 0;
    Energy energy;
    for (std::size_t k = 0; k < state.amounts.size(); ++k) {
        const Nasa7& thermo = *mechanism.species[k].thermo;
        energy.value += state.amounts[k] * gas_constant * T * (h_over_RT(thermo, T) - inner);
        energy.capacity += state.amounts[k] * gas_constant * (cp_over_R(thermo, T) - inner);
    }
    return energy;
}

/// Largest |w · (n − n₀)| over Σ |w| n₀, over all totals w.
double largest_drift(const Network& network, const CellState& start, const CellState& now) {
    double worst = 0;
    for (const std::vector<double>& total : network.invariants()) {
        double change = 0, size = 0;
        for (std::size_t s = 0; s < total.size(); ++s) {
            const std::size_t k = std::size_t(network.states()[s]);
            change += total[s] * (now.amounts[k] - start.amounts[k]);
            size += std::abs(total[s]) * std::max(start.amounts[k], now.amounts[k]);
        }
        if (size > 0) worst = std::max(worst, std::abs(change) / size);
    }
    return worst;
}

/// The top of the parabola through the largest dT/dt and its neighbours.
std::optional<double> time_of_fastest_heating(const std::vector<CellState>& steps) {
    const auto top = std::ranges::max_element(steps, {}, &CellState::heating);
    const std::size_t i = std::size_t(top - steps.begin());
    if (i == 0 || i + 1 >= steps.size()) return std::nullopt;  // it only slows down, or is not over yet
    const CellState &a = steps[i - 1], &b = steps[i], &c = steps[i + 1];
    const double left = (b.heating - a.heating) / (b.time - a.time), right = (c.heating - b.heating) / (c.time - b.time);
    const double curvature = (right - left) / (c.time - a.time);
    if (!(curvature < 0)) return b.time;
    return std::clamp(0.5 * (a.time + b.time) - 0.5 * left / curvature, a.time, c.time);
}

std::optional<double> time_of_temperature(const Trajectory& path, double temperature) {
    const auto& steps = path.steps();
    const auto after = std::ranges::find_if(steps, [&](const CellState& s) { return s.temperature >= temperature; });
    if (after == steps.end() || after == steps.begin()) return std::nullopt;
    double low = (after - 1)->time, high = after->time;
    for (int i = 0; i < 60; ++i) {
        const double middle = 0.5 * (low + high);
        (path.at(middle).temperature < temperature ? low : high) = middle;
    }
    return high;
}

}  // namespace

ReactorRun run_reactor(const Network& network, const ReactorParams& params, const std::function<void(double)>& progress) {
    const Mechanism& mechanism = network.mechanism();
    const KineticsParams kinetics{
        .hold = params.hold, .adiabatic = params.thermal == Thermal::adiabatic, .relative = params.tolerance, .absolute = params.absolute};
    ReactorRun run;
    run.path = Trajectory(params.hold);
    CellState state = initial_state(mechanism, params);
    run.report = react_along(network, state, params.time, kinetics, [&](const CellState& now, const Rates& rates) {
        run.path.add(now, rates);
        run.totals_drift = std::max(run.totals_drift, largest_drift(network, run.path.front(), now));
        if (progress) progress(now.time / params.time);
    });

    const CellState &start = run.path.front(), &end = run.path.back();
    if (kinetics.adiabatic) {
        const Energy before = energy_of(mechanism, start, params.hold), after = energy_of(mechanism, end, params.hold);
        run.energy_drift = (after.value - before.value) / after.capacity;
        if (end.temperature > start.temperature + 50) run.ignition_delay = time_of_fastest_heating(run.path.steps());
        run.delay_400 = time_of_temperature(run.path, start.temperature + 400);
    }
    return run;
}

}  // namespace phlo::chem
