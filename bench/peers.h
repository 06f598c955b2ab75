// Other people's solvers on the same system, for comparison.
#pragma once
#include <optional>
#include <string>

namespace phlo::bench {

struct PeerResult {
    double setup_seconds = 0, solve_seconds = 0;
    int iterations = 0;
    double residual = 0;
};

/// hypre's PFMG-preconditioned conjugate gradients on two MPI ranks [falgout2002], in a process of its own. Empty, with the reason in
/// `note`, if hypre or MPI is missing.
std::optional<PeerResult> run_hypre(int n, const std::string& variant, double tolerance, int repetitions, std::string& note);

/// Eigen's conjugate gradients with incomplete Cholesky.
PeerResult run_eigen(int n, const std::string& variant, double tolerance);

}  // namespace phlo::bench
