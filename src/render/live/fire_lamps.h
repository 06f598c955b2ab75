// A fire as a few lamps: glowing points gathered into clusters, each with the power of its points and standing in their middle. So the light on what is
// around flickers as the fire does.
//
//   std::vector<Glow> glows = ...;                                       // where each point is, and how much it shines
//   for (const FireLamp& lamp : gather_lamps(glows, color, 8)) irradiance += lamp.at(point, normal);   // at most eight lamps
#pragma once
#include <cmath>
#include <span>
#include <vector>

#include "base/vec.h"

namespace phlo::render {

struct FireLamp {
    Vec3f position;    ///< [m]
    Vec3f intensity;   ///< radiance times area
    float radius = 0;  ///< of a ball that spreads as its points do [m]

    /// Of a surface that faces it.
    Vec3f around(const Vec3f& point) const {
        const Vec3f way = position - point;
        return intensity / (dot(way, way) + radius * radius);
    }
    /// Irradiance; inside the fire it does not grow without end.
    Vec3f at(const Vec3f& point, const Vec3f& normal) const {
        const Vec3f way = position - point;
        const float d2 = dot(way, way), facing = dot(way, normal);
        return facing > 0 ? intensity * (facing / (std::sqrt(d2) * (d2 + radius * radius))) : Vec3f();
    }
};

struct Glow {
    Vec3f position;
    float power = 0;   ///< in any unit
};

/// At most `count` lamps, a power of two: their intensities add up to that of all points.
std::vector<FireLamp> gather_lamps(std::span<const Glow> glows, const Vec3f& intensity_per_power, int count);

}  // namespace phlo::render
