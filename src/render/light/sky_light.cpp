#include "render/light/sky_light.h"

#include <algorithm>
#include <cmath>

#include "base/parallel.h"
#include "field/trilinear.h"
#include "render/volumes/scattering.h"

namespace phlo::render {
namespace {

/// Of a block of cells, by the light that they scatter. `total` is the sum of their extinction.
Vec3f mean_albedo(const OpticalVolume& volume, const Vec3i& first, int size, float total) {
    if (!(total > 0)) return {};
    const Vec3i low = max(first, Vec3i()), last = min(first + Vec3i(size), volume.domain.cells);
    Vec3f sum;
    for (int z = low.z; z < last.z; ++z)
        for (int y = low.y; y < last.y; ++y)
            for (int x = low.x; x < last.x; ++x)
                sum += Vec3f(volume.scattering[0](x, y, z), volume.scattering[1](x, y, z), volume.scattering[2](x, y, z));
    return sum / total;
}

}  // namespace

SkyLight::SkyLight(const OpticalVolume& volume, const Lights& lights, int cells, int directions) {
    if (volume.empty()) return;
    const Vec3i n = volume.room.cells, shift = volume.shift();
    factor_ = (std::max({n.x, n.y, n.z}) + cells - 1) / cells;
    count_ = {(n.x + factor_ - 1) / factor_, (n.y + factor_ - 1) / factor_, (n.z + factor_ - 1) / factor_};
    origin_ = Vec3f(volume.room.origin);
    shift_ = Vec3f(shift) + Vec3f(0.5f);
    h_ = float(volume.domain.h) * float(factor_);
    extinction_.resize(index(0, 0, count_.z));
    light_.resize(extinction_.size());
    albedo_.assign(volume.scattering.empty() ? 1 : extinction_.size(), volume.albedo);
    const float share = 1 / float(factor_ * factor_ * factor_);
    parallel_for(count_.z, [&](int k) {
        for (int j = 0; j < count_.y; ++j)
            for (int i = 0; i < count_.x; ++i) {
                float sum = 0;
                const Vec3i corner = Vec3i(i, j, k) * factor_ - shift;
                const Vec3i low = max(corner, Vec3i()), high = min(corner + Vec3i(factor_), volume.domain.cells);
                for (int z = low.z; z < high.z; ++z)
                    for (int y = low.y; y < high.y; ++y)
                        for (int x = low.x; x < high.x; ++x) sum += volume.extinction(x, y, z);
                extinction_[index(i, j, k)] = sum * share;
                if (albedo_.size() > 1) albedo_[index(i, j, k)] = mean_albedo(volume, corner, factor_, sum);
            }
    });
    // A few groups of directions at once; their sums are added in order, so that the number of threads does not matter.
    constexpr int groups = 4;
    const std::vector<Lights::Ray> rays = lights.rays(directions);
    std::vector<std::vector<Vec3f>> partial(groups, std::vector<Vec3f>(light_.size()));
    parallel_for(groups, [&](int group) {
        for (int d = group; d < directions; d += groups) {
            const auto& [direction, radiance] = rays[std::size_t(d)];
            sweep(direction, radiance / float(directions), partial[std::size_t(group)]);
        }
    });
    parallel_for(count_.z, [&](int k) {
        for (std::size_t c = index(0, 0, k); c < index(0, 0, k + 1); ++c)
            for (const auto& part : partial) light_[c] += part[c];
    });
}

/// Optical depth from every cell towards `direction`, slice by slice from the side where the light enters: the depth of the
/// neighbouring slice, where the ray crosses it, and the way between. Adds the radiance that is left.
void SkyLight::sweep(const Vec3f& direction, const Vec3f& radiance, std::vector<Vec3f>& light) const {
    int a = 0;  // the axis closest to the direction; b and c are the others
    for (int axis = 1; axis < 3; ++axis)
        if (std::fabs(direction[axis]) > std::fabs(direction[a])) a = axis;
    const int b = a == 0 ? 1 : 0, c = a == 2 ? 1 : 2;
    const float along = std::fabs(direction[a]), way = h_ / along;
    const float shift_b = direction[b] / along, shift_c = direction[c] / along;
    const int floor_b = int(std::floor(shift_b)), floor_c = int(std::floor(shift_c));
    const float fb = shift_b - float(floor_b), fc = shift_c - float(floor_c);
    const std::size_t stride[3] = {1, std::size_t(count_.x), std::size_t(count_.x) * std::size_t(count_.y)};

    // Slices of depth and of extinction with a rim of empty space.
    const int nb = count_[b], nc = count_[c], row = nb + 4;
    std::vector<float> depth_before(std::size_t(row * (nc + 4))), depth(depth_before), sigma_before(depth_before), sigma(depth_before);
    std::vector<float> out(std::size_t(nb) * sky_octaves.size());
    const float w[4] = {(1 - fb) * (1 - fc), fb * (1 - fc), (1 - fb) * fc, fb * fc};
    for (int s = 0; s < count_[a]; ++s) {
        const int slice = direction[a] > 0 ? count_[a] - 1 - s : s;
        for (int ic = 0; ic < nc; ++ic) {
            const std::size_t base = stride[a] * std::size_t(slice) + stride[c] * std::size_t(ic);
            const int here = (ic + 2) * row + 2, there = here + floor_c * row + floor_b;
            for (int ib = 0; ib < nb; ++ib) sigma[std::size_t(here + ib)] = extinction_[base + stride[b] * std::size_t(ib)];
            const float *d0 = depth_before.data() + there, *s0 = sigma_before.data() + there, *s1 = sigma.data() + here;
            float *d1 = depth.data() + here, *factor = out.data();
#pragma omp simd
            for (int ib = 0; ib < nb; ++ib) {
                const float before = w[0] * d0[ib] + w[1] * d0[ib + 1] + w[2] * d0[ib + row] + w[3] * d0[ib + row + 1];
                const float met = w[0] * s0[ib] + w[1] * s0[ib + 1] + w[2] * s0[ib + row] + w[3] * s0[ib + row + 1];
                d1[ib] = before + 0.5f * way * (met + s1[ib]);
            }
            for (std::size_t o = 0; o < sky_octaves.size(); ++o) {
                float* const e = factor + o * std::size_t(nb);
                const float thinning = sky_octaves[o].thinning, weight = sky_octaves[o].weight;
#pragma omp simd
                for (int ib = 0; ib < nb; ++ib) e[ib] = weight * fast_exp(-thinning * d1[ib]);
            }
            for (int ib = 0; ib < nb; ++ib) {
                // Each further scattering takes its share: albedo once more for each octave.
                const float e0 = factor[ib], e1 = factor[nb + ib], e2 = factor[2 * nb + ib];
                const std::size_t cell = base + stride[b] * std::size_t(ib);
                const Vec3f& albedo = albedo_[albedo_.size() > 1 ? cell : 0];
                Vec3f& sum = light[cell];
                for (int ch = 0; ch < 3; ++ch) sum[ch] += radiance[ch] * (e0 + albedo[ch] * (e1 + albedo[ch] * e2));
            }
        }
        std::swap(depth, depth_before);
        std::swap(sigma, sigma_before);
    }
}

Vec3f SkyLight::at(const Vec3f& grid_point) const {
    const float scale = 1 / float(factor_);
    Vec3f p = (grid_point + shift_) * scale - Vec3f(0.5f);
    Vec3i cell;
    for (int axis = 0; axis < 3; ++axis) {
        p[axis] = std::clamp(p[axis], 0.f, float(count_[axis] - 1));
        cell[axis] = std::min(int(p[axis]), std::max(0, count_[axis] - 2));
        p[axis] -= float(cell[axis]);
    }
    const int dx = count_.x > 1, dy = count_.y > 1, dz = count_.z > 1;
    const auto value = [&](int i, int j, int k) { return light_[index(cell.x + i * dx, cell.y + j * dy, cell.z + k * dz)]; };
    return field::trilinear(p.x, p.y, p.z, value);
}

float SkyLight::transmittance(const Vec3f& world, const Vec3f& direction) const {
    if (extinction_.empty()) return 1;
    const Vec3f p = (world - origin_) / h_;  // in coarse cells from the corner
    float enter = 0, leave = 1e30f;
    for (int axis = 0; axis < 3; ++axis) {
        const float slope = std::fabs(direction[axis]) < 1e-6f ? 1e-6f : direction[axis];
        const float a = -p[axis] / slope, b = (float(count_[axis]) - p[axis]) / slope;
        enter = std::max(enter, std::min(a, b)), leave = std::min(leave, std::max(a, b));
    }
    float depth = 0;
    for (float t = enter + 0.5f; t < leave; t += 1) {
        const Vec3f q = p + direction * t;
        const Vec3i cell(std::clamp(int(q.x), 0, count_.x - 1), std::clamp(int(q.y), 0, count_.y - 1),
                         std::clamp(int(q.z), 0, count_.z - 1));
        depth += extinction_[index(cell.x, cell.y, cell.z)];
        if (depth * h_ > 12) return 0;
    }
    return fast_exp(-depth * h_);
}

SkyLight::Depth SkyLight::depth_between(const Vec3f& from, const Vec3f& to) const {
    if (extinction_.empty()) return {};
    const Vec3f a = (from - origin_) / h_, way = (to - from) / h_;
    float enter = 0, leave = 1;
    for (int axis = 0; axis < 3; ++axis) {
        const float slope = std::fabs(way[axis]) < 1e-6f ? 1e-6f : way[axis];
        const float s = -a[axis] / slope, t = (float(count_[axis]) - a[axis]) / slope;
        enter = std::max(enter, std::min(s, t)), leave = std::min(leave, std::max(s, t));
    }
    if (!(enter < leave)) return {};
    const float distance = length(way) * (leave - enter);
    const int steps = std::max(1, int(std::ceil(distance)));
    Depth sum;
    for (int n = 0; n < steps; ++n) {
        const Vec3f q = a + way * (enter + (leave - enter) * (float(n) + 0.5f) / float(steps));
        const Vec3i cell(std::clamp(int(q.x), 0, count_.x - 1), std::clamp(int(q.y), 0, count_.y - 1),
                         std::clamp(int(q.z), 0, count_.z - 1));
        const std::size_t at = index(cell.x, cell.y, cell.z);
        const Vec3f& albedo = albedo_[albedo_.size() > 1 ? at : 0];
        const float kept = (albedo.x + albedo.y + albedo.z) / 3;
        sum.absorbed += (1 - kept) * extinction_[at], sum.scattered += kept * extinction_[at];
    }
    const float step = h_ * distance / float(steps);
    return {sum.absorbed * step, sum.scattered * step};
}

}  // namespace phlo::render
