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
        return light(float(look.coolest + (look.hottest - look.coolest) * s)) * (brightness * float(s));
    });
}

ColourRamp temperature_ramp(const LayerLook& look, const FireLook& fire) {
    constexpr int entries = 1024;
    constexpr double coolest = 300, hottest = 4000;
    const float brightness = float(fire.brightness);
    if (!look.ramp.empty())
        return ColourRamp(coolest, hottest, entries, [&](double t) { return colour_at(look.ramp, t) * brightness; });
    const optics::BlackBody light = fire_colours(fire, 1);
    return ColourRamp(coolest, hottest, entries, [&](double t) {
        const double x = std::clamp((t - fire.min_temperature) / 250, 0.0, 1.0);
        return light(float(t)) * (brightness * float(x * x * (3 - 2 * x)));
    });
}

}  // namespace phlo::render
