// Shadows of bodies in sunlit gas.
#pragma once
#include "render/preview.h"
#include "render/light/sun_depth.h"

namespace phlo::render {

/// The share of the sun's disc that bodies hide from a point.
inline float hidden_sun(const RenderScene& scene, const SunDepth& sun_depth, const Vec3f& world) {
    if (!scene.surfaces.has_bodies()) return 0;
    constexpr int points = 4;
    int hidden = 0;
    for (int n = 0; n < points; ++n) {
        const float u = scene.lights.sun_spread * (n & 1 ? 0.6f : -0.6f), v = scene.lights.sun_spread * (n & 2 ? 0.6f : -0.6f);
        hidden += scene.surfaces.blocked(world, scene.lights.to_sun + sun_depth.side_u() * u + sun_depth.side_v() * v);
    }
    return float(hidden) / points;
}

}  // namespace phlo::render
