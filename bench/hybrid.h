// Tables 1 and 2 of Kang, Jang, Ihm 2007 beside our own figures: seconds by step, particles and memory of the hybrid method, and the
// hybrid method against chemistry in every cell.
#pragma once
#include "options.h"

namespace phlo::bench {

int bench_hybrid(const BenchOptions& options);

}  // namespace phlo::bench
