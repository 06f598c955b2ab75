#include "render/lit_volume.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/parallel.h"
#include "render/fast_math.h"

namespace phlo::render {

LitVolume::LitVolume(const Volume& volume, const std::function<Vec3f(const Vec3f&, const Vec3i&)>& light) {
    if (volume.empty()) return;
    find_bricks(volume);
    data_.resize(bricks_.size() * cells);
    const Vec3i n = volume.domain.cells;
    parallel_for(int(bricks_.size()), [&](int b) {
        const Vec3i first = bricks_[std::size_t(b)] * size;
        Cell* out = data_.data() + std::size_t(b) * cells;
        for (int z = 0; z < size; ++z)
            for (int y = 0; y < size; ++y)
                for (int x = 0; x < size; ++x) {
                    const int i = first.x + x, j = first.y + y, k = first.z + z;
                    if (i >= n.x || j >= n.y || k >= n.z) continue;
                    const float sigma = volume.extinction(i, j, k);
                    Vec3f glow;
                    if (volume.glows()) glow = volume.emission_of(i, j, k);
                    if (sigma > 0) glow += light(Vec3f(volume.domain.cell_center(i, j, k)), {i, j, k}) * volume.albedo_of(i, j, k) * sigma;
                    out[(z + 1) * padded * padded + (y + 1) * padded + x + 1] = Cell{glow.x, glow.y, glow.z, sigma};
                }
    });
    // Rims: the neighbours' outermost cells.
    parallel_for(int(bricks_.size()), [&](int b) {
        const Vec3i brick = bricks_[std::size_t(b)];
        Cell* out = data_.data() + std::size_t(b) * cells;
        for (int z = 0; z < padded; ++z)
            for (int y = 0; y < padded; ++y)
                for (int x = 0; x < padded; ++x) {
                    const Vec3i side((x == padded - 1) - (x == 0), (y == padded - 1) - (y == 0), (z == padded - 1) - (z == 0));
                    if (side == Vec3i()) {
                        x = size;  // the inside is filled: on to the last cell of the row
                        continue;
                    }
                    const Vec3i other = brick + side;
                    if (other.x < 0 || other.y < 0 || other.z < 0 || other.x >= count_.x || other.y >= count_.y || other.z >= count_.z)
                        continue;
                    const int neighbour = brick_at(other);
                    if (neighbour < 0) continue;
                    const Cell* from = data_.data() + std::size_t(neighbour) * cells;
                    out[z * padded * padded + y * padded + x] =
                        from[(z - side.z * size) * padded * padded + (y - side.y * size) * padded + x - side.x * size];
                }
    });
}

/// Bricks with gas in them or next to them: the spline reaches one cell further than the gas.
void LitVolume::find_bricks(const Volume& volume) {
    const Vec3i n = volume.domain.cells;
    origin_ = Vec3f(volume.domain.origin);
    h_ = float(volume.domain.h);
    count_ = {(n.x + size - 1) / size, (n.y + size - 1) / size, (n.z + size - 1) / size};
    std::vector<std::uint8_t> used(std::size_t(count_.x) * std::size_t(count_.y) * std::size_t(count_.z));
    parallel_for(count_.z, [&](int bz) {
        for (int by = 0; by < count_.y; ++by)
            for (int bx = 0; bx < count_.x; ++bx) {
                float most = 0;
                for (int k = bz * size - 1; k < std::min((bz + 1) * size + 1, n.z + 1); ++k)
                    for (int j = by * size - 1; j < std::min((by + 1) * size + 1, n.y + 1); ++j) {
                        const float* row = volume.extinction.row(j, k);
                        for (int i = bx * size - 1; i < std::min((bx + 1) * size + 1, n.x + 1); ++i) most = std::max(most, row[i]);
                    }
                used[std::size_t(bx) + std::size_t(count_.x) * (std::size_t(by) + std::size_t(count_.y) * std::size_t(bz))] = most > 0;
            }
    });
    map_.assign(used.size(), -1);
    for (std::size_t n_ = 0; n_ < used.size(); ++n_) {
        if (!used[n_]) continue;
        map_[n_] = int(bricks_.size());
        const int at = int(n_);
        bricks_.push_back({at % count_.x, at / count_.x % count_.y, at / (count_.x * count_.y)});
    }
}

/// x, y, z: cells from the brick's lower corner, 0 to 8.
LitVolume::Cell LitVolume::sample(const Cell* brick, float x, float y, float z) const {
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
    const Cell* base = brick + (k * padded + j) * padded + i;
    Cell sum{};
    for (int c = 0; c < 3; ++c) {
        Cell plane{};
        for (int b = 0; b < 3; ++b) {
            const Cell* row = base + (c * padded + b) * padded;
            plane += wy[b] * (wx[0] * row[0] + wx[1] * row[1] + wx[2] * row[2]);
        }
        sum += wz[c] * plane;
    }
    return sum;
}

Segment LitVolume::march(const Ray& ray, float distance, const MarchParams& params) const {
    Segment result;
    if (bricks_.empty()) return result;
    // Everything in units of cells from here on.
    const Vec3f start = (ray.origin - origin_) / h_, direction = ray.direction;
    float enter = 0, leave = distance / h_;
    Vec3f inverse;
    for (int axis = 0; axis < 3; ++axis) {
        inverse[axis] = 1 / (std::fabs(direction[axis]) < 1e-9f ? 1e-9f : direction[axis]);
        const float a = -start[axis] * inverse[axis], b = (float(count_[axis] * size) - start[axis]) * inverse[axis];
        enter = std::max(enter, std::min(a, b)), leave = std::min(leave, std::max(a, b));
    }
    if (!(enter < leave)) return result;

    // Walk through the bricks [amanatides1987].
    Vec3i brick, forward;
    Vec3f next, stride;
    for (int axis = 0; axis < 3; ++axis) {
        const float at = start[axis] + direction[axis] * enter;
        brick[axis] = std::clamp(int(at / float(size)), 0, count_[axis] - 1);
        forward[axis] = inverse[axis] > 0 ? 1 : -1;
        next[axis] = (float((brick[axis] + (forward[axis] > 0)) * size) - start[axis]) * inverse[axis];
        stride[axis] = float(size) * std::fabs(inverse[axis]);
    }
    const float step = params.step, step_length = step * h_;
    Cell light{};
    float through = 1, t = enter;
    while (t < leave) {
        const int axis = next.x < next.y ? (next.x < next.z ? 0 : 2) : (next.y < next.z ? 1 : 2);
        const float exit = std::min(next[axis], leave);
        if (const int number = brick_at(brick); number >= 0) {
            const Cell* data = data_.data() + std::size_t(number) * cells;
            const Vec3f local = start - Vec3f(brick * size);
            // Samples lie at (n + jitter) step along the whole ray, so that bricks leave no seams.
            for (float n = std::ceil(t / step - params.jitter);; n += 1) {
                const float s = (n + params.jitter) * step;
                if (!(s < exit)) break;
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
            if (through < 1e-3f) {
                through = 0;
                break;
            }
        }
        t = exit;
        brick[axis] += forward[axis];
        if (brick[axis] < 0 || brick[axis] >= count_[axis]) break;
        next[axis] += stride[axis];
    }
    result.radiance = {light[0], light[1], light[2]};
    result.transmittance = through;
    return result;
}

}  // namespace phlo::render
