// The sky's light inside the gas: coarse, because it is soft. For each of a few directions the optical depth to the sky is swept
// through the grid slice by slice; each direction's radiance, dimmed by it, adds up to what a point receives.
//
//   SkyLight sky(volume, lights);
//   Vec3f source = sky.at(volume.grid_from_world(p));          // mean radiance around p after multiple scattering
//   float t = sky.transmittance(p, direction);                 // coarse; for light on surfaces
#pragma once
#include <vector>

#include "render/lights.h"
#include "render/volume.h"

namespace phlo::render {

class SkyLight {
public:
    SkyLight() = default;
    /// At most `cells` coarse cells along the longest side.
    SkyLight(const Volume& volume, const Lights& lights, int cells = 64, int directions = 32);

    Vec3f at(const Vec3f& grid_point) const;
    float transmittance(const Vec3f& world, const Vec3f& direction) const;

private:
    std::size_t index(int i, int j, int k) const {
        return std::size_t(i) + std::size_t(count_.x) * (std::size_t(j) + std::size_t(count_.y) * std::size_t(k));
    }
    void sweep(const Vec3f& direction, const Vec3f& radiance, const Vec3f& albedo, std::vector<Vec3f>& light) const;

    Vec3i count_;                      ///< coarse cells; empty if there is no gas
    int factor_ = 1;                   ///< fine cells along one coarse cell
    Vec3f origin_;                     ///< lower corner of the coarse grid [m]
    float h_ = 1;                      ///< coarse cell [m]
    std::vector<float> extinction_;
    std::vector<Vec3f> light_;
};

}  // namespace phlo::render
