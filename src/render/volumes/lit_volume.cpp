#include "render/volumes/lit_volume.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/simd.h"
#include "render/fast_math.h"

namespace phlo::render {

LitVolume::LitVolume(const OpticalVolume& volume, const std::function<Vec3f(const Vec3f&, const Vec3i&)>& light) : map_(volume) {
    data_ = map_.fill<Cell>(volume.domain.cells, [&](int i, int j, int k) {
        const float sigma = volume.extinction(i, j, k);
        Vec3f glow;
        if (volume.glows()) glow = volume.emission_of(i, j, k);
        if (sigma > 0) glow += light(Vec3f(volume.domain.cell_center(i, j, k)), {i, j, k}) * volume.albedo_of(i, j, k) * sigma;
        return Cell{glow.x, glow.y, glow.z, sigma};
    });
    sharpen(volume.domain.cells);
}

/// The spline is a little wider than the linear interpolation that photons and paths meet: its variance is 1/4 of a cell's size squared
/// along each axis, not 1/6. Moving 1/24 of the difference from the lower to the higher of two neighbours makes them equal. What moves
/// leaves one cell and enters the other, and never makes one negative: the amount of gas and of light is kept.
void LitVolume::sharpen(const Vec3i& cells) {
    const auto move = [](const Cell& a, const Cell& b) {
        const Cell low = a < b ? a : b, wanted = (a - b) * (1 / 24.f), most = low * (1 / 6.f);
        return wanted > most ? most : wanted < -most ? -most : wanted;
    };
    data_ = map_.fill<Cell>(cells, [&, before = std::move(data_)](int i, int j, int k) {
        const Cell* c = before.data() + place({i, j, k});
        constexpr int y = BrickMap::padded, z = y * y;
        return *c + move(*c, c[-1]) + move(*c, c[1]) + move(*c, c[-y]) + move(*c, c[y]) + move(*c, c[-z]) + move(*c, c[z]);
    });
}

/// x, y, z: cells from the brick's lower corner, 0 to 8.
LitVolume::Cell LitVolume::sample(const Cell* brick, float x, float y, float z) const {
    constexpr int size = BrickMap::size, padded = BrickMap::padded;
    const int i = std::min(int(x), size - 1), j = std::min(int(y), size - 1), k = std::min(int(z), size - 1);
    // Quadratic B-spline over the cell and its two neighbours; t is measured from the cell's centre.
    const auto weights = [](float t, float(&w)[3]) {
        w[0] = 0.5f * (0.5f - t) * (0.5f - t);
        w[1] = 0.75f - t * t;
        w[2] = 0.5f * (0.5f + t) * (0.5f + t);
    };
    float wx[3], wy[3], wz[3];
    weights(x - float(i) - 0.5f, wx);
    weights(y - float(j) - 0.5f, wy);
    weights(z - float(k) - 0.5f, wz);
    // Four cells of a row are 16 floats; the fourth gets no weight.
    constexpr int registers = 16 / simd::width;
    const float* base = reinterpret_cast<const float*>(brick + (k * padded + j) * padded + i);
    simd::Float sum[registers];
    for (simd::Float& s : sum) s = 0.f;
    for (int c = 0; c < 3; ++c)
        for (int b = 0; b < 3; ++b) {
            const float* row = base + 4 * (c * padded + b) * padded;
            const simd::Float weight = wz[c] * wy[b];
            for (int r = 0; r < registers; ++r) sum[r] = fma(weight, simd::load(row + r * simd::width), sum[r]);
        }
    Cell along[4];
    for (int r = 0; r < registers; ++r) simd::store(reinterpret_cast<float*>(along) + r * simd::width, sum[r]);
    return wx[0] * along[0] + wx[1] * along[1] + wx[2] * along[2];
}

Segment LitVolume::march(const Ray& ray, float distance, const MarchParams& params) const {
    // Everything in units of cells from here on.
    const Vec3f start = map_.cells_from_world(ray.origin), direction = ray.direction;
    const float step = params.step, step_length = step * map_.h;
    Cell light{};
    float through = 1;
    map_.walk(ray, distance, [&](int number, const Vec3i& brick, float from, float to) {
        const Cell* data = data_.data() + std::size_t(number) * BrickMap::cells;
        const Vec3f local = start - Vec3f(brick * BrickMap::size);
        // Samples lie at (n + jitter) step along the whole ray, so that bricks leave no seams.
        for (float n = std::ceil(from / step - params.jitter);; n += 1) {
            const float s = (n + params.jitter) * step;
            if (!(s < to)) break;
            const Vec3f p = max(local + direction * s, Vec3f(0.f));
            const Cell cell = sample(data, p.x, p.y, p.z);
            const float depth = cell[3] * step_length;
            if (!(depth > 1e-7f)) {
                light += cell * (through * step_length);
                continue;
            }
            // Constant sigma and source over the step: T (1 - e^-depth) j / sigma.
            const float passed = fast_exp(-depth);
            light += cell * (through * (1 - passed) * step_length / depth);
            through *= passed;
        }
        if (through >= 1e-3f) return true;
        through = 0;
        return false;
    });
    return {{light[0], light[1], light[2]}, through};
}

}  // namespace phlo::render
