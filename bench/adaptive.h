#pragma once
#include "options.h"

namespace phlo::bench {

/// The preset `view-adaptive`, frame by frame, with cells of one size, fine at the surface, and fine where the camera looks: unknowns of the pressure's system,
/// seconds and memory, beside each other as Kang, Kim and Ihm plot them. Draws the graph into `--keep DIR`.
int bench_adaptive(const BenchOptions& options);

}  // namespace phlo::bench
