#include "render/surface_light.h"

#include <algorithm>
#include <cmath>

#include "base/parallel.h"
#include "render/fast_math.h"

namespace phlo::render {
namespace {

constexpr int hemisphere_rays = 96;  // over the whole sphere; the half that faces the surface counts

}  // namespace

SurfaceLight::SurfaceLight(const RenderScene& scene, Surfaces& surfaces, const SkyLight& sky, const SunDepth& depth)
    : scene_(scene), surfaces_(surfaces), sky_(sky), depth_(depth), offset_(float(scene.volume.domain.h) * 0.05f) {
    surfaces.bake_light([&](const Vec3f& point, const Vec3f& normal) { return sky_light(point, normal); });
    if (surfaces.ground()) map_ground();
}

/// Cosine-weighted mean of the radiance that arrives, through gas and past bodies.
Vec3f SurfaceLight::sky_light(const Vec3f& point, const Vec3f& normal) const {
    const Vec3f from = point + normal * offset_;
    Vec3f sum;
    float weight = 0;
    for (int d = 0; d < hemisphere_rays; ++d) {
        const Vec3f direction = fibonacci_direction(d, hemisphere_rays);
        const float cosine = dot(direction, normal);
        if (cosine <= 0) continue;
        weight += cosine;
        if (surfaces_.blocked(from, direction)) continue;
        sum += scene_.lights.radiance(direction) * (cosine * sky_.transmittance(from, direction));
    }
    return sum / std::max(weight, 1e-6f);
}

void SurfaceLight::map_ground() {
    // Three times the domain's size: beyond that nothing dims the sky visibly.
    const Vec3f low(scene_.volume.domain.origin), size(scene_.volume.domain.size());
    const float reach = std::max({size.x, size.y, size.z});
    map_low_ = low - Vec3f(reach);
    map_scale_ = {float(map_size - 1) / (size.x + 2 * reach), float(map_size - 1) / (size.y + 2 * reach), 0};
    map_.resize(std::size_t(map_size) * map_size);
    const float height = surfaces_.ground()->height;
    parallel_for(map_size, [&](int y) {
        for (int x = 0; x < map_size; ++x) {
            const Vec3f point(map_low_.x + float(x) / map_scale_.x, map_low_.y + float(y) / map_scale_.y, height);
            map_[std::size_t(y * map_size + x)] = sky_light(point, {0, 0, 1});
        }
    });
    open_ground_ = sky_light({low.x + 1e4f * reach, low.y, height}, {0, 0, 1});
}

Vec3f SurfaceLight::ground_sky_light(const Vec3f& point) const {
    const float x = (point.x - map_low_.x) * map_scale_.x, y = (point.y - map_low_.y) * map_scale_.y;
    const float edge = std::min({x, y, float(map_size - 1) - x, float(map_size - 1) - y}) - 1.5f;
    if (!(edge > 0)) return open_ground_;
    // Quadratic B-spline: smooth across the map's cells.
    const float cx = std::floor(x + 0.5f), cy = std::floor(y + 0.5f), tx = x - cx, ty = y - cy;
    const float wx[3] = {0.5f * (0.5f - tx) * (0.5f - tx), 0.75f - tx * tx, 0.5f * (0.5f + tx) * (0.5f + tx)};
    const float wy[3] = {0.5f * (0.5f - ty) * (0.5f - ty), 0.75f - ty * ty, 0.5f * (0.5f + ty) * (0.5f + ty)};
    Vec3f sum;
    for (int b = 0; b < 3; ++b)
        for (int a = 0; a < 3; ++a) sum += map_[std::size_t((int(cy) + b - 1) * map_size + int(cx) + a - 1)] * (wx[a] * wy[b]);
    const float inside = std::min(1.f, edge / 10);
    return open_ground_ + (sum - open_ground_) * (inside * inside * (3 - 2 * inside));
}

Vec3f SurfaceLight::radiance(const Hit& hit, float noise, int sample) const {
    const Lights& lights = scene_.lights;
    Vec3f light = hit.ground ? ground_sky_light(hit.point) : hit.light;
    const float facing = dot(hit.normal, lights.to_sun);
    if (facing > 0) {
        // Points on the sun's disc: a golden-angle spiral, turned by the pixel's noise.
        constexpr int points = 4;
        const Vec3f from = hit.point + hit.normal * offset_;
        float visible = 0;
        for (int n = 0; n < points; ++n) {
            const float turn = float(sample * points + n) + 0.5f;
            const float radius = lights.sun_spread * std::sqrt((turn * 0.61803399f + noise) - std::floor(turn * 0.61803399f + noise));
            const float angle = 2.39996323f * turn + 6.2831853f * noise;
            const float u = radius * std::cos(angle), v = radius * std::sin(angle);
            const Vec3f to_light = depth_.empty() ? lights.to_sun : lights.to_sun + depth_.side_u() * u + depth_.side_v() * v;
            if (!surfaces_.blocked(from, to_light)) visible += fast_exp(-depth_.at(hit.point, u, v));
        }
        light += lights.sun * (facing * visible / (float(points) * std::numbers::pi_v<float>));
    }
    const Vec3f shown = hit.color * light;
    if (!hit.ground) return shown;
    // The floor fades into the background: no horizon.
    const Vec3d size = scene_.volume.domain.size(), middle = scene_.volume.domain.origin + size * 0.5;
    const float reach = float(std::max({size.x, size.y, size.z}));
    const float away = std::hypot(hit.point.x - float(middle.x), hit.point.y - float(middle.y)) / reach;
    const float kept = std::exp(-away * away / (2 * 1.5f * 1.5f));
    return scene_.background + (shown - scene_.background) * kept;
}

}  // namespace phlo::render
