#include "render/preview.h"

#include <cmath>
#include <limits>

#include "render/film/film.h"
#include "render/light/fire_light.h"
#include "render/light/gas_light.h"
#include "render/volumes/detail.h"
#include "render/volumes/lattice.h"
#include "render/volumes/lit_volume.h"
#include "render/film/sights.h"
#include "render/film/shutter.h"
#include "render/light/sky_light.h"
#include "render/surfaces/frame_surfaces.h"
#include "render/surfaces/surface_light.h"
#include "render/volumes/interior_flight.h"

namespace phlo::render {
namespace {

/// What a ray sees: gas, and behind it a dull surface, or by way of a few glossy and clear ones.
struct View {
    const RenderScene& scene;
    const LitVolume& lit;
    const SkyLight& sky;
    const SurfaceLight& surfaces;

    /// Of a pixel's ray.
    struct Sample {
        MarchParams march;
        float noise;
        int number;
        RandomStream& random;
    };

    Vec3f operator()(const Sight& sight, const Sample& sample) const { return look(sight, only_way, 0, true, sample); }

    /// `density`: of the ray's direction; `met`: surfaces before; `clearly`: nothing but clear ones, so that the floor fades as it does beside them. Light goes both ways at the first two borders of clear things, then one by chance.
    Vec3f look(const Sight& sight, float density, int met, bool clearly, const Sample& sample) const {
        constexpr int most = 7, split = 2;
        const auto& [ray, inside, hit, gas] = sight;
        Vec3f light = gas.radiance;
        // Lamps with a size are met in mirrors; glossy surfaces draw them instead.
        if (density == only_way) light += lamps(ray, hit, met == 0);
        Vec3f weight(gas.transmittance);
        if (!(gas.transmittance > 0)) return light;
        if (!hit) {
            light += weight * (met == 0 ? scene.behind(ray.direction) : scene.lights.radiance(ray.direction));
            if (met > 0 && density == only_way) light += weight * scene.lights.sun_disc(ray.direction);
            return light;
        }
        weight = weight * scene.surfaces.passed(inside, ray, hit->distance);
        const float kept = clearly ? scene.kept_of(*hit) : 1.f;
        if (kept < 1) light += weight * scene.behind(ray.direction) * (1 - kept);
        weight = weight * kept;
        light += weight * surfaces.radiance(*hit, ray.direction, sample.noise, sample.number);
        const Material& material = *hit->material;
        if (material.diffuse() || (material.cloudy && hit->inside)) return light;
        if (met + 1 >= most) return material.clear() ? light + weight * scene.lights.radiance(ray.direction) : light;   // spray that nobody could follow
        const auto onward = [&](const Vec3f& direction, float density_there, const Vec3f& share) {
            if (!(std::max({share.x, share.y, share.z}) > 0.002f)) return;
            Sight next{{}, sight.inside, {}, {}};
            next.ray = scene.surfaces.onward(*sight.hit, direction, next.inside);
            next.hit = scene.surfaces.hit(next.ray, next.inside);
            next.gas = lit.march(next.ray, next.hit ? next.hit->distance : 1e30f, sample.march);
            light += share * look(next, density_there, met + 1, clearly && material.dielectric(), sample);
        };
        if (material.dielectric() && (met < split || material.cloudy)) {
            const float share = fresnel(-dot(ray.direction, hit->normal), hit->ratio);
            onward(on_side(*hit, mirrored(ray.direction, hit->normal), true), only_way, weight * share);
            if (!material.cloudy && share < 1)
                onward(on_side(*hit, refracted(ray.direction, hit->normal, hit->ratio), false), only_way, weight * ((1 - share) * narrowed(*hit)));
            return light;
        }
        const Bounce on = bounce(*hit, ray.direction, sample.random);
        onward(on.direction, on.density, weight * on.weight);
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
      surfaces(moved(frame.surfaces, later), body_materials(frame, params), ground_of(bounds, params.ground), surface_offset()),
      glow(surfaces),
      background(params.background),
      sky_visible(shows_sky(frame, params)),
      flash(params.flash),
      fire_brightness(float(params.fire.brightness)),
      width(params.width),
      height(params.height) {
    add_detail(volume, frame, params.detail);
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
    const auto caustics = [&] {
        Stage stage(clock, "caustics");
        if (!scene.surfaces.has_dielectrics()) return CausticMap();
        return CausticMap(scene, Medium(scene.volume), {.photons = settings.caustic_photons, .gathered = 60});
    }();
    const auto surface_light = [&] {
        Stage stage(clock, "surfaces");
        return SurfaceLight(scene, scene.surfaces, sky, sun_depth, fire, caustics);
    }();

    Stage stage(clock, "rays");
    io::Image image(scene.width, scene.height);
    const Sights sights(scene, settings.samples, settings.part);
    const View view{scene, lit, sky, surface_light};
    const auto march = [&](const Ray& ray, float distance, float jitter) { return lit.march(ray, distance, {settings.step, jitter}); };
    const auto shade = [&](int x, int y) {
        Vec3f sum;
        sights.of_pixel(x, y, march, [&](int s, float noise, const Sight& sight) {
            RandomStream random({.seed = 1, .step = std::uint32_t(s), .stream = 0xd4af7}, std::uint32_t(y * scene.width + x));
            sum += view(sight, {{settings.step, fraction(noise + float(s) * 0.61803399f)}, noise, s, random});
        });
        image(x, y) = sum / float(settings.samples);
    };
    for_each_pixel(scene.width, scene.height, settings.watch, shade, [&](std::size_t pixel) { return image.pixels[pixel]; });
    return image;
}

}  // namespace phlo::render
