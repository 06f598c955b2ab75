// The pressure solver against hypre's PFMG-PCG and Eigen's IC-PCG, on the same system in the same run.
#pragma once
#include "options.h"

namespace phlo::bench {

/// Rows {n, variant, tolerance, iterations, setup_seconds, solve_seconds, true_residual, ratio_to_hypre, ratio_to_eigen,
/// bandwidth_fraction, ...} to standard output, as a table or as one JSON object. Ratios are the peer's solve time over ours.
int bench_pressure(const BenchOptions& options);

}  // namespace phlo::bench
