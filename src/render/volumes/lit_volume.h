// The gas with its light baked in, in bricks of 8^3 cells; empty bricks do not exist. Each cell keeps
//   (j_r, j_g, j_b, sigma):  radiance that it sends towards the camera per metre, and extinction per metre,
// so that a picture is one integral along each ray:  L = integral T j dt,  T = exp(-integral sigma dt).
//
//   LitVolume lit(volume, light);                               // light(point, cell) = source radiance there
//   Segment s = lit.march(ray, distance_to_surface, {.step = 0.5f, .jitter = noise});
//   Vec3f pixel = s.radiance + surface * s.transmittance;
//
// Between cell centres the fields are quadratic B-splines: smooth where trilinear interpolation shows the cells' edges, as sharp as it
// (see sharpen), and the amount of gas is kept.
#pragma once
#include <functional>
#include <vector>

#include "render/volumes/bricks.h"

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
    LitVolume(const OpticalVolume& volume, const std::function<Vec3f(const Vec3f& world, const Vec3i& cell)>& light);

    Segment march(const Ray& ray, float distance, const MarchParams& params) const;

    struct Value {
        Vec3f light;          ///< j: radiance per metre
        float sigma = 0;      ///< [1/m]
    };
    Value cell(const Vec3i& at) const {
        if (map_.at(at / BrickMap::size) < 0) return {};
        const Cell& c = data_[place(at)];
        return {{c[0], c[1], c[2]}, c[3]};
    }

private:
    using Cell = float __attribute__((vector_size(16)));

    Cell sample(const Cell* brick, float x, float y, float z) const;
    void sharpen(const Vec3i& cells);
    /// Of a cell in a brick that exists, in `data_`.
    std::size_t place(const Vec3i& at) const {
        const Vec3i brick = at / BrickMap::size, p = at - brick * BrickMap::size + Vec3i(1);
        return std::size_t(map_.at(brick)) * BrickMap::cells +
               std::size_t((p.z * BrickMap::padded + p.y) * BrickMap::padded + p.x);
    }

    BrickMap map_;
    std::vector<Cell> data_;          ///< BrickMap::cells for each brick
};

}  // namespace phlo::render
