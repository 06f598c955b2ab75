// Liquids that are mixed: a frame holds the share of each but the first, which its surface names, as a volume `share_<substance>`, from 0 to 1. It goes on beyond the
// surface, so that a point of the mesh finds what lies behind it.
//
//   frame.volumes.push_back({.name = share_volume("milk"), .unit = "1", …});
//   for (const LiquidShare& liquid : liquid_shares(frame)) float milk = liquid.at(point);
#pragma once
#include "field/frame.h"

namespace phlo::field {

std::string share_volume(const std::string& substance);
bool is_share(const Volume& volume);   ///< by its name

struct LiquidShare {
    std::string substance;
    Volume volume;

    /// Interpolated at a place in the world, 0 to 1.
    float at(const Vec3f& point) const;
};

/// In the order of the frame's volumes.
std::vector<LiquidShare> liquid_shares(const Frame& frame);

}  // namespace phlo::field
