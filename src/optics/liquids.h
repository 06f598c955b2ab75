// What liquids do with light inside: how much of it they absorb and scatter on its way, and how fast it is.
//
//   const Interior water = liquid_named("water").value();
//   float red_left = std::exp(-water.absorption.x * metres);                 // Beer and Lambert
//   liquid_names();                                                          // all that are known
//
// Red, green and blue stand for 650, 550 and 450 nm. A glass of water is clear: its blue shows over metres.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "base/vec.h"

namespace phlo::optics {

/// What fills a clear thing.
struct Interior {
    float ior = 1;         ///< index of refraction
    Vec3f absorption;      ///< sigma_a [1/m]
    Vec3f scattering;      ///< sigma_s [1/m]
    float anisotropy = 0;  ///< g of Henyey and Greenstein's phase function

    Vec3f extinction() const { return absorption + scattering; }
    bool scatters() const { return scattering.x > 0 || scattering.y > 0 || scattering.z > 0; }
    friend bool operator==(const Interior&, const Interior&) = default;
};

/// None if nobody knows it.
std::optional<Interior> liquid_named(const std::string& name);
std::vector<std::string> liquid_names();

}  // namespace phlo::optics
