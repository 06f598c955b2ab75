// One cell along its path, and its rates at one moment: the batch with one lane in use.
#include <fmt/format.h>

#include "base/error.h"
#include "chem/cell_system.h"
#include "chem/integrate.h"
#include "chem/kinetics.h"

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

}  // namespace

KineticsReport react_along(const Network& network, CellState& state, double duration, const KineticsParams& params,
                           const std::function<void(const CellState&)>& observe) {
    const SystemPlan plan(network, params);
    OneCell one(state);
    KineticsReport report;
    CellSystem<P> system(plan, one.cells, one.list, report.failures);
    std::vector<P> rate(std::size_t(plan.unknowns));
    const double start = state.time;

    const auto update = [&](double t, const P* y) {
        system.rates(P(t), y, rate.data());
        state.time = start + t;
        for (int k = 0; k < plan.states; ++k) state.amounts[network.states()[k]] = y[k][0];
        double moles = 0;
        for (const double n : state.amounts) moles += n;
        if (params.adiabatic) {
            state.temperature = y[plan.states][0];
            state.heating = rate[plan.states][0];
        }
        if (params.hold == Hold::pressure) state.volume = gas_constant * state.temperature * moles / state.pressure;
        else state.pressure = gas_constant * state.temperature * moles / state.volume;
        observe(state);
    };

    std::vector<P> y(std::size_t(plan.unknowns), P(0.0));
    system.load(0, y.data());
    update(0, y.data());
    system.rewind();
    const Integrator integrator = params.integrator == Integrator::automatic ? Integrator::rosenbrock : params.integrator;
    static_cast<numerics::BatchReport&>(report) =
        run_with(integrator, system, duration, params, [&](int, P t, const P* state_now) { update(t[0], state_now); });
    if (report.failed > 0) throw RunError(report.summary(network));
    return report;
}

Rates rates_of(const Network& network, const CellState& state, const KineticsParams& params) {
    const SystemPlan plan(network, params);
    OneCell one(state);
    std::vector<FailedCell> none;
    CellSystem<P> system(plan, one.cells, one.list, none);
    std::vector<P> y(std::size_t(plan.unknowns), P(0.0)), rate(y.size());
    system.load(0, y.data());
    system.rates(P(0.0), y.data(), rate.data());
    Rates result{.amounts = std::vector<double>(std::size_t(network.species()), 0.0), .progress = {}};
    for (int k = 0; k < plan.states; ++k) result.amounts[network.states()[k]] = rate[k][0];
    for (int r = 0; r < network.reactions(); ++r) result.progress.push_back(system.kernel().q()[r][0]);
    if (params.adiabatic) result.temperature = rate[plan.states][0];
    return result;
}

}  // namespace phlo::chem
