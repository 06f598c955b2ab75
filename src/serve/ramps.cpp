#include "serve/ramps.h"

#include <optional>

namespace phlo::serve {

const Ramps& ramps_of(const render::RenderParams& look) {
    thread_local std::optional<Ramps> kept;
    // Of the look only what they are made of: another exposure has the same.
    render::RenderParams own;
    own.live = look.live, own.fire = look.fire;
    const std::uint64_t hash = render::look_hash(own);
    if (!kept || kept->fire != hash) kept = Ramps{hash, render::composition_ramp(look.live.streaks, look.fire), render::temperature_ramp(look.live, look.fire)};
    return *kept;
}

}  // namespace phlo::serve
