#pragma once
#include "options.h"

namespace phlo::bench {

/// Whole frames of a dam break (a column of water, 0.4 m x 1 m x 0.75 m, in a closed tank of 1 m), 8 frames to warm up, then the median of 9, written to
/// the disk with its mesh; `bench/mantaflow.py -- --scene dam` times the same in Blender. Rows: each way to follow the surface and to carry the velocity;
/// one step a frame, as other programs can do; the same column in a box twice as large, which should cost no more. Then the pressure of liquids
/// of many shapes: liquid_pressure.h.
int bench_liquid(const BenchOptions& options);

}  // namespace phlo::bench
