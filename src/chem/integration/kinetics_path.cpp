// One cell along its path, and its rates at one moment: the batch with one lane in use.
#include <fmt/format.h>

#include "base/error.h"
#include "chem/integration/cell_system.h"
#include "chem/integration/integrate.h"
#include "chem/integration/kinetics.h"

namespace phlo::chem {
namespace {

using P = simd::Pack<double>;

/// A single cell as a batch of one.
struct OneCell {
    std::vector<double> amounts;
    double temperature;
    Cells<double> cells;
    int list[1] = {0};

    explicit OneCell(const CellState& state) : amounts(state.amounts), temperature(state.temperature) {
        cells.count = 1;
        cells.temperature = &temperature;
        cells.same_volume = state.volume;
        cells.same_pressure = state.pressure;
        for (double& n : amounts) cells.amounts.push_back(&n);
    }
};

/// Rates of change of all species and reactions, from those of lane 0.
Rates gather_rates(const Network& network, const SystemPlan& plan, const CellSystem<P>& system, const std::vector<P>& rate) {
    Rates result{.amounts = std::vector<double>(std::size_t(network.species()), 0.0), .progress = {}};
    for (int k = 0; k < plan.states; ++k) result.amounts[network.states()[k]] = rate[k][0];
    for (int r = 0; r < network.reactions(); ++r) result.progress.push_back(system.kernel().q()[r][0]);
    if (plan.params.adiabatic) result.temperature = rate[plan.states][0];
    return result;
}

}  // namespace

KineticsReport react_along(const Network& network, CellState& state, double duration, const KineticsParams& params,
                           const std::function<void(const CellState&, const Rates&)>& observe) {
    const SystemPlan plan(network, params);
    OneCell one(state);
    KineticsReport report;
    CellSystem<P> system(plan, one.cells, one.list, report.failures);
    std::vector<P> y(std::size_t(plan.unknowns), P(0.0)), rate(y);
    const double start = state.time;

    const auto show = [&](double t, const P* now) {
        system.rates(P(t), now, rate.data());
        state.time = start + t;
        for (int k = 0; k < plan.states; ++k) state.amounts[network.states()[k]] = now[k][0];
        double moles = 0;
        for (const double n : state.amounts) moles += n;
        if (params.adiabatic) {
            state.temperature = now[plan.states][0];
            state.heating = rate[plan.states][0];
        }
        if (params.hold == Hold::pressure) state.volume = gas_constant * state.temperature * moles / state.pressure;
        else state.pressure = gas_constant * state.temperature * moles / state.volume;
        observe(state, gather_rates(network, plan, system, rate));
    };

    system.load(0, y.data());
    show(0, y.data());
    system.rewind();
    const Integrator integrator = params.integrator == Integrator::automatic ? Integrator::rosenbrock : params.integrator;
    static_cast<numerics::BatchReport&>(report) =
        run_with(integrator, system, duration, params, [&](int, P t, const P* now) { show(t[0], now); });
    if (report.failed > 0) throw RunError(report.summary(network));
    return report;
}

Rates rates_of(const Network& network, const CellState& state, const KineticsParams& params) {
    const SystemPlan plan(network, params);
    OneCell one(state);
    std::vector<FailedCell> none;
    CellSystem<P> system(plan, one.cells, one.list, none);
    std::vector<P> y(std::size_t(plan.unknowns), P(0.0)), rate(y);
    system.load(0, y.data());
    system.rates(P(0.0), y.data(), rate.data());
    return gather_rates(network, plan, system, rate);
}

}  // namespace phlo::chem
