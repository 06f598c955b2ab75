// Where scattered light goes: Henyey and Greenstein's phase function [henyey1941], and how to draw from it.
#pragma once
#include <cmath>

namespace phlo::optics {

/// The share of light scattered into a unit of solid angle [1/sr], by the cosine between the directions of flight before and after.
/// g is the mean of that cosine.
inline float phase(float cosine, float g) {
    const float d = 1 + g * g - 2 * g * cosine;
    return 0.0795774715f * (1 - g * g) / (d * std::sqrt(d));
}

/// A cosine distributed by it, from a uniform number in [0, 1).
inline float sample_phase(float g, float uniform) {
    if (std::fabs(g) < 1e-3f) return 1 - 2 * uniform;
    const float q = (1 - g * g) / (1 - g + 2 * g * uniform);
    return std::fmax(-1.f, std::fmin(1.f, (1 + g * g - q * q) / (2 * g)));
}

}  // namespace phlo::optics
