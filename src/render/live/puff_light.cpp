#include "render/live/puff_light.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "base/parallel_items.h"
#include "base/simd_eight.h"
#include "render/fast_math.h"

namespace phlo::render {
namespace {

/// Of light that arrives, the share that a cloud sends on into a unit of solid angle; twice what single scattering would, for light scattered again.
constexpr float even = 2 / (4 * std::numbers::pi_v<float>);

/// Eight nodes of a grid around p, in nodes, and where p is between them; beyond the grid's edge its edge.
struct Among {
    std::size_t first;
    int right, down, up;    ///< steps to the next node along each axis
    float x, y, z;

    Among(const Vec3i& count, const Vec3f& p) {
        const auto part = [](float v, int n, float& f) {
            v = std::clamp(v, 0.f, float(n - 1));
            const int i = std::min(int(v), std::max(0, n - 2));
            f = n > 1 ? v - float(i) : 0.f;
            return i;
        };
        const int i = part(p.x, count.x, x), j = part(p.y, count.y, y), k = part(p.z, count.z, z);
        right = count.x > 1, down = count.y > 1 ? count.x : 0, up = count.z > 1 ? count.x * count.y : 0;
        first = std::size_t((k * count.y + j) * count.x + i);
    }
};

}  // namespace

PuffLight::PuffLight(std::span<const Matter> matter, const Lights& lights, std::span<const FireLamp> fire, std::span<const SoftRod> rods,
                     float shadow)
    : to_sun_(lights.to_sun) {
    constexpr int chunk = 16384;
    const int chunks = (int(matter.size()) + chunk - 1) / chunk;
    const field::Bounds box = parallel_reduce(
        chunks, field::Bounds(),
        [&](int item) {
            field::Bounds part;
            for (int n = item * chunk; n < std::min(int(matter.size()), (item + 1) * chunk); ++n) part.include(Vec3d(matter[std::size_t(n)].position));
            return part;
        },
        [](field::Bounds a, const field::Bounds& b) { return a.include(b), a; });
    if (box.empty()) return;
    const Vec3d size = box.size();
    h_ = float(std::max({size.x, size.y, size.z, 1e-6}) / (most_cells - 3));
    for (int axis = 0; axis < 3; ++axis) count_[axis] = int(std::ceil(size[axis] / double(h_))) + 3;
    origin_ = Vec3f(box.lower) - Vec3f(h_);
    deposit(matter);

    Vec3f sky;
    const auto rays = lights.rays(64);
    for (const Lights::Ray& ray : rays) sky += ray.radiance / float(rays.size());
    light_.resize(extinction_.size());
    parallel_items(count_.z, [&](int k) {
        for (int j = 0; j < count_.y; ++j)
            for (int i = 0; i < count_.x; ++i) {
                const Vec3f p = origin_ + Vec3f(Vec3i(i, j, k)) * h_;
                float above = 0;
                for (int up = k; up < count_.z; ++up) above += (up == k ? 0.5f : 1.f) * extinction_[index(i, j, up)] * h_;
                // Light comes from everywhere and is scattered on: half the depth above counts.
                Vec3f sum = sky * fast_exp(-0.5f * shadow * above);
                const float seen = sun_seen(rods, p, -1, lights.to_sun, lights.sun_spread);
                // Light that was scattered before has gone through thinner smoke.
                const float depth = seen > 0 ? shadow * depth_to_sun(p) : 0.f;
                sum += lights.sun * (seen * even * (0.7f * fast_exp(-depth) + 0.3f * fast_exp(-0.25f * depth)));
                for (const FireLamp& lamp : fire) {
                    const Vec3f way = lamp.position - p;
                    sum += lamp.intensity * (even / (dot(way, way) + lamp.radius * lamp.radius));
                }
                for (const Lamp& lamp : lights.lamps) {
                    const LightSample s = sample_lamp(lamp, p, 0.5f, 0.5f);
                    sum += s.light * even;
                }
                light_[index(i, j, k)] = {sum.x, sum.y, sum.z, 0};
            }
    });
}

void PuffLight::deposit(std::span<const Matter> matter) {
    // A fixed number of partial sums, so that the result does not depend on who made them.
    constexpr int parts = 8;
    const std::size_t cells = std::size_t(count_.x) * std::size_t(count_.y) * std::size_t(count_.z);
    std::vector<float> sums(cells * parts);
    const float inverse = 1 / h_, per_volume = 1 / (h_ * h_ * h_);
    parallel_items(parts, [&](int part) {
        float* to = sums.data() + std::size_t(part) * cells;
        const std::size_t first = matter.size() * std::size_t(part) / parts, last = matter.size() * std::size_t(part + 1) / parts;
        for (std::size_t n = first; n < last; ++n) {
            const Vec3f p = (matter[n].position - origin_) * inverse;
            const int i = std::clamp(int(p.x), 0, count_.x - 2), j = std::clamp(int(p.y), 0, count_.y - 2), k = std::clamp(int(p.z), 0, count_.z - 2);
            const float x = p.x - float(i), y = p.y - float(j), z = p.z - float(k), amount = matter[n].area * per_volume;
            for (int c = 0; c < 8; ++c)
                to[index(i + (c & 1), j + (c >> 1 & 1), k + (c >> 2))] +=
                    amount * (c & 1 ? x : 1 - x) * (c >> 1 & 1 ? y : 1 - y) * (c >> 2 ? z : 1 - z);
        }
    });
    extinction_.assign(cells, 0);
    for (int part = 0; part < parts; ++part)
        for (std::size_t n = 0; n < cells; ++n) extinction_[n] += sums[std::size_t(part) * cells + n];
}

float PuffLight::extinction_at(const Vec3f& p) const {
    if (p.x < 0 || p.y < 0 || p.z < 0 || p.x > float(count_.x - 1) || p.y > float(count_.y - 1) || p.z > float(count_.z - 1)) return 0;
    const Among at(count_, p);
    const float* v = extinction_.data() + at.first;
    const auto plane = [&](const float* q) {
        return (q[0] * (1 - at.x) + q[at.right] * at.x) * (1 - at.y) + (q[at.down] * (1 - at.x) + q[at.down + at.right] * at.x) * at.y;
    };
    return plane(v) * (1 - at.z) + plane(v + at.up) * at.z;
}

float PuffLight::depth_to_sun(const Vec3f& world) const {
    const Vec3f p = (world - origin_) / h_;
    float sum = 0;
    for (int n = 0; n < 2 * most_cells; ++n) {
        const Vec3f q = p + to_sun_ * (float(n) + 0.5f);
        if (q.z > float(count_.z - 1) || q.x < 0 || q.y < 0 || q.x > float(count_.x - 1) || q.y > float(count_.y - 1)) break;
        sum += extinction_at(q);
    }
    return sum * h_;
}

Vec3f PuffLight::at(const Vec3f& world) const {
    if (light_.empty()) return {};
    // A grid has three nodes or more along each axis: two that are neighbours along x are one register.
    using simd::Eight;
    const Among at(count_, (world - origin_) * (1 / h_));
    const float* v = light_[at.first].data();
    const float far = at.y * at.z, above = at.z - far, beside = at.y - far, here = 1 - at.y - above;
    const auto pair = [&](int step) { return simd::load_eight(v + 4 * step); };
    alignas(32) float sum[8];
    simd::store(sum, fma(Eight(here), pair(0), fma(Eight(beside), pair(at.down), fma(Eight(above), pair(at.up), Eight(far) * pair(at.up + at.down)))));
    return {sum[0] + at.x * (sum[4] - sum[0]), sum[1] + at.x * (sum[5] - sum[1]), sum[2] + at.x * (sum[6] - sum[2])};
}

}  // namespace phlo::render
