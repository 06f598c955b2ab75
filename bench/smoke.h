#pragma once
#include "options.h"

namespace phlo::bench {

/// Whole frames of a plume in a cube: one step a frame, MacCormack for velocity, density and temperature, confinement, pressure to
/// 1e-3, and the frame written to disk. "full": every tile works; "active": tiles where nothing happens rest; "small": the same
/// with a small plume, the case in which other programs use an adaptive domain.
int bench_smoke(const BenchOptions& options);

}  // namespace phlo::bench
