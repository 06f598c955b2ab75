// What shines on a scene: a sun (parallel light) and a sky (radiance from every direction, the ground's bounce from below).
#pragma once
#include <cmath>
#include <numbers>

#include "render/camera.h"
#include "render/params.h"

namespace phlo::render {

struct Lights {
    Vec3f to_sun;              ///< unit vector
    Vec3f sun;                 ///< irradiance of a surface that faces the sun
    float sun_spread = 0;      ///< tangent of the sun's apparent radius
    Vec3f zenith, horizon;     ///< radiance of the sky
    Vec3f below;               ///< radiance from under the horizon: the ground's bounce, or the horizon's colour without ground

    Lights() = default;
    explicit Lights(const RenderParams& p) {
        to_sun = Vec3f(direction_from_angles(p.sun.azimuth, p.sun.elevation));
        sun = p.sun.color * float(p.sun.strength);
        sun_spread = float(std::tan(0.5 * p.sun.size * std::numbers::pi / 180));
        zenith = p.sky.zenith * float(p.sky.strength);
        horizon = p.sky.horizon * float(p.sky.strength);
        below = horizon;
        if (p.ground.visible) {
            // Radiance of an open, diffuse floor: reflectance (E_sun + E_sky) / pi.
            const Vec3f floor = sun * (to_sun.z / std::numbers::pi_v<float>) + (zenith + horizon) * 0.5f;
            below = p.ground.color * floor;
        }
    }

    /// Radiance that arrives from `direction`, the sun's own disc left out.
    Vec3f radiance(const Vec3f& direction) const {
        if (direction.z < 0) return below;
        return horizon + (zenith - horizon) * std::sqrt(direction.z);
    }
};

/// n directions spread evenly over the sphere: the spherical Fibonacci lattice.
inline Vec3f fibonacci_direction(int i, int n) {
    const float z = 1 - (2 * float(i) + 1) / float(n), r = std::sqrt(std::max(0.f, 1 - z * z));
    const float angle = 2.39996323f * float(i);
    return {r * std::cos(angle), r * std::sin(angle), z};
}

}  // namespace phlo::render
