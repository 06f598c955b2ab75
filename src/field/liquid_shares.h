// Liquids that are mixed: a frame holds the share of each but the first, which its surface names, as a volume `share_<substance>`, from 0 to 1. It goes on beyond the
// surface, so that a point of the mesh finds what lies behind it.
//
//   frame.volumes.push_back({.name = share_volume("milk"), .unit = "1", …});
//   for (const LiquidShare& liquid : liquid_shares(frame)) float milk = liquid.at(point);
//
// A liquid that is warm here and cold there has its temperature in a volume of its own [K], which goes on in the same way.
#pragma once
#include "field/frame.h"

namespace phlo::field {

std::string share_volume(const std::string& substance);
inline constexpr const char* liquid_temperature = "liquid_temperature";
/// A share or the temperature, by its name: what a liquid is like inside, not something to be seen by itself.
bool is_of_liquid(const Volume& volume);
std::vector<Volume> liquid_volumes(const Frame& frame);
/// Interpolated at a place in the world.
float value_at(const Volume& volume, const Vec3f& point);

struct LiquidShare {
    std::string substance;
    Volume volume;

    /// Interpolated at a place in the world, 0 to 1.
    float at(const Vec3f& point) const;
};

/// In the order of the frame's volumes.
std::vector<LiquidShare> liquid_shares(const Frame& frame);

}  // namespace phlo::field
