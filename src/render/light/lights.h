// What shines on a scene from outside and between: a sun (parallel light), a sky (radiance from every direction, the ground's bounce from
// below) or a map of one, and lamps.
//
//   Lights lights(params, time);
//   Vec3f sky = lights.radiance(direction);
#pragma once
#include <memory>
#include <vector>

#include "render/film/camera.h"
#include "render/light/environment.h"
#include "render/light/lamps.h"
#include "render/look/params.h"

namespace phlo::render {

struct Lights {
    Vec3f to_sun;  ///< unit vector
    Vec3f sun;  ///< irradiance of a surface that faces the sun
    float sun_spread = 0;  ///< tangent of the sun's apparent radius
    Vec3f zenith, horizon;  ///< radiance of the sky
    Vec3f below;  ///< radiance from under the horizon if there is ground: its bounce
    bool ground = false;
    std::shared_ptr<const EnvironmentMap> map;  ///< null: zenith and horizon
    float map_strength = 1, turn_cosine = 1, turn_sine = 0;  ///< the map's rotation
    std::vector<Lamp> lamps;

    Lights() = default;
    explicit Lights(const RenderParams& p, double time = 0);

    /// Radiance that arrives from `direction`, the sun's own disc and lamps left out.
    Vec3f radiance(const Vec3f& direction) const {
        if (direction.z < 0 && ground) return below;
        if (map) return map->radiance(to_map(direction)) * map_strength;
        if (direction.z < 0) return horizon;
        return horizon + (zenith - horizon) * std::sqrt(direction.z);
    }
    /// Of the sun where a direction meets its disc.
    Vec3f sun_disc(const Vec3f& direction) const;

    Vec3f to_map(const Vec3f& d) const { return {d.x * turn_cosine + d.y * turn_sine, d.y * turn_cosine - d.x * turn_sine, d.z}; }
    Vec3f from_map(const Vec3f& d) const { return {d.x * turn_cosine - d.y * turn_sine, d.y * turn_cosine + d.x * turn_sine, d.z}; }

    /// The sky as `count` directions spread evenly over the sphere, and the mean radiance around each: no bright spot falls between them.
    struct Ray {
        Vec3f direction, radiance;
    };
    std::vector<Ray> rays(int count) const;
};

/// n directions spread evenly over the sphere: the spherical Fibonacci lattice.
inline Vec3f fibonacci_direction(int i, int n) {
    const float z = 1 - (2 * float(i) + 1) / float(n), r = std::sqrt(std::max(0.f, 1 - z * z));
    const float angle = 2.39996323f * float(i);
    return {r * std::cos(angle), r * std::sin(angle), z};
}

}  // namespace phlo::render
