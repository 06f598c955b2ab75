// Soft light on the ground, on a coarse square map around what is seen: a smooth spline between its nodes, and one value far away.
//
//   GroundMap map(scene.bounds, height, 56, [&](const Vec3f& point) { return light_at(point); });
//   Vec3f light = map.at(point);
#pragma once
#include <functional>
#include <vector>

#include "field/bounds.h"

namespace phlo::render {

class GroundMap {
public:
    GroundMap() = default;
    /// `size` nodes along each side; it reaches the longest side of the bounds beyond them.
    GroundMap(const field::Bounds& bounds, float height, int size, const std::function<Vec3f(const Vec3f&)>& light);

    /// Zero if the map is empty.
    Vec3f at(const Vec3f& point) const;

private:
    int size_ = 0;
    Vec3f low_, scale_;         ///< from a point to the map's nodes
    std::vector<Vec3f> nodes_;
    Vec3f far_;                 ///< light far from everything
};

}  // namespace phlo::render
