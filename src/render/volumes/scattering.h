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
/// For the sun: most of it single, so that shapes keep their shadows.
inline constexpr std::array<Octave, 3> sun_octaves = {{{0.66f, 1.0f, 1.0f}, {0.24f, 0.38f, 0.5f}, {0.10f, 0.10f, 0.25f}}};
/// For the sky: its light has scattered more before it gets anywhere, and the phase function does not matter.
inline constexpr std::array<Octave, 3> sky_octaves = {{{0.45f, 1.0f, 0}, {0.33f, 0.30f, 0}, {0.22f, 0.06f, 0}}};

}  // namespace phlo::render
