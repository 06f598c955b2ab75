// Light inside clouds of points: the sun's, dimmed by what lies on its way through the cloud, the sky's, dimmed by what lies above, and the fire's. On a
// coarse grid, because it is soft.
//
//   PuffLight light(matter, lights, lamps, rods, 1);        // matter: where each point is, and its optical depth times its area
//   Vec3f radiance = color * light.at(position);
#pragma once
#include <array>
#include <span>
#include <vector>

#include "field/bounds.h"
#include "render/light/lights.h"
#include "render/live/fire_lamps.h"
#include "render/live/soft_shapes.h"

namespace phlo::render {

/// A point that dims light.
struct Matter {
    Vec3f position;   ///< [m]
    float area = 0;   ///< optical depth of its cloud times that cloud's area [m^2]
};

class PuffLight {
public:
    PuffLight(std::span<const Matter> matter, const Lights& lights, std::span<const FireLamp> fire, std::span<const SoftRod> rods, float shadow);

    /// What a white cloud sends on, everywhere alike.
    Vec3f at(const Vec3f& world) const;
    /// Optical depth from a point to the sun.
    float depth_to_sun(const Vec3f& world) const;

private:
    static constexpr int most_cells = 24;  ///< along the longest side

    void deposit(std::span<const Matter> matter);
    float extinction_at(const Vec3f& p) const;
    std::size_t index(int i, int j, int k) const { return std::size_t((k * count_.y + j) * count_.x + i); }

    Vec3i count_;                   ///< nodes
    Vec3f origin_;                  ///< the first node [m]
    float h_ = 1;                   ///< between nodes [m]
    Vec3f to_sun_;
    std::vector<float> extinction_; ///< at nodes [1/m]
    std::vector<std::array<float, 4>> light_;   ///< at nodes; the fourth number is nothing
};

}  // namespace phlo::render
