#include "pressure.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <optional>
#include <string>
#include <vector>

#include "base/parallel.h"
#include "numerics/poisson.h"
#include "peers.h"
#include "pressure_problem.h"
#include "stream.h"

namespace phlo::bench {
namespace {

constexpr double tolerance = 1e-4;
constexpr int largest_eigen = 128;  // beyond, incomplete Cholesky takes minutes

struct Row {
    int n = 0;
    std::string variant;
    int iterations = 0;
    double setup_seconds = 0, solve_seconds = 0, true_residual = 0, bandwidth_fraction = 0, bytes_per_cell = 0;
    std::optional<PeerResult> hypre, eigen;
    std::string note;
};

double seconds_since(std::chrono::steady_clock::time_point start) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// Bytes that must pass between the solver and memory, when every pass reads and writes each array once.
double bytes_moved(int n, const numerics::PoissonSolver::Status& status) {
    const double cells = double(n) * n * n;
    const double down = 6, over = 8, up = 10, below = (down + up) / 7;                                    // bytes a cell
    const double cycle = over + (down + over + up + 2 * below) / 8, conjugate = down + up + below + 8 + 12 + 4 + 20;
    const double once = 8 /* prepare */ + down + 10 /* last */ + 8 /* residual */ + 8 /* join */, restart = status.conjugate > 0 ? 28 : 0;
    return cells * ((status.iterations - status.conjugate) * cycle + status.conjugate * conjugate + once + restart);
}

Row measure(int n, const std::string& variant) {
    const PressureProblem problem(n, variant);
    const field::Layout layout({n, n, n});
    field::MacGrid faces(layout);
    field::Grid b(layout);
    numerics::PoissonWeights weights{.faces = &faces, .open = {false, false, false, false, false, true}, .special_row = {}};
    weights.special_row.assign(std::size_t(n) * std::size_t(n), 0);
    parallel_for(n + 1, [&](int k) {
        for (int j = 0; j < n; ++j)
            for (int i = 0; i < n; ++i) {
                for (int axis = 0; axis < 3; ++axis) faces[axis](i, j, k) = problem.open(axis, i, j, k);
                if (k == n) continue;
                b(i, j, k) = float(problem.rhs(i, j, k));
                const int neighbours = 6 - (i == 0) - (i == n - 1) - (j == 0) - (j == n - 1) - (k == 0);
                if (problem.diagonal(i, j, k) != neighbours) weights.special_row[std::size_t(k) * std::size_t(n) + std::size_t(j)] = 1;
            }
    });

    Row row;
    row.n = n, row.variant = variant;
    row.setup_seconds = row.solve_seconds = 1e30;
    numerics::PoissonSolver solver(layout);
    numerics::PoissonSolver::Status status;
    const auto solve_ours = [&](int runs) {
        for (int run = 0; run < runs; ++run) {
            auto start = std::chrono::steady_clock::now();
            solver.setup(weights);
            row.setup_seconds = std::min(row.setup_seconds, seconds_since(start));
            parallel_for(n, [&](int k) {
                for (int j = 0; j < n; ++j) std::copy_n(b.row(j, k), n, solver.rhs().row(j, k));
            });
            start = std::chrono::steady_clock::now();
            status = solver.solve({.tolerance = tolerance});
            row.solve_seconds = std::min(row.solve_seconds, seconds_since(start));
        }
    };
    const auto solve_hypre = [&] {
        const std::optional<PeerResult> found = run_hypre(n, variant, tolerance, n > 200 ? 1 : 2, row.note);
        if (!found) return;
        if (!row.hypre) row.hypre = found;
        row.hypre->setup_seconds = std::min(row.hypre->setup_seconds, found->setup_seconds);
        row.hypre->solve_seconds = std::min(row.hypre->solve_seconds, found->solve_seconds);
    };
    for (int turn = 0; turn < (n > 200 ? 2 : 4); ++turn) {   // in turns: other guests of the machine come and go
        solve_ours(n > 200 ? 3 : n > 100 ? 6 : 12);
        solve_hypre();
    }
    row.iterations = status.iterations;
    row.true_residual = problem.residual([&](int i, int j, int k) { return solver.solution()(i, j, k); });
    row.bytes_per_cell = double(solver.bytes()) / double(layout.cell_count());
    row.bandwidth_fraction = bytes_moved(n, status) / row.solve_seconds / stream_bandwidth(4 * b.bytes());

    if (n <= largest_eigen)
        row.eigen = run_eigen(n, variant, tolerance);
    else
        row.note += fmt::format("{}Eigen is not run beyond {}^3: it takes minutes", row.note.empty() ? "" : "; ", largest_eigen);
    return row;
}

std::string ratio(const std::optional<PeerResult>& peer, const Row& row, bool setup = false) {
    if (!peer) return "null";
    const double theirs = peer->solve_seconds + (setup ? peer->setup_seconds : 0), ours = row.solve_seconds + (setup ? row.setup_seconds : 0);
    return fmt::format("{:.2f}", theirs / ours);
}

std::string json(const Row& row) {
    const std::string iterations = row.hypre ? fmt::format("{}", row.hypre->iterations) : "null";
    return fmt::format(
        R"({{"n": {}, "variant": "{}", "tolerance": {:g}, "iterations": {}, "setup_seconds": {:.6f}, "solve_seconds": {:.6f}, )"
        R"("true_residual": {:.3e}, "ratio_to_hypre": {}, "ratio_to_eigen": {}, "ratio_to_hypre_with_setup": {}, "hypre_iterations": {}, )"
        R"("bandwidth_fraction": {:.3f}, "bytes_per_cell": {:.1f}, "note": "{}"}})",
        row.n, row.variant, tolerance, row.iterations, row.setup_seconds, row.solve_seconds, row.true_residual, ratio(row.hypre, row),
        ratio(row.eigen, row), ratio(row.hypre, row, true), iterations, row.bandwidth_fraction, row.bytes_per_cell, row.note);
}

}  // namespace

int bench_pressure(const BenchOptions& options) {
    const std::vector<int> sizes = options.resolution > 0 ? std::vector<int>{options.resolution} : std::vector<int>{64, 128, 256};
    if (!options.json)
        fmt::print("pressure to {:g}: seconds, best of several runs that take turns; ratios: the peer's solve time over ours\n{:>5} {:8} {:>5} {:>9} {:>9} {:>10} {:>7} {:>9} {:>7} {:>10} {:>7}\n",
                   tolerance, "n", "variant", "iter", "setup", "solve", "residual", "/hypre", "+setup", "/eigen", "bandwidth", "B/cell");
    std::string rows;
    for (int n : sizes)
        for (const char* variant : {"box", "sphere", "plate"}) {
            const Row row = measure(n, variant);
            if (options.json)
                rows += (rows.empty() ? "" : ", ") + json(row);
            else
                fmt::print("{:5} {:8} {:5} {:9.4f} {:9.4f} {:10.2e} {:>7} {:>9} {:>7} {:9.0f}% {:7.1f}  {}\n", n, variant, row.iterations, row.setup_seconds,
                           row.solve_seconds, row.true_residual, ratio(row.hypre, row), ratio(row.hypre, row, true), ratio(row.eigen, row),
                           100 * row.bandwidth_fraction, row.bytes_per_cell, row.note);
            std::fflush(stdout);
        }
    if (options.json) fmt::print("{{\"bench\": \"pressure\", \"rows\": [{}]}}\n", rows);
    return 0;
}

}  // namespace phlo::bench
