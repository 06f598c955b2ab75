#include "render/preview.h"

#include <cmath>

#include "optics/phase.h"
#include "render/film.h"
#include "render/fire_light.h"
#include "render/lamp_glow.h"
#include "render/lit_volume.h"
#include "render/pixels.h"
#include "render/scattering.h"
#include "render/sky_light.h"
#include "render/sun_depth.h"
#include "render/sun_shadow.h"
#include "render/surface_light.h"

namespace phlo::render {
namespace {

std::optional<Ground> ground_of(const field::Frame& frame, const GroundParams& params) {
    if (!params.visible) return std::nullopt;
    return Ground{float(params.height.value_or(frame.domain.origin.z)), params.color};
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
        const float depth = sun_depth.at(world) + body_depth * hidden_sun(scene, sun_depth, world);
        const float cosine = dot(normalized(world - scene.camera.position()), lights.to_sun);
        source += scattered(lights.sun, cosine, depth, albedo);
        return source + lamplight(world, albedo);
    }

    Vec3f lamplight(const Vec3f& world, const Vec3f& albedo) const {
        const Vec3f away = normalized(world - scene.camera.position());
        Vec3f sum;
        for_lamp_points(scene.lights.lamps, world, float(scene.volume.domain.h), [&](const LightSample& light, const Vec3f& from) {
            float depth = sky.depth_between(from, from + light.direction * light.distance).total();
            if (scene.surfaces.blocked(from, light.direction, light.distance)) depth += body_depth;
            sum += scattered(light.light, dot(away, light.direction), depth, albedo);
        });
        return sum;
    }

    /// Towards the camera, once and more often.
    Vec3f scattered(const Vec3f& light, float cosine, float depth, const Vec3f& albedo) const {
        Vec3f sum, kept(1.f);
        for (const Octave& octave : sun_octaves) {
            sum += light * kept *
                   (octave.weight * optics::phase(cosine, scene.volume.anisotropy * octave.rounding) * fast_exp(-octave.thinning * depth));
            kept = kept * albedo;
        }
        return sum;
    }

    /// A body's shadow in gas is not black: light that scattered around the body fills it. So the body counts as gas this thick:
    /// light scattered once is gone, light scattered often is not.
    static constexpr float body_depth = 5;
};

}  // namespace

RenderScene::RenderScene(const field::Frame& frame, const RenderParams& params)
    : camera(params.camera, frame.domain, frame.time, params.width, params.height),
      lights(params, frame.time),
      volume(make_volume(frame, params)),
      surfaces(frame.surfaces, ground_of(frame, params.ground)),
      background(params.background),
      sky_visible(params.sky.visible),
      flash(params.flash),
      fire_brightness(float(params.fire.brightness)),
      width(params.width),
      height(params.height) {}

float RenderScene::kept_of(const Hit& hit) const {
    if (!hit.ground) return 1;
    const Vec3d size = volume.domain.size(), middle = volume.domain.origin + size * 0.5;
    const float reach = float(std::max({size.x, size.y, size.z}));
    const float away = std::hypot(hit.point.x - float(middle.x), hit.point.y - float(middle.y)) / reach;
    return std::exp(-away * away / (2 * 1.5f * 1.5f));
}

PreviewSettings preview_settings(Quality quality) {
    switch (quality) {
        case Quality::draft: return {};
        case Quality::good: return {.samples = 9, .step = 0.4f, .sun_spacing = 1, .sky_cells = 64, .sky_directions = 48};
        case Quality::final:
        case Quality::path: break;
    }
    return {.samples = 25, .step = 0.3f, .sun_spacing = 0.75f, .sky_cells = 96, .sky_directions = 96};
}

io::Image render_preview(RenderScene& scene, const PreviewSettings& settings, StageTimes* times) {
    StageTimes unused;
    StageTimes& clock = times ? *times : unused;
    const auto sun_depth = [&] {
        Stage stage(clock, "sun");
        return SunDepth(scene.volume, scene.lights.to_sun, settings.sun_spacing);
    }();
    auto sky = [&] {
        Stage stage(clock, "sky");
        return SkyLight(scene.volume, scene.lights, settings.sky_cells, settings.sky_directions);
    }();
    const auto fire = [&] {
        Stage stage(clock, "fire");
        FireLight light(scene.volume);
        light.shine_into(sky, scene.camera.position(), scene.volume.anisotropy);
        return light;
    }();
    const auto lit = [&] {
        Stage stage(clock, "gas");
        return LitVolume(scene.volume, GasLight{scene, sun_depth, sky});
    }();
    const auto surface_light = [&] {
        Stage stage(clock, "surfaces");
        return SurfaceLight(scene, scene.surfaces, sky, sun_depth, fire);
    }();

    Stage stage(clock, "rays");
    io::Image image(scene.width, scene.height);
    const SamplePlaces places(settings.samples);
    for_each_pixel(scene.width, scene.height, [&](int x, int y) {
        const float noise = pixel_noise(x, y);
        Vec3f sum;
        for (int s = 0; s < settings.samples; ++s) {
            const SamplePlace place = places[s];
            const Ray ray = scene.camera.ray(float(x) + place.x, float(y) + place.y);
            const auto hit = scene.surfaces.hit(ray);
            const Segment gas = lit.march(ray, hit ? hit->distance : 1e30f, {settings.step, fraction(noise + float(s) * 0.61803399f)});
            Vec3f behind;
            if (gas.transmittance > 0) behind = hit ? surface_light.radiance(*hit, ray.direction, noise, s) : scene.behind(ray.direction);
            sum += gas.radiance + behind * gas.transmittance;
            for (const Lamp& lamp : scene.lights.lamps)
                if (const auto met = lamp.visible ? hit_lamp(lamp, ray) : std::nullopt; met && !(hit && hit->distance < met->distance))
                    sum += lamp.radiance * fast_exp(-sky.depth_between(ray.origin, ray.origin + ray.direction * met->distance).total());
        }
        image(x, y) = sum / float(settings.samples);
    });
    return image;
}

}  // namespace phlo::render
