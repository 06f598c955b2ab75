// Transport: cells per second for each scheme, and how near that is to the memory bound.
#pragma once
#include "options.h"

namespace phlo::bench {

/// Rows {n, scheme, mcells_per_second, bound_fraction} to standard output, as a table or as one JSON object.
int bench_advect(const BenchOptions& options);

}  // namespace phlo::bench
