#pragma once
#include "options.h"

namespace phlo::bench {

/// Live pictures of 1280 x 720: 300,000 streaks over a floor with a camera that stands still, and 200,000 tracers between two balls, one of which moves,
/// with a camera that walks around them. Milliseconds by stage, the smallest of several pictures, and the film that makes 8-bit pictures of them.
/// `resolution`: thousands of particles, for both. `keep` is where the pictures stay.
int bench_live(const BenchOptions& options);

}  // namespace phlo::bench
