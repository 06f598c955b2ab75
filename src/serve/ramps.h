// The colours of fire by composition and by temperature: a look's ramps, kept until its fire is another one. They are integrals over spectra, and cost more than the
// rest of a frame's message.
//
//   const Ramps& ramps = ramps_of(look);
#pragma once
#include <cstdint>

#include "render/live/ramp.h"
#include "render/look/params.h"

namespace phlo::serve {

struct Ramps {
    std::uint64_t fire = 0;            ///< whose they are
    render::ColourRamp by_composition, by_temperature;
};

/// Each thread keeps its own: what it is given holds until it asks for another look's.
const Ramps& ramps_of(const render::RenderParams& look);

}  // namespace phlo::serve
