#include <Eigen/Sparse>
#include <chrono>
#include <vector>

#include "peers.h"
#include "pressure_problem.h"

namespace phlo::bench {

PeerResult run_eigen(int n, const std::string& variant, double tolerance) {
    const PressureProblem problem(n, variant);
    const auto cell = [n](int i, int j, int k) { return (std::size_t(k) * std::size_t(n) + std::size_t(j)) * std::size_t(n) + std::size_t(i); };
    std::vector<int> id(std::size_t(n) * std::size_t(n) * std::size_t(n), -1);
    int count = 0;
    const auto each_fluid = [&](const auto& body) {
        for (int k = 0; k < n; ++k)
            for (int j = 0; j < n; ++j)
                for (int i = 0; i < n; ++i)
                    if (problem.fluid(i, j, k)) body(i, j, k);
    };
    each_fluid([&](int i, int j, int k) { id[cell(i, j, k)] = count++; });

    using Matrix = Eigen::SparseMatrix<double, Eigen::RowMajor>;
    Matrix a(count, count);
    a.reserve(Eigen::VectorXi::Constant(count, 7));
    Eigen::VectorXd b(count);
    each_fluid([&](int i, int j, int k) {
        const int row = id[cell(i, j, k)];
        b[row] = problem.rhs(i, j, k);
        const auto couple = [&](int p, int q, int s) {
            if (problem.fluid(p, q, s)) a.insert(row, id[cell(p, q, s)]) = -1;
        };
        couple(i, j, k - 1), couple(i, j - 1, k), couple(i - 1, j, k);
        a.insert(row, row) = problem.diagonal(i, j, k);
        couple(i + 1, j, k), couple(i, j + 1, k), couple(i, j, k + 1);
    });
    a.makeCompressed();

    using Clock = std::chrono::steady_clock;
    const auto start = Clock::now();
    Eigen::ConjugateGradient<Matrix, Eigen::Lower | Eigen::Upper, Eigen::IncompleteCholesky<double, Eigen::Lower, Eigen::NaturalOrdering<int>>> solver;
    solver.setTolerance(tolerance);
    solver.setMaxIterations(3000);
    solver.compute(a);
    const auto ready = Clock::now();
    const Eigen::VectorXd x = solver.solve(b);
    const auto end = Clock::now();
    return {std::chrono::duration<double>(ready - start).count(), std::chrono::duration<double>(end - ready).count(), int(solver.iterations()),
            problem.residual([&](int i, int j, int k) { return x[id[cell(i, j, k)]]; })};
}

}  // namespace phlo::bench
