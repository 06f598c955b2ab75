// Swirls stirred into the gas inside an emitter: the curl of a random potential [bridson2007], so that they neither compress nor expand
// it. Without them a charge that explodes stays the ball that it was; with them it tears and rolls from its first frame on.
//
//   stir(domain, coverage, {.speed = 6, .scale = 0.8, .octaves = 3}, 6.0, time, &solids, u);     // 6 m/s rms inside the emitter
#pragma once
#include "field/domain.h"
#include "field/mac.h"
#include "flow/solids.h"
#include "flow/sources.h"

namespace phlo::flow {

struct Turbulence {
    double speed = 0;    ///< root mean square of the swirls [m/s]
    double scale = 0.1;  ///< size of the largest ones [m]
    double change = 1;   ///< how fast the pattern changes [1/s]
    int octaves = 3;
    int seed = 1;
};

/// Adds swirls of `speed` (rms over the emitter, weighted) to u. Their potential fades with the edge of the source's shape. Faces in walls
/// and bodies stay as they are.
void stir(const field::Domain& domain, const Coverage& coverage, const Turbulence& turbulence, double speed, double time, const Solids* solids,
          field::MacGrid& u);

}  // namespace phlo::flow
