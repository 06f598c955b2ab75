#pragma once
#include "options.h"

namespace phlo::bench {

/// One picture of 640 x 360 of a burning cube of gas, thick smoke around a fire over a floor, from the .vdb file to radiance, by every
/// quality: seconds by stage, how busy the cores are, memory, and the noise before any filter: the rms difference of two seeds over the
/// mean. With `cycles` the same frame by Blender's Cycles (bench/cycles.py); `keep` is where frame and pictures stay.
int bench_render(const BenchOptions& options);

}  // namespace phlo::bench
