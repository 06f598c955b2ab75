#include "kinetics.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <optional>

#include "base/pack.h"
#include "base/parallel.h"
#include "kinetics_cases.h"

namespace phlo::bench {
namespace {

struct Row {
    std::string name, precision;
    int lanes, threads;
    double cells_per_second, error, cvode_cells_per_second, cvode_error, ratio, speedup;
};

struct Run {
    double cells_per_second, error;
};

/// The case's cells, each `copies` times.
template <class S>
struct Copies {
    const KineticsCase& from;
    std::vector<std::vector<S>> amounts;
    std::vector<S> temperature;
    chem::Cells<S> cells;

    Copies(const KineticsCase& c, int copies)
        : from(c), amounts(std::size_t(c.species()), std::vector<S>(c.start.size() * std::size_t(copies))), temperature(amounts[0].size()) {
        cells.count = int(temperature.size());
        cells.temperature = temperature.data();
        for (auto& a : amounts) cells.amounts.push_back(a.data());
    }

    /// Seconds from start to end with this tolerance.
    double react(double relative) {
        for (std::size_t i = 0; i < temperature.size(); ++i) {
            const auto& cell = from.start[i % from.start.size()];
            for (std::size_t s = 0; s < amounts.size(); ++s) amounts[s][i] = S(cell[s]);
            temperature[i] = S(cell.back());
        }
        chem::KineticsParams params = from.params;
        params.relative = relative;
        params.absolute = from.absolute;
        const auto begin = std::chrono::steady_clock::now();
        chem::react(from.network, cells, from.dt, params);
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    }

    double error() const {
        std::vector<std::vector<double>> result(from.start.size());
        for (std::size_t i = 0; i < result.size(); ++i) {
            for (const auto& a : amounts) result[i].push_back(double(a[i]));
            result[i].push_back(double(temperature[i]));
        }
        return from.error(result);
    }
};

/// Cells a second for each number of threads, and the error they end with: the best of several runs of about half a second. The
/// numbers of threads take turns, so that a moment when the machine is busy elsewhere falls on all of them.
template <class S>
std::vector<Run> run_engine(const KineticsCase& c, double relative, const std::vector<int>& threads, int turns) {
    const double once = Copies<S>(c, 1).react(relative);
    Copies<S> many(c, std::clamp(int(0.4 / once), 4, 400));
    std::vector<double> best(threads.size(), 1e30);
    for (int turn = 0; turn < turns; ++turn)
        for (std::size_t t = 0; t < threads.size(); ++t) {
            const ThreadLimit limit(threads[t]);
            best[t] = std::min(best[t], many.react(relative));
        }
    std::vector<Run> runs;
    for (const double seconds : best) runs.push_back({many.cells.count / seconds, many.error()});
    return runs;
}

/// The fastest of several tolerances that is at least as accurate as asked.
template <class S>
std::optional<std::pair<double, Run>> fastest(const KineticsCase& c, double error) {
    std::optional<std::pair<double, Run>> best;
    for (const double relative : {1e-2, 3e-3, 1e-3, 5e-4, 2e-4, 1e-4, 5e-5, 2e-5, 1e-5, 1e-6}) {
        const Run run = run_engine<S>(c, relative, {1}, 2).front();
        if (run.error > error) continue;
        if (best && run.cells_per_second < best->second.cells_per_second) break;
        best = {relative, run};
    }
    return best;
}

template <class S>
void compare(const KineticsCase& c, const Run& cvode, std::vector<Row>& rows) {
    const auto found = fastest<S>(c, cvode.error);
    if (!found) return;
    const int lanes = (int(c.network.states().size()) + c.params.adiabatic <= 12 ? 2 : 1) * simd::Pack<S>::width;
    const std::vector<int> threads{1, thread_count()};
    const auto runs = run_engine<S>(c, found->first, threads, 7);
    for (std::size_t t = 0; t < threads.size(); ++t)
        rows.push_back({c.name, sizeof(S) == 4 ? "float" : "double", lanes, threads[t], runs[t].cells_per_second, runs[t].error,
                        cvode.cells_per_second, cvode.error, runs[t].cells_per_second / cvode.cells_per_second,
                        runs[t].cells_per_second / runs[0].cells_per_second});
}

}  // namespace

int bench_kinetics(const BenchOptions& options) {
    std::vector<Row> rows;
    if (!Cvode::available()) std::fprintf(stderr, "built without SUNDIALS CVODE: install libsundials-dev for something to compare with\n");
    for (const KineticsCase& c : kinetics_cases()) {
        for (const auto& [relative, absolute] : c.cvode_tolerances) {
            Run cvode{0, 0};
            if (Cvode::available()) {
                double seconds = 0;
                const auto result = c.with_cvode(relative, absolute, seconds, c.start.size());
                if (result.empty()) continue;
                cvode = {double(result.size()) / seconds, c.error(result)};
            }
            compare<float>(c, cvode, rows);
            compare<double>(c, cvode, rows);
        }
    }
    if (options.json) {
        fmt::print("{{\"bench\": \"kinetics\", \"rows\": [");
        for (std::size_t i = 0; i < rows.size(); ++i) {
            const Row& r = rows[i];
            fmt::print(
                "{}{{\"case\": \"{}\", \"precision\": \"{}\", \"lanes\": {}, \"threads\": {}, \"cells_per_second\": {:.5g}, \"error\": "
                "{:.3g}, "
                "\"cvode_cells_per_second\": {:.5g}, \"cvode_error\": {:.3g}, \"ratio_to_cvode\": {:.4g}, \"ratio_to_one_thread\": {:.4g}}}",
                i ? ", " : "", r.name, r.precision, r.lanes, r.threads, r.cells_per_second, r.error, r.cvode_cells_per_second,
                r.cvode_error, r.ratio, r.speedup);
        }
        fmt::print("]}}\n");
        return 0;
    }
    fmt::print("Error: rms of T [K] for gases, of amounts relative to |value| + 1e-6 for the chain. CVODE runs on one thread.\n");
    fmt::print("{:22} {:9} {:>5} {:>7} {:>12} {:>10} {:>14} {:>12} {:>8} {:>11}\n", "case", "precision", "lanes", "threads", "cells/s", "error",
               "CVODE cells/s", "CVODE error", "ratio", "one thread");
    for (const Row& r : rows)
        fmt::print("{:22} {:9} {:5} {:7} {:12.0f} {:10.2e} {:14.0f} {:12.2e} {:7.1f}x {:10.2f}x\n", r.name, r.precision, r.lanes, r.threads,
                   r.cells_per_second, r.error, r.cvode_cells_per_second, r.cvode_error, r.ratio, r.speedup);
    return 0;
}

}  // namespace phlo::bench
