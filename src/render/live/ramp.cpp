#include "render/live/ramp.h"

#include <cmath>

#include "render/volumes/parts.h"

namespace phlo::render {

ColourRamp composition_ramp(const StreakLook& look, const FireLook& fire) {
    constexpr int entries = 1024;
    const float brightness = float(fire.brightness);
    if (!look.ramp.empty()) return ColourRamp(0, 1, entries, [&](double s) { return colour_at(look.ramp, s) * brightness; });
    const optics::BlackBody light = fire_colours(fire, 1);
    return ColourRamp(0, 1, entries, [&](double s) {
        return light(float(look.min_temperature + (look.max_temperature - look.min_temperature) * s)) * (brightness * float(s));
    });
}

ColourRamp temperature_ramp(const LiveLook& look, const FireLook& fire) {
    constexpr int entries = 1024;
    const LayerLook& layers = look.layers;
    const float brightness = float(fire.brightness);
    if (!layers.ramp.empty())
        return ColourRamp(layers.ramp.front().value, std::max(layers.ramp.back().value, layers.ramp.front().value + 1), entries,
                          [&](double t) { return colour_at(layers.ramp, t) * brightness; });
    const optics::BlackBody light = fire_colours(fire, 1);
    return ColourRamp(layers.min_temperature, layers.max_temperature, entries, [&](double t) {
        const double s = (t - layers.min_temperature) / (layers.max_temperature - layers.min_temperature);
        const double shown = look.streaks.min_temperature + (look.streaks.max_temperature - look.streaks.min_temperature) * s;
        return light(float(shown)) * (brightness * float(s));
    });
}

}  // namespace phlo::render
