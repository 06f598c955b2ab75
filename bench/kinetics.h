// Cells a second of the kinetics engine, against SUNDIALS CVODE at equal or smaller measured error.
#pragma once
#include "options.h"

namespace phlo::bench {

int bench_kinetics(const BenchOptions& options);

}  // namespace phlo::bench
