#include "render/preview.h"

#include <cmath>
#include <limits>

#include "optics/phase.h"
#include "render/film/film.h"
#include "render/light/fire_light.h"
#include "render/light/lamp_glow.h"
#include "render/volumes/lattice.h"
#include "render/volumes/lit_volume.h"
#include "render/film/pixels.h"
#include "render/volumes/scattering.h"
#include "render/film/shutter.h"
#include "render/light/sky_light.h"
#include "render/light/sun_depth.h"
#include "render/light/sun_shadow.h"
#include "render/surfaces/frame_surfaces.h"
#include "render/surfaces/surface_light.h"

namespace phlo::render {
namespace {

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
        constexpr int points = 6;
        for (int n = 0; n < points && !scene.glow.empty(); ++n) {
            const SamplePlace place = sample_place(n);
            const LightSample light = scene.glow.sample(world, (float(n) + 0.5f) / points, place.x, place.y);
            if (light.light == Vec3f() || scene.surfaces.blocked(world, light.direction, light.distance)) continue;
            const float depth = sky.depth_between(world, world + light.direction * light.distance).total();
            sum += scattered(light.light * (1 / float(points)), dot(away, light.direction), depth, albedo);
        }
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

/// What a ray sees: gas, and behind it a dull surface, or by way of a few glossy and clear ones.
struct View {
    const RenderScene& scene;
    const LitVolume& lit;
    const SkyLight& sky;
    const SurfaceLight& surfaces;

    Vec3f operator()(Ray ray, const MarchParams& march, float noise, int sample, RandomStream& random) const {
        constexpr int most = 6;
        Vec3f light, weight(1.f);
        float density = only_way;
        for (int n = 0; n < most; ++n) {
            const auto hit = scene.surfaces.hit(ray);
            const Segment gas = lit.march(ray, hit ? hit->distance : 1e30f, march);
            light += weight * gas.radiance;
            // Lamps with a size are met in mirrors; glossy surfaces draw them instead.
            if (density == only_way) light += weight * lamps(ray, hit, n == 0);
            if (!(gas.transmittance > 0)) break;
            weight = weight * gas.transmittance;
            if (!hit) {
                light += weight * (n == 0 ? scene.behind(ray.direction) : scene.lights.radiance(ray.direction));
                if (n > 0 && density == only_way) light += weight * scene.lights.sun_disc(ray.direction);
                break;
            }
            const float kept = n == 0 ? scene.kept_of(*hit) : 1.f;
            if (kept < 1) light += weight * scene.behind(ray.direction) * (1 - kept);
            weight = weight * kept;
            light += weight * surfaces.radiance(*hit, ray.direction, noise, sample);
            if (hit->material->diffuse()) break;
            const Bounce on = bounce(*hit->material, hit->normal, hit->inside, ray.direction, random);
            weight = weight * on.weight, density = on.density;
            ray = {hit->point + hit->normal * std::copysign(scene.surface_offset(), dot(on.direction, hit->normal)), on.direction};
        }
        return light;
    }

    Vec3f lamps(const Ray& ray, const std::optional<Hit>& hit, bool from_camera) const {
        Vec3f sum;
        for (const Lamp& lamp : scene.lights.lamps) {
            const auto met = lamp.visible || !from_camera ? hit_lamp(lamp, ray) : std::nullopt;
            if (!met || (hit && hit->distance < met->distance)) continue;
            sum += lamp.radiance * fast_exp(-sky.depth_between(ray.origin, ray.origin + ray.direction * met->distance).total());
        }
        return sum;
    }
};

}  // namespace

RenderScene::RenderScene(const field::Frame& frame, const RenderParams& params, double later)
    : bounds(bounds_of(frame)),
      camera(params.camera, bounds, frame.time + later, params.width, params.height),
      lights(params, frame.time + later),
      volume(make_volume(frame, params, later)),
      surfaces(moved(frame.surfaces, later), body_materials(frame, params), ground_of(bounds, params.ground)),
      glow(surfaces),
      background(params.background),
      sky_visible(params.sky.visible),
      flash(params.flash),
      fire_brightness(float(params.fire.brightness)),
      width(params.width),
      height(params.height) {
    if (frame.velocity) carry(volume, *frame.velocity, later);
}

float RenderScene::surface_offset() const {
    // A twentieth of a cell where the longest side has 128; far from the origin what a float can tell apart.
    constexpr float share = 0.05f / 128, digits = 4 * std::numeric_limits<float>::epsilon();
    const Vec3d far = max(max(bounds.upper, -bounds.lower), max(-bounds.upper, bounds.lower));
    return std::max(share * float(longest_side(bounds)), digits * float(std::max({far.x, far.y, far.z})));
}

float RenderScene::kept_of(const Hit& hit) const {
    if (!hit.ground) return 1;
    const Vec3d middle = bounds.center();
    const float reach = float(longest_side(bounds));
    const float away = std::hypot(hit.point.x - float(middle.x), hit.point.y - float(middle.y)) / reach;
    return std::exp(-away * away / (2 * 1.5f * 1.5f));
}

PreviewSettings preview_settings(Quality quality) {
    switch (quality) {
        case Quality::draft: return {};
        case Quality::good: return {.samples = 9, .step = 0.4f, .sun_spacing = 1, .sky_cells = 64, .sky_directions = 48};
        case Quality::live: return {.samples = 1, .step = 1, .sun_spacing = 2, .sky_cells = 24, .sky_directions = 16};
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
    const SamplePlaces places(std::max(settings.samples, settings.part.all));
    const View view{scene, lit, sky, surface_light};
    for_each_pixel(scene.width, scene.height, [&](int x, int y) {
        const float noise = pixel_noise(x, y);
        Vec3f sum;
        for (int s = settings.part.first; s < settings.part.first + settings.samples; ++s) {
            const SamplePlace place = places[s], lens = lens_place(s, noise);
            const Ray ray = scene.camera.ray(float(x) + place.x, float(y) + place.y, lens.x, lens.y);
            RandomStream random({.seed = 1, .step = std::uint32_t(s), .stream = 0xd4af7}, std::uint32_t(y * scene.width + x));
            sum += view(ray, {settings.step, fraction(noise + float(s) * 0.61803399f)}, noise, s, random);
        }
        image(x, y) = sum / float(settings.samples);
    });
    return image;
}

}  // namespace phlo::render
