// The gas with its light baked in, in bricks of 8^3 cells; empty bricks do not exist. Each cell keeps
//   (j_r, j_g, j_b, sigma):  radiance that it sends towards the camera per metre, and extinction per metre,
// so that a picture is one integral along each ray:  L = integral T j dt,  T = exp(-integral sigma dt).
//
//   LitVolume lit(volume, light);                               // light(point, cell) = source radiance there
//   Segment s = lit.march(ray, distance_to_surface, {.step = 0.5f, .jitter = noise});
//   Vec3f pixel = s.radiance + surface * s.transmittance;
//
// Between cell centres the fields are quadratic B-splines: smooth where trilinear interpolation shows the cells' edges, and the
// amount of gas is kept.
#pragma once
#include <cstdint>
#include <functional>
#include <vector>

#include "render/camera.h"
#include "render/volume.h"

namespace phlo::render {

struct MarchParams {
    float step = 0.5f;        ///< [cells]
    float jitter = 0.5f;      ///< where in its step each sample lies, 0 to 1
};

struct Segment {
    Vec3f radiance;           ///< gathered along the ray
    float transmittance = 1;  ///< of what lies behind
};

class LitVolume {
public:
    LitVolume() = default;
    /// `light` is the source radiance at a point of the gas: what it sends towards the camera is albedo times that, per scattering.
    LitVolume(const Volume& volume, const std::function<Vec3f(const Vec3f& world, const Vec3i& cell)>& light);

    Segment march(const Ray& ray, float distance, const MarchParams& params) const;
    std::size_t brick_count() const { return bricks_.size(); }

private:
    static constexpr int size = 8, padded = size + 2, cells = padded * padded * padded;
    using Cell = float __attribute__((vector_size(16)));

    void find_bricks(const Volume& volume);
    int brick_at(Vec3i brick) const {
        return map_[std::size_t(brick.x) + std::size_t(count_.x) * (std::size_t(brick.y) + std::size_t(count_.y) * std::size_t(brick.z))];
    }
    Cell sample(const Cell* brick, float x, float y, float z) const;

    Vec3f origin_;                    ///< lower corner of brick (0, 0, 0) [m]
    float h_ = 1;                     ///< cell [m]
    Vec3i count_;                     ///< bricks along each axis
    std::vector<int> map_;            ///< brick to its number in data_, or -1
    std::vector<Vec3i> bricks_;
    std::vector<Cell> data_;          ///< `cells` for each brick, with a rim of one cell from its neighbours
};

}  // namespace phlo::render
