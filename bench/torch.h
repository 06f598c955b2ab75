#pragma once
#include "options.h"

namespace phlo::bench {

/// Steps of grid-less fire by the number of particles, with their stages, and the search for neighbours against nanoflann's in the same run: building
/// and asking, on the same threads, both with the sums over the neighbours.
int bench_torch(const BenchOptions& options);

}  // namespace phlo::bench
