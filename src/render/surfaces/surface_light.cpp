#include "render/surfaces/surface_light.h"

#include <algorithm>
#include <cmath>

#include "base/parallel.h"
#include "render/fast_math.h"
#include "render/film/pixels.h"

namespace phlo::render {
namespace {

constexpr int hemisphere_rays = 96;  // over the whole sphere; the half that faces the surface counts

}  // namespace

SurfaceLight::SurfaceLight(const RenderScene& scene, Surfaces& surfaces, const SkyLight& sky, const SunDepth& depth, const FireLight& fire,
                           const CausticMap& caustics)
    : scene_(scene),
      surfaces_(surfaces),
      sky_(sky),
      depth_(depth),
      fire_(fire),
      caustics_(caustics),
      rays_(scene.lights.rays(hemisphere_rays)),
      offset_(scene.surface_offset()) {
    const auto both = [&](const Vec3f& point, const Vec3f& normal) { return sky_light(point, normal) + fire_light(point, normal); };
    surfaces.bake_light(both);
    cloudy_ = Subsurface(surfaces, [&](const Vec3f& point, const Vec3f& normal, const Material& material) { return entering(point, normal, material); });
    if (!surfaces.ground()) return;
    const Vec3f up(0, 0, 1);
    const float height = surfaces.ground()->height;
    sky_map_ = GroundMap(scene.bounds, height, 56, [&](const Vec3f& point) { return sky_light(point, up); });
    if (!fire.empty()) fire_map_ = GroundMap(scene.bounds, height, 112, [&](const Vec3f& point) { return fire_light(point, up); });
}

Vec3f SurfaceLight::fire_light(const Vec3f& point, const Vec3f& normal) const {
    if (fire_.empty()) return {};
    const Vec3f from = point + normal * offset_;
    const Inside inside = surfaces_.around(from);
    return fire_.arriving(from, normal, sky_, [&](const Vec3f& direction, float distance) {
        return surfaces_.has_bodies() && !(surfaces_.through(from, direction, inside, distance).y > 0.02f);
    });
}

/// Cosine-weighted mean of the radiance that arrives, through gas and past bodies.
Vec3f SurfaceLight::sky_light(const Vec3f& point, const Vec3f& normal) const {
    const Vec3f from = point + normal * offset_;
    const Inside inside = surfaces_.around(from);
    Vec3f sum;
    float weight = 0;
    for (const auto& [direction, radiance] : rays_) {
        const float cosine = dot(direction, normal);
        if (cosine <= 0) continue;
        weight += cosine;
        const Vec3f share = surfaces_.through(from, direction, inside);
        if (share == Vec3f()) continue;
        sum += radiance * share * (cosine * sky_.transmittance(from, direction));
    }
    return sum / std::max(weight, 1e-6f);
}

/// Light that comes straight to a surface and is sent back by it: lamps, bodies that shine, the sun.
Vec3f SurfaceLight::straight(const Hit& hit, const Vec3f& direction, float noise, int sample) const {
    const Vec3f from = hit.point + hit.normal * offset_;
    const auto sent_back = [&](const LightSample& light) {
        const Vec3f value = light.light * turn(*hit.material, hit.normal, -direction, light.direction).value;
        if (value == Vec3f() || surfaces_.blocked(from, light.direction, light.distance)) return Vec3f();
        return value * fast_exp(-sky_.depth_between(from, from + light.direction * light.distance).total());
    };
    // One point of each lamp; a pixel's samples are spread over them.
    const SamplePlace place = sample_place(sample);
    const float u = fraction(place.x + noise), v = fraction(place.y + 7.31f * noise);
    Vec3f sum;
    for (const Lamp& lamp : scene_.lights.lamps) sum += sent_back(sample_lamp(lamp, from, u, v));
    if (!scene_.glow.empty()) sum += sent_back(scene_.glow.sample(from, fraction(float(sample) * 0.61803399f + 3.17f * noise), u, v));
    return sum + sunlight(hit, direction, noise, sample);
}

/// Irradiance / pi that enters a cloudy body.
Vec3f SurfaceLight::entering(const Vec3f& point, const Vec3f& normal, const Material& material) const {
    Vec3f light = (sky_light(point, normal) + fire_light(point, normal)) * material.passed_evenly;
    const Vec3f from = point + normal * offset_;
    const Inside inside = surfaces_.around(from);   // milk in a glass lies against its wall
    const auto straight_from = [&](const Vec3f& direction, float distance, const Vec3f& strength) {
        const float cosine = dot(direction, normal);
        if (!(cosine > 0)) return;
        light += strength * surfaces_.through(from, direction, inside, distance) * (cosine * (1 - fresnel(cosine, material.interior.ior)) / 3.14159265f);
    };
    const Sides side(scene_.lights.to_sun);
    constexpr int points = 4;
    for (int n = 0; n < points; ++n) {
        const float u = scene_.lights.sun_spread * (n & 1 ? 0.5f : -0.5f), v = scene_.lights.sun_spread * (n & 2 ? 0.5f : -0.5f);
        straight_from(normalized(scene_.lights.to_sun + side.u * u + side.v * v), 1e30f, scene_.lights.sun * (fast_exp(-depth_.at(point)) / points));
    }
    for (const Lamp& lamp : scene_.lights.lamps) {
        const LightSample s = sample_lamp(lamp, from, 0.5f, 0.5f);
        straight_from(s.direction, s.distance, s.light);
    }
    return light;
}

Vec3f SurfaceLight::sunlight(const Hit& hit, const Vec3f& direction, float noise, int sample) const {
    const Lights& lights = scene_.lights;
    // Points on the sun's disc: a golden-angle spiral, turned by the pixel's noise.
    constexpr int points = 4;
    const Vec3f from = hit.point + hit.normal * offset_;
    Vec3f sum;
    if (lights.sun == Vec3f() || !(dot(hit.normal, lights.to_sun) > 0)) return sum;
    for (int n = 0; n < points; ++n) {
        const float golden = float(sample * points + n) + 0.5f;
        const float radius = lights.sun_spread * std::sqrt(fraction(golden * 0.61803399f + noise));
        const float angle = 2.39996323f * golden + 6.2831853f * noise;
        const float u = radius * std::cos(angle), v = radius * std::sin(angle);
        const Vec3f to_light = depth_.empty() ? lights.to_sun : lights.to_sun + depth_.side_u() * u + depth_.side_v() * v;
        const Vec3f value = turn(*hit.material, hit.normal, -direction, normalized(to_light)).value;
        if (value == Vec3f() || surfaces_.blocked(from, to_light)) continue;
        sum += value * fast_exp(-depth_.at(hit.point, u, v));
    }
    return lights.sun * sum / float(points);
}

Vec3f SurfaceLight::radiance(const Hit& hit, const Vec3f& direction, float noise, int sample) const {
    Vec3f light = hit.inside ? Vec3f() : hit.material->emission;
    if (hit.material->cloudy && !hit.inside) return light + cloudy_.towards(hit, -direction);
    if (hit.material->clear()) return light;
    if (hit.material->diffuse())
        light += hit.color * (caustics_.on(hit) + (hit.ground ? sky_map_.at(hit.point) + fire_map_.at(hit.point) : hit.light));
    return light + straight(hit, direction, noise, sample);
}

}  // namespace phlo::render
