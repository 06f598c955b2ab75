#pragma once
#include "options.h"

namespace phlo::bench {

int bench_vortex(const BenchOptions& options);

}  // namespace phlo::bench
