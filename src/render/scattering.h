// Multiple scattering without paths: light scattered often behaves like light in thinner gas with a rounder phase function, so a few
// octaves of single scattering stand for it [wrenninge2013]. Here their weights sum to one: gas in uniform light never glows brighter
// than that light, and thin gas is exact.
#pragma once
#include <array>

#include "render/fast_math.h"

namespace phlo::render {

struct Octave {
    float weight;      ///< share of the light
    float thinning;    ///< factor on optical depth
    float rounding;    ///< factor on the phase function's g
};
inline constexpr std::array<Octave, 3> octaves = {{{0.66f, 1.0f, 1.0f}, {0.24f, 0.38f, 0.5f}, {0.10f, 0.10f, 0.25f}}};

}  // namespace phlo::render
