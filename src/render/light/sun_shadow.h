// Shadows of bodies in sunlit gas.
#pragma once
#include "render/preview.h"
#include "render/light/sun_depth.h"

namespace phlo::render {

/// Whether sunlight comes straight through clear things, or is left to photons.
enum class ClearThings { dim, block };

/// The share of the sun's disc that bodies hide from a point.
inline float hidden_sun(const RenderScene& scene, const SunDepth& sun_depth, const Vec3f& world, ClearThings clear) {
    if (!scene.surfaces.has_bodies()) return 0;
    constexpr int points = 4;
    float hidden = 0;
    const bool dims = clear == ClearThings::dim && scene.surfaces.has_dielectrics();
    const Inside inside = dims ? scene.surfaces.around(world) : Inside();
    for (int n = 0; n < points; ++n) {
        const float u = scene.lights.sun_spread * (n & 1 ? 0.6f : -0.6f), v = scene.lights.sun_spread * (n & 2 ? 0.6f : -0.6f);
        const Vec3f to_sun = scene.lights.to_sun + sun_depth.side_u() * u + sun_depth.side_v() * v;
        hidden += dims ? 1 - scene.surfaces.through(world, normalized(to_sun), inside).y : float(scene.surfaces.blocked(world, to_sun));
    }
    return hidden / points;
}

}  // namespace phlo::render
