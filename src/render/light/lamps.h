// Lamps at one moment: points, rectangles, disks and balls that shine. They hide nothing.
//
//   std::vector<Lamp> lamps = make_lamps(params.lights, time);
//   LightSample s = sample_lamp(lamp, point, u, v);        // towards a point of it: irradiance = mean of s.light * cosine
//   if (auto met = hit_lamp(lamp, ray)) ...                // for rays that meet it by chance
//   Emission e = emit(lamp, random);                       // a photon
//
// Both ways to find a lamp, drawing a point of it and meeting it, may share its light by their densities [veach1995].
#pragma once
#include <optional>
#include <vector>

#include "render/film/camera.h"
#include "render/random_stream.h"

namespace phlo::render {

struct Lamp {
    enum class Kind { point, rectangle, disk, ball };

    Kind kind = Kind::point;
    Vec3f position;  ///< of its middle [m]
    Vec3f normal{0, 0, -1};  ///< the side of a flat lamp that shines
    Vec3f u, v;  ///< from the middle to the middles of two edges, or to the rim [m]
    float radius = 0;  ///< of a ball [m]
    float area = 0;  ///< that shines [m^2]
    Vec3f intensity;  ///< along the normal
    Vec3f radiance;  ///< none of a point
    bool visible = false;  ///< to the camera

    bool flat() const { return kind == Kind::rectangle || kind == Kind::disk; }
    Vec3d power() const;
};

std::vector<Lamp> make_lamps(const std::vector<LampParams>& params, double time);

/// The colour of a black body, of luminance one, to an eye used to daylight.
Vec3f colour_of_temperature(double temperature);

/// Light from a direction drawn at random.
struct LightSample {
    Vec3f direction;  ///< towards the light, length one
    float distance = 0;  ///< [m]
    Vec3f light;  ///< radiance over density: irradiance of a surface that faces it. Zero: nothing comes
    float density = 0;  ///< of the direction [1/sr]; 0 if no ray could meet it by chance
};
LightSample sample_lamp(const Lamp& lamp, const Vec3f& point, float u, float v);

struct LampHit {
    float distance = 0;  ///< [m]
    float density = 0;  ///< with which sample_lamp draws the ray's direction from its origin [1/sr]
};
/// Where a ray meets the side that shines.
std::optional<LampHit> hit_lamp(const Lamp& lamp, const Ray& ray);

/// The start of a photon; the mean of `power` is the lamp's power.
struct Emission {
    Ray ray;
    Vec3f power;
};
Emission emit(const Lamp& lamp, RandomStream& random);

/// How much of its light a light found in one of two ways counts: by the density of that way and of the other [veach1995, balance
/// heuristic].
inline float share_of(float density, float other) { return density / (density + other); }

}  // namespace phlo::render
