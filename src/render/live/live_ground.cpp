// The ground of a live picture, a row of a tile at a time.
#include <cmath>
#include <limits>
#include <numbers>

#include "base/parallel_items.h"
#include "base/simd_eight.h"
#include "render/fast_math.h"
#include "render/live/live_surfaces.h"

namespace phlo::render {
namespace {

constexpr float pi = std::numbers::pi_v<float>, infinity = std::numeric_limits<float>::infinity();

/// Where the rays of a row meet the ground.
struct Row {
    static constexpr int most = TileGrid::usual.x;
    int count = 0;
    alignas(64) float x[most], y[most], depth[most];  ///< [m]
    alignas(64) float kept[most];                     ///< what is left of the ground: it fades into the background
    alignas(64) float sun[most];                      ///< share of the sun that is seen

    /// The ray of pixel (px, py) goes along forward + right u + down v, which reaches a depth of one.
    void meet(const Projection& p, float height, int px, int py) {
        const float scale = p.pixel * p.pixel, v = (float(py) + 0.5f - p.middle_y) * scale, first = (float(px) + 0.5f - p.middle_x) * scale;
        const Vec3f start = p.forward + p.down * v + p.right * first, step = p.right * scale;
        const float fall = height - p.position.z;
#pragma omp simd
        for (int l = 0; l < count; ++l) {
            const float n = float(l), t = fall / (start.z + step.z * n);
            x[l] = p.position.x + (start.x + step.x * n) * t;
            y[l] = p.position.y + (start.y + step.y * n) * t;
            depth[l] = t > 0 ? t : infinity;
        }
    }
    void fade(const Vec3f& middle, float reach) {
        const float scale = -1 / (2 * 1.5f * 1.5f * reach * reach);
#pragma omp simd
        for (int l = 0; l < count; ++l) {
            const float ax = x[l] - middle.x, ay = y[l] - middle.y, left = fast_exp((ax * ax + ay * ay) * scale);
            kept[l] = depth[l] < infinity ? left : 0.f;
        }
    }
    /// Does the row, which is a straight line on the ground, pass the box around a rod's shadow? Beside the middle of the shadow by d, the rod's axis is
    /// passed by d sin(elevation) at least, and its half shadow grows by the spread times d at most.
    bool beyond_shadow(const SoftRod& rod, float up, float thin, const Vec3f& to_sun, float spread) const {
        const float reach = length(rod.half_axis), gain = to_sun.z - spread;
        if (!(gain > 0) || depth[0] == infinity || depth[count - 1] == infinity) return false;
        const float way = up / to_sun.z, widest = (rod.radius + reach + thin + spread * (std::fabs(way) + reach)) / gain;
        const auto beside = [&](float middle, float a, float b) { return std::max(a, b) < middle - widest || std::min(a, b) > middle + widest; };
        return beside(rod.middle.x - to_sun.x * way, x[0], x[count - 1]) || beside(rod.middle.y - to_sun.y * way, y[0], y[count - 1]);
    }
    /// As sun_seen does for one point.
    void shade(std::span<const SoftRod> rods, float height, const Vec3f& to_sun, float spread) {
        for (int l = 0; l < count; ++l) sun[l] = 1;
        for (const SoftRod& rod : rods) {
            if (!(rod.radius > 0)) continue;
            const float up = rod.middle.z - height, thin = 0.02f * rod.radius, lean = dot(rod.half_axis, to_sun);
            if (beyond_shadow(rod, up, thin, to_sun, spread)) continue;
            const Vec3f across = rod.half_axis - to_sun * lean;
            const float per_length = -1 / (dot(across, across) + 1e-12f);
#pragma omp simd
            for (int l = 0; l < count; ++l) {
                const float tx = rod.middle.x - x[l], ty = rod.middle.y - y[l], t = tx * to_sun.x + ty * to_sun.y + up * to_sun.z;
                const float ox = tx - to_sun.x * t, oy = ty - to_sun.y * t, oz = up - to_sun.z * t;
                const float at = (ox * across.x + oy * across.y + oz * across.z) * per_length, u = at < -1 ? -1.f : at > 1 ? 1.f : at;
                const float nx = ox + across.x * u, ny = oy + across.y * u, nz = oz + across.z * u, along = t + lean * u;
                const float aside = std::sqrt(nx * nx + ny * ny + nz * nz), edge = 0.5f + 0.5f * (aside - rod.radius) / (spread * along + thin);
                const float s = edge < 0 ? 0.f : edge > 1 ? 1.f : edge;
                sun[l] *= along > 0 ? s * s * (3 - 2 * s) : 1.f;
            }
        }
    }
};

}  // namespace

void LiveSurfaces::place_nodes(const Camera& camera, const Lights& lights) {
    nodes_.clear();
    nodes_across_ = (look_.width + block - 1) / block + 1;
    if (!ground_) return;
    const int down = (look_.height + block - 1) / block + 1;
    nodes_.resize(std::size_t(nodes_across_) * std::size_t(down));
    parallel_for(down, [&](int j) {
        for (int i = 0; i < nodes_across_; ++i) {
            Node& node = nodes_[std::size_t(j * nodes_across_ + i)];
            const Ray ray = camera.ray(float(i * block), float(j * block));
            const float t = (ground_->height - ray.origin.z) / ray.direction.z;
            node = {};
            // Beyond this the ground has faded.
            node.met = t > 0 && t * length(Vec3f(ray.direction.x, ray.direction.y, 0)) < 100 * reach_;
            if (!node.met) continue;
            node.point = ray.origin + ray.direction * t;
            node.soft = soft_light(node.point, {0, 0, 1}, -1, lights);
        }
    });
}

/// Fire's light is softer than that of the sky under a body: every other node is lit, those between them are means.
void LiveSurfaces::light_nodes(std::span<const FireLamp> lamps) {
    if (nodes_.empty()) return;
    const int down = int(nodes_.size()) / nodes_across_;
    const auto node = [&](int i, int j) -> Node& { return nodes_[std::size_t(j * nodes_across_ + i)]; };
    parallel_for((down + 1) / 2, [&](int half) {
        for (int i = 0, j = 2 * half; i < nodes_across_; i += 2)
            if (Node& here = node(i, j); here.met) here.fire = fire_light(here.point, {0, 0, 1}, -1, lamps);
        for (int i = 1, j = 2 * half; i < nodes_across_; i += 2)
            node(i, j).fire = (node(i - 1, j).fire + node(i + 1 < nodes_across_ ? i + 1 : i - 1, j).fire) * 0.5f;
    });
    parallel_for(down / 2, [&](int half) {
        const int j = 2 * half + 1, above = j - 1, below = j + 1 < down ? j + 1 : j - 1;
        for (int i = 0; i < nodes_across_; ++i) node(i, j).fire = (node(i, above).fire + node(i, below).fire) * 0.5f;
    });
}

void LiveSurfaces::draw_ground(int x0, int x1, int y, const Lights& lights) {
    using simd::Eight;
    static_assert(block == 8);
    Row row;
    row.count = x1 - x0;
    const Projection& p = *projection_;
    const auto ray = [&](int x) {
        const float scale = p.pixel * p.pixel;
        return normalized(p.forward + p.right * ((float(x) + 0.5f - p.middle_x) * scale) + p.down * ((float(y) + 0.5f - p.middle_y) * scale));
    };
    if (sky_visible_)
        for (int x = x0; x < x1; ++x) {
            const Vec3f light = behind(ray(x), lights);
            for (std::size_t c = 0; c < 3; ++c) still_.channels[c](x, y) = light[int(c)];
        }
    if (ground_) row.meet(p, ground_->height, x0, y);
    if (!ground_ || (row.depth[0] == infinity && row.depth[row.count - 1] == infinity)) {
        for (std::size_t c = 0; c < 3 && !sky_visible_; ++c) std::fill(still_.channels[c].row(y) + x0, still_.channels[c].row(y) + x1, look_.background[int(c)]);
        std::fill(depth_.row(y) + x0, depth_.row(y) + x1, infinity), std::fill(ground_share_.row(y) + x0, ground_share_.row(y) + x1, 0.f);
        return;
    }
    row.fade(middle_, reach_);
    row.shade(rods_, ground_->height, lights.to_sun, lights.sun_spread);
    std::copy(row.depth, row.depth + row.count, depth_.row(y) + x0), std::copy(row.kept, row.kept + row.count, ground_share_.row(y) + x0);
    const float v = (float(y % block) + 0.5f) / block;
    const Eight across = (simd::count_to_eight() + Eight(0.5f)) * Eight(1.f / block);
    for (std::size_t c = 0; c < 3; ++c) {
        float* to = still_.channels[c].row(y) + x0;
        const float color = ground_->material.color[int(c)];
        const Eight base = look_.background[int(c)], sunlight = color * lights.sun[int(c)] * lights.to_sun.z / pi;
        const Node *n = &nodes_[std::size_t(y / block * nodes_across_ + x0 / block)], *m = n + nodes_across_;
        const auto soft = [&](int node) { return color * (n[node].soft[int(c)] * (1 - v) + m[node].soft[int(c)] * v); };
        float a = soft(0);
        for (int x = 0; x < row.count; x += block) {   // the last block may reach beyond the picture's edge, where nothing is seen
            const float b = soft(x / block + 1);
            const Eight light = fma(sunlight, simd::load_eight(row.sun + x), fma(across, Eight(b - a), Eight(a)));
            const Eight before = sky_visible_ ? simd::load_eight(to + x) : base;
            simd::store(to + x, fma(light - before, simd::load_eight(row.kept + x), before));
            a = b;
        }
    }
}

/// The fire's light on a row of a tile.
void LiveSurfaces::light_ground(int x0, int x1, int y, Picture& picture) const {
    using simd::Eight;
    const float* share = ground_share_.row(y);
    const Eight across = (simd::count_to_eight() + Eight(0.5f)) * Eight(1.f / block);
    const float v = (float(y % block) + 0.5f) / block;
    for (std::size_t c = 0; c < 3; ++c) {
        const float* still = still_.channels[c].row(y);
        float* to = picture.channels[c].row(y);
        if (nodes_.empty()) {
            std::copy(still + x0, still + x1, to + x0);
            continue;
        }
        const float color = ground_->material.color[int(c)];
        const Node *n = &nodes_[std::size_t(y / block * nodes_across_ + x0 / block)], *m = n + nodes_across_;
        const auto fire = [&](int node) { return color * (n[node].fire[int(c)] * (1 - v) + m[node].fire[int(c)] * v); };
        float a = fire(0);
        for (int x = x0; x < x1; x += block) {
            const float b = fire((x - x0) / block + 1);
            simd::store(to + x, fma(simd::load_eight(share + x), fma(across, Eight(b - a), Eight(a)), simd::load_eight(still + x)));
            a = b;
        }
    }
}

}  // namespace phlo::render
