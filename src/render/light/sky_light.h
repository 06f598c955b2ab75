// The sky's light inside the gas: coarse, because it is soft. For each of a few directions the optical depth to the sky is swept
// through the grid slice by slice; each direction's radiance, dimmed by it, adds up to what a point receives.
//
//   SkyLight sky(volume, lights);
//   Vec3f source = sky.at(volume.grid_from_world(p));          // mean radiance around p after multiple scattering
//   float t = sky.transmittance(p, direction);                 // coarse; for light on surfaces
#pragma once
#include <vector>

#include "render/light/lights.h"
#include "render/volumes/volume.h"

namespace phlo::render {

class SkyLight {
public:
    SkyLight() = default;
    /// At most `cells` coarse cells along the longest side.
    SkyLight(const OpticalVolume& volume, const Lights& lights, int cells = 64, int directions = 32);

    Vec3f at(const Vec3f& grid_point) const;
    float transmittance(const Vec3f& world, const Vec3f& direction) const;
    /// Optical depth of the gas between two points, coarse.
    struct Depth {
        float absorbed = 0, scattered = 0;
        float total() const { return absorbed + scattered; }
    };
    Depth depth_between(const Vec3f& from, const Vec3f& to) const;

    /// The coarse grid, for other soft light.
    bool empty() const { return extinction_.empty(); }
    Vec3i count() const { return count_; }
    float cell_size() const { return h_; }     ///< [m]
    Vec3f center(int i, int j, int k) const { return origin_ + (Vec3f(Vec3i(i, j, k)) + Vec3f(0.5f)) * h_; }
    float extinction(int i, int j, int k) const { return extinction_[index(i, j, k)]; }
    Vec3f albedo(int i, int j, int k) const { return albedo_.size() == 1 ? albedo_[0] : albedo_[index(i, j, k)]; }
    void add(int i, int j, int k, const Vec3f& light) { light_[index(i, j, k)] += light; }

private:
    std::size_t index(int i, int j, int k) const {
        return std::size_t(i) + std::size_t(count_.x) * (std::size_t(j) + std::size_t(count_.y) * std::size_t(k));
    }
    void sweep(const Vec3f& direction, const Vec3f& radiance, std::vector<Vec3f>& light) const;

    Vec3i count_;                      ///< coarse cells; empty if there is no gas
    int factor_ = 1;                   ///< fine cells along one coarse cell
    Vec3f origin_;                     ///< lower corner of the coarse grid [m]
    Vec3f shift_;                      ///< from the centre of the gas's first cell to that corner [fine cells]
    float h_ = 1;                      ///< coarse cell [m]
    std::vector<float> extinction_;
    std::vector<Vec3f> albedo_;        ///< of each coarse cell, or one for all
    std::vector<Vec3f> light_;
};

}  // namespace phlo::render
