// Light inside the gas as the preview sees it: single scattering with shadows, and a few octaves of it for light that scatters often.
//
//   LitVolume lit(scene.volume, GasLight{scene, sun_depth, sky});
//   Vec3f sent = scattered_light(irradiance, cosine, depth, albedo, volume.anisotropy);     // of one light, dimmed by an optical depth
#pragma once
#include "optics/phase.h"
#include "render/film/pixels.h"
#include "render/light/lamp_glow.h"
#include "render/light/sky_light.h"
#include "render/light/sun_depth.h"
#include "render/light/sun_shadow.h"
#include "render/volumes/scattering.h"

namespace phlo::render {

/// What gas sends towards the camera of parallel light, per scattering, once and more often. `cosine`: between the line of sight and the way to the light.
inline Vec3f scattered_light(const Vec3f& light, float cosine, float depth, const Vec3f& albedo, float anisotropy) {
    Vec3f sum, kept(1.f);
    for (const Octave& octave : sun_octaves) {
        sum += light * kept * (octave.weight * optics::phase(cosine, anisotropy * octave.rounding) * fast_exp(-octave.thinning * depth));
        kept = kept * albedo;
    }
    return sum;
}

/// What a point of the gas sends towards the camera, per scattering: the sun's light by its phase function, the sky's and the fire's.
struct GasLight {
    const RenderScene& scene;
    const SunDepth& sun_depth;
    const SkyLight& sky;

    Vec3f operator()(const Vec3f& world, const Vec3i& cell) const {
        Vec3f source = sky.at(Vec3f(cell));
        const Vec3f albedo = scene.volume.albedo_of(cell.x, cell.y, cell.z);
        const Lights& lights = scene.lights;
        const float depth = sun_depth.at(world) + body_depth * hidden_sun(scene, sun_depth, world, ClearThings::dim);
        const float cosine = dot(scene.camera.sight(world), lights.to_sun);
        source += scattered_light(lights.sun, cosine, depth, albedo, scene.volume.anisotropy);
        return source + lamplight(world, albedo);
    }

    Vec3f lamplight(const Vec3f& world, const Vec3f& albedo) const {
        const Vec3f away = scene.camera.sight(world);
        Vec3f sum;
        for_lamp_points(scene.lights.lamps, world, float(scene.volume.domain.h), [&](const LightSample& light, const Vec3f& from) {
            float depth = sky.depth_between(from, from + light.direction * light.distance).total();
            if (scene.surfaces.blocked(from, light.direction, light.distance)) depth += body_depth;
            sum += scattered_light(light.light, dot(away, light.direction), depth, albedo, scene.volume.anisotropy);
        });
        constexpr int points = 6;
        for (int n = 0; n < points && !scene.glow.empty(); ++n) {
            const SamplePlace place = sample_place(n);
            const LightSample light = scene.glow.sample(world, (float(n) + 0.5f) / points, place.x, place.y);
            if (light.light == Vec3f() || scene.surfaces.blocked(world, light.direction, light.distance)) continue;
            const float depth = sky.depth_between(world, world + light.direction * light.distance).total();
            sum += scattered_light(light.light * (1 / float(points)), dot(away, light.direction), depth, albedo, scene.volume.anisotropy);
        }
        return sum;
    }

    /// A body's shadow in gas is not black: light that scattered around the body fills it. So the body counts as gas this thick:
    /// light scattered once is gone, light scattered often is not.
    static constexpr float body_depth = 5;
};

}  // namespace phlo::render
