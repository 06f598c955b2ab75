#include "render/light/lights.h"

#include <cmath>
#include <numbers>

namespace phlo::render {
namespace {

constexpr float pi = std::numbers::pi_v<float>;

/// Of an open floor under the sky, over pi.
Vec3f irradiance_from_above(const Lights& lights) {
    Vec3d sum;
    double weight = 0;
    for (const Lights::Ray& ray : lights.rays(1024))
        if (ray.direction.z > 0) sum += Vec3d(ray.radiance) * double(ray.direction.z), weight += double(ray.direction.z);
    return Vec3f(sum / weight);
}

}  // namespace

Lights::Lights(const RenderParams& p, double time) {
    to_sun = Vec3f(direction_from_angles(p.sun.azimuth, p.sun.elevation));
    sun = p.sun.color * float(p.sun.strength);
    sun_spread = float(std::tan(0.5 * p.sun.size * std::numbers::pi / 180));
    zenith = p.sky.zenith * float(p.sky.strength);
    horizon = p.sky.horizon * float(p.sky.strength);
    if (p.sky.map && p.sky.strength > 0) {
        map = load_environment(*p.sky.map);
        map_strength = float(p.sky.strength);
        turn_cosine = float(std::cos(p.sky.rotation * std::numbers::pi / 180));
        turn_sine = float(std::sin(p.sky.rotation * std::numbers::pi / 180));
    }
    lamps = make_lamps(p.lights, time);
    if (p.ground.visible) {
        // Radiance of an open, diffuse floor: reflectance (E_sun + E_sky) / pi.
        const Vec3f sky = map ? irradiance_from_above(*this) : (zenith + horizon) * 0.5f;
        below = p.ground.color * (sun * (to_sun.z / pi) + sky);
        ground = true;
    }
}

Vec3f Lights::sun_disc(const Vec3f& direction) const {
    if (!(sun_spread > 0)) return {};
    const float cosine = dot(direction, to_sun);
    if (!(cosine > 0) || 1 - cosine * cosine > sun_spread * sun_spread * cosine * cosine) return {};
    // As drawn: evenly over the disc's picture on a plane, which is a little stretched at the rim of a large one.
    return sun / (pi * sun_spread * sun_spread * cosine * cosine * cosine);
}

std::vector<Lights::Ray> Lights::rays(int count) const {
    std::vector<Ray> result(static_cast<std::size_t>(count));
    for (int i = 0; i < count; ++i) {
        result[std::size_t(i)].direction = fibonacci_direction(i, count);
        if (!map || (ground && result[std::size_t(i)].direction.z < 0))
            result[std::size_t(i)].radiance = radiance(result[std::size_t(i)].direction);
    }
    if (!map) return result;
    // Every patch of the map counts for the direction nearest to it.
    std::vector<Vec3d> light(result.size());
    const double share = count / (4 * std::numbers::pi);
    for (const EnvironmentMap::Patch& patch : map->patches()) {
        const Vec3f direction = from_map(patch.direction);
        if (ground && direction.z < 0) continue;
        // The lattice's points near a latitude: z falls by 2 / count from one to the next; neighbours lie within about 3 sqrt(count) of it.
        const int at = int((1 - direction.z) * 0.5f * float(count)), reach = 3 * int(std::sqrt(float(count))) + 3;
        int nearest = -1;
        float best = -2;
        for (int i = std::max(0, at - reach); i <= std::min(count - 1, at + reach); ++i) {
            if (ground && result[std::size_t(i)].direction.z < 0) break;
            const float cosine = dot(direction, result[std::size_t(i)].direction);
            if (cosine > best) best = cosine, nearest = i;
        }
        if (nearest >= 0) light[std::size_t(nearest)] += patch.light * share;
    }
    for (std::size_t i = 0; i < result.size(); ++i)
        if (!(ground && result[i].direction.z < 0)) result[i].radiance = Vec3f(light[i]) * map_strength;
    return result;
}

}  // namespace phlo::render
