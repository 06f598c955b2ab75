#pragma once
#include "options.h"

namespace phlo::bench {

/// One picture of 640 x 360 of a burning cube of gas, thick smoke around a fire, by every quality: seconds, and the noise before any
/// filter, which is the rms difference of two seeds over the mean (over the square root of two: that of one picture).
int bench_render(const BenchOptions& options);

}  // namespace phlo::bench
