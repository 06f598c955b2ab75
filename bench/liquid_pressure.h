// The pressure of liquids with a free surface: cycles, seconds, and what set-up costs beside them.
#pragma once
#include "options.h"

namespace phlo::bench {

/// Rows {n, liquid, cells, iterations, converged, setup_seconds, solve_seconds, setup_over_cycle, nanoseconds_per_cell, bytes_per_cell} to standard
/// output, as a table or as one JSON object.
int bench_liquid_pressure(const BenchOptions& options);

}  // namespace phlo::bench
