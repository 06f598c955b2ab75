#include "chem/integration/kinetics.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "base/error.h"
#include "base/parallel.h"
#include "chem/integration/cell_system.h"
#include "chem/integration/integrate.h"

namespace phlo::chem {
namespace {

/// Cells that one task takes: enough to keep the lanes full, few enough to share them out.
constexpr int chunk_size(int unknowns) { return unknowns <= numerics::small_lu::largest ? 256 : 64; }
constexpr std::size_t kept_failures = 8;

/// Cells whose fastest decay, over the whole interval, is slower than this are not stiff: a few explicit steps do.
constexpr double explicit_limit = 1.5;

/// Moves the cells of `list` that are not stiff to its front; returns how many there are. Keeps the order within both parts.
template <class P>
int split_by_stiffness(const SystemPlan& plan, const Cells<typename P::Scalar>& cells, std::vector<int>& list, double dt) {
    std::vector<FailedCell> none;
    CellSystem<P> system(plan, cells, list, none);
    std::vector<P> y(std::size_t(plan.unknowns)), f(y.size());
    std::vector<int> mild, stiff;
    for (std::size_t first = 0; first < list.size(); first += P::width) {
        const int lanes = int(std::min<std::size_t>(P::width, list.size() - first));
        for (int lane = 0; lane < lanes; ++lane) system.load(lane, y.data());
        system.linearise(P(0), y.data(), f.data());
        const P stiffness = system.stiffness();
        for (int lane = 0; lane < lanes; ++lane)
            (double(stiffness[lane]) * dt < explicit_limit ? mild : stiff).push_back(list[first + lane]);
    }
    std::ranges::copy(stiff, std::ranges::copy(mild, list.begin()).out);
    return int(mild.size());
}

template <class P>
KineticsReport react_chunk(const SystemPlan& plan, const Cells<typename P::Scalar>& cells, std::vector<int> list, double dt) {
    const KineticsParams& params = plan.params;
    const bool choose = params.integrator == Integrator::automatic;
    KineticsReport report;
    const int mild = choose ? split_by_stiffness<P>(plan, cells, list, dt) : 0;
    const std::span<const int> all(list);
    const auto part = [&](std::span<const int> some, Integrator integrator) {
        if (some.empty()) return;
        CellSystem<P> system(plan, cells, some, report.failures);
        static_cast<numerics::BatchReport&>(report) += run_with(integrator, system, dt, params);
    };
    part(all.first(std::size_t(mild)), Integrator::rk3);
    part(all.subspan(std::size_t(mild)), choose ? Integrator::rosenbrock : params.integrator);
    report.explicit_cells = mild;
    std::ranges::sort(report.failures, {}, &FailedCell::cell);
    return report;
}

/// Cells that take more steps than this in floats are better off in doubles: their rates are differences that rounding eats up.
constexpr long most_float_steps = 3000;

/// Once more, in doubles, the cells that the report says have failed. Those that fail again stay in it.
void repeat_in_double(const Network& network, KineticsParams params, const Cells<float>& cells, double dt, KineticsReport& report) {
    if (report.failures.empty()) return;
    const std::size_t count = report.failures.size();
    std::vector<std::vector<double>> amounts(cells.amounts.size(), std::vector<double>(count));
    std::vector<double> temperature(count), volume(count, cells.same_volume), pressure(count, cells.same_pressure);
    Cells<double> again{.count = int(count), .temperature = temperature.data(), .volume = volume.data(), .pressure = pressure.data()};
    for (auto& of : amounts) again.amounts.push_back(of.data());
    for (std::size_t i = 0; i < count; ++i) {
        const int cell = report.failures[i].cell;
        for (std::size_t s = 0; s < amounts.size(); ++s) amounts[s][i] = double(cells.amounts[s][cell]);
        temperature[i] = double(cells.temperature[cell]);
        if (cells.volume != nullptr) volume[i] = double(cells.volume[cell]);
        if (cells.pressure != nullptr) pressure[i] = double(cells.pressure[cell]);
    }
    if (params.integrator == Integrator::automatic) params.integrator = Integrator::rosenbrock;
    const SystemPlan plan(network, params);
    std::vector<int> list(count);
    std::iota(list.begin(), list.end(), 0);
    KineticsReport second = react_chunk<simd::Pack<double>>(plan, again, std::move(list), dt);

    std::vector<bool> lost(count, false);
    for (FailedCell& f : second.failures) {
        lost[std::size_t(f.cell)] = true;
        f.cell = report.failures[std::size_t(f.cell)].cell;
    }
    for (std::size_t i = 0; i < count; ++i) {
        if (lost[i]) continue;
        const int cell = report.failures[i].cell;
        for (std::size_t s = 0; s < amounts.size(); ++s) cells.amounts[s][cell] = float(amounts[s][i]);
        cells.temperature[cell] = float(temperature[i]);
    }
    report.repeated += long(count);
    report.steps += second.steps, report.rejected += second.rejected, report.failed = second.failed;
    report.failures = std::move(second.failures);
}

}  // namespace

SystemPlan::SystemPlan(const Network& network_, const KineticsParams& params_)
    : network(network_),
      params(params_),
      states(int(network_.states().size())),
      unknowns(states + (params_.adiabatic ? 1 : 0)),
      full(network_.depends_on_total() || params_.hold == Hold::pressure) {
    if (params.adiabatic && !network.mechanism().has_thermo())
        throw InputError(fmt::format("{}: an adiabatic reactor needs thermodynamic data of every species; say 'isothermal' or add it",
                                     network.mechanism().name));
    PHLO_CHECK(params.relative > 0 && params.absolute > 0);
    const bool small = unknowns <= numerics::small_lu::largest;  // unrolled loops beat sparse ones
    std::vector<std::pair<int, int>> pattern;
    for (const auto& entry : network.jacobian()) pattern.emplace_back(entry.row, entry.column);
    for (int i = 0; i < unknowns; ++i)
        for (int j = 0; j < unknowns; ++j)
            if (full || small || i == states || j == states) pattern.emplace_back(i, j);
    lu = numerics::make_lu_pattern(unknowns, pattern);
    for (int i = 0; i < unknowns; ++i)
        for (int j = 0; j < unknowns; ++j) row_slot.push_back(lu.slot(i, j));
}

template <class S>
KineticsReport react(const Network& network, const Cells<S>& cells, double dt, const KineticsParams& params) {
    constexpr bool repeats = std::is_same_v<S, float>;
    KineticsParams first = params;
    if (repeats && params.fixed_step <= 0) first.most_steps = std::min(params.most_steps, most_float_steps);
    const SystemPlan plan(network, first);
    const int size = chunk_size(plan.unknowns), chunks = (cells.count + size - 1) / size;
    return parallel_reduce(
        chunks, KineticsReport{},
        [&](int chunk) {
            std::vector<int> list(std::size_t(std::min(size, cells.count - chunk * size)));
            std::iota(list.begin(), list.end(), chunk * size);
            const bool small = plan.unknowns <= numerics::small_lu::largest;
            KineticsReport report = small ? react_chunk<simd::Pack<S, 2>>(plan, cells, std::move(list), dt)
                                          : react_chunk<simd::Pack<S>>(plan, cells, std::move(list), dt);
            if constexpr (repeats) repeat_in_double(network, params, cells, dt, report);
            return report;
        },
        [](KineticsReport sum, const KineticsReport& part) {
            static_cast<numerics::BatchReport&>(sum) += part;
            sum.explicit_cells += part.explicit_cells;
            sum.repeated += part.repeated;
            for (const FailedCell& f : part.failures)
                if (sum.failures.size() < kept_failures) sum.failures.push_back(f);
            return sum;
        });
}
template KineticsReport react<float>(const Network&, const Cells<float>&, double, const KineticsParams&);
template KineticsReport react<double>(const Network&, const Cells<double>&, double, const KineticsParams&);

std::string KineticsReport::summary(const Network& network) const {
    if (failed == 0) return "";
    const FailedCell& first = failures.front();
    std::string state = fmt::format("T = {:.6g} K", first.temperature);
    for (int s = 0; s < network.species(); ++s)
        if (first.amounts[s] != 0) state += fmt::format(", {} = {:.6g}", network.mechanism().species[s].name, first.amounts[s]);
    return fmt::format("chemistry: {} of {} cells could not be integrated and were left as they were; the first is cell {}: {}", failed,
                       cells, first.cell, state);
}

}  // namespace phlo::chem
