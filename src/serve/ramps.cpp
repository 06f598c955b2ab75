#include "serve/ramps.h"

#include <optional>

namespace phlo::serve {

const Ramps& ramps_of(const render::RenderParams& look) {
    thread_local std::optional<Ramps> kept;
    const std::uint64_t hash = render::look_hash(look);
    if (!kept || kept->look != hash) kept = Ramps{hash, render::composition_ramp(look.live.streaks, look.fire), render::temperature_ramp(look.live, look.fire)};
    return *kept;
}

}  // namespace phlo::serve
