#include "render/photons/photon_render.h"

#include <array>
#include <cmath>

#include "optics/phase.h"
#include "render/film/denoise.h"
#include "render/film/film.h"
#include "render/volumes/flash.h"
#include "render/light/lamp_glow.h"
#include "render/volumes/lit_volume.h"
#include "render/film/sights.h"
#include "render/photons/gather_lattice.h"
#include "render/photons/pixel_surfaces.h"
#include "render/photons/shading.h"
#include "render/volumes/scattering.h"
#include "render/light/sun_depth.h"
#include "render/light/sun_shadow.h"
#include "render/luminance.h"

namespace phlo::render {
namespace {

constexpr float far_away = 1e30f;

/// What a point of the gas scatters towards the camera: light of the sun and of lamps that comes straight, and the photons'.
struct PhotonSource {
    const RenderScene& scene;
    const Medium& medium;
    const SunDepth& sun_depth;
    const PhotonMap& map;

    Vec3f operator()(const Vec3f& world, const Vec3i& cell) const {
        Vec3f source = map.in_gas(Vec3f(cell)) + lamplight(world);
        const Lights& lights = scene.lights;
        if (lights.sun == Vec3f()) return source;
        const float cosine = dot(normalized(world - scene.camera.position()), lights.to_sun);
        const float open = 1 - hidden_sun(scene, sun_depth, world, ClearThings::block);
        if (open > 0) source += lights.sun * (open * optics::phase(cosine, scene.volume.anisotropy) * fast_exp(-sun_depth.at(world)));
        return source;
    }

    Vec3f lamplight(const Vec3f& world) const {
        Vec3f sum;
        for_lamp_points(scene.lights.lamps, world, float(scene.volume.domain.h), [&](const LightSample& light, const Vec3f& from) {
            if (scene.surfaces.blocked(from, light.direction, light.distance)) return;
            const float cosine = dot(normalized(from - scene.camera.position()), light.direction);
            const float through = fast_exp(-medium.depth({from, light.direction}, light.distance));
            sum += light.light * (optics::phase(cosine, scene.volume.anisotropy) * through);
        });
        return sum;
    }
};

/// All rays of a pixel: what is free of grain into the image, the light on surfaces into the layer.
void shoot(const RenderScene& scene, const PhotonRenderSettings& settings, const LitVolume& lit, const FlashMap& flash,
           const Shading& shading, const GatherLattice& lattice, const Sights& sights, int x, int y, io::Image& image, SurfaceLayer& layer) {
    const int pixel = y * scene.width + x, every = std::max(1, settings.samples / settings.shaded);
    RandomStream own({.seed = settings.map.seed, .step = ~0u, .stream = 0x5ade}, std::uint32_t(pixel));
    const std::array<float, 3> turn{own.next(), own.next(), own.next()};
    Vec3f clean;
    PixelSurfaces surfaces;
    const auto march = [&](const Ray& ray, float distance, float jitter) { return flash.march(lit, ray, distance, {settings.step, jitter}); };
    sights.of_pixel(x, y, march, [&](int s, float, const Sight& sight) {
        RandomStream random({.seed = settings.map.seed, .step = std::uint32_t(s), .stream = 0x5ade}, std::uint32_t(pixel));
        auto [ray, inside, hit, gas] = sight;
        const float kept = hit ? scene.kept_of(*hit) : 0.f;
        clean += gas.radiance;
        if (kept < 1) clean += scene.behind(ray.direction) * (gas.transmittance * (1 - kept));
        for (const Lamp& lamp : scene.lights.lamps)
            if (const auto met = lamp.visible ? hit_lamp(lamp, ray) : std::nullopt; met && !(hit && hit->distance < met->distance))
                clean += lamp.radiance * lit.march(ray, met->distance, {settings.step, 0.5f}).transmittance;
        if (!(gas.transmittance * kept > 0)) return;
        Vec3f through = scene.surfaces.passed(inside, ray, hit->distance) * (gas.transmittance * kept);
        clean += through * shading.emitted(*hit);
        float distance = hit->distance;
        const bool clearly = hit->material->dielectric();
        if (clearly) {
            const ClearWay way = shading.reflections().through_clear(ray, *hit, inside, random);
            clean += through * way.light;
            if (!way.hit) return;
            through = through * way.weight, ray = way.ray, hit = way.hit, inside = way.inside, distance = way.distance;
        }
        if (!hit->material->diffuse()) {
            clean += through * shading.reflections()(ray, *hit, inside, Reflections::From::eye, random);
            return;
        }
        const Vec3f weight = hit->color * through;
        if (weight == Vec3f()) return;
        clean += weight * (shading.caustics().on(*hit) + flash.on(hit->point, hit->normal));
        PixelSurfaces::Seen& seen = surfaces.add(*hit, weight, distance * scene.camera.pixel_angle());
        if (s % every != 0 && seen.shaded > 0) return;
        const auto near = clearly ? std::nullopt : lattice.at(x, y, *hit);
        const Vec3f light = shading.direct(*hit, inside, random) + (near ? near->light : shading.gathered(*hit, inside, s / every, turn, random));
        // Neighbours share their nodes' grain: for the filter, which takes pixels as independent, it is as much more.
        seen.shine(weight, light, near ? near->variance * GatherLattice::shared_pixels : 0.f);
    });
    const float share = 1 / float(settings.samples);
    image.pixels[std::size_t(pixel)] = clean * share;
    surfaces.enter(layer, std::size_t(pixel), share);
}

/// The light that a surface gathers where a ray of the film meets it.
GatherLattice::Node gather_node(const RenderScene& scene, const PhotonRenderSettings& settings, const Shading& shading, float x, float y, int number) {
    const int samples = settings.shaded;
    const Ray ray = scene.camera.ray(x, y);
    Inside inside = scene.surfaces.around(ray.origin);
    const auto hit = scene.surfaces.hit(ray, inside);
    if (!hit || !hit->material->diffuse() || !(scene.kept_of(*hit) > 0)) return {};
    RandomStream random({.seed = settings.map.seed, .step = ~0u, .stream = 0x1a77}, std::uint32_t(number));
    const std::array<float, 3> turn{random.next(), random.next(), random.next()};
    Vec3f light;
    double sum = 0, squares = 0;
    for (int s = 0; s < samples; ++s) {
        const Vec3f one = shading.gathered(*hit, inside, s, turn, random);
        const double value = double(luminance(one));
        light += one, sum += value, squares += value * value;
    }
    const double mean = sum / samples;
    return {.point = hit->point,
            .normal = hit->normal,
            .light = light / float(samples),
            .variance = samples > 1 ? float(std::max(0.0, squares / samples - mean * mean) / (samples - 1)) : float(mean * mean),
            .footprint = hit->distance * scene.camera.pixel_angle()};
}

}  // namespace

PhotonRenderSettings photon_settings(Quality quality) {
    if (quality == Quality::final)
        return {
            .samples = 64, .step = 0.5f, .sun_spacing = 0.75f, .shaded = 32, .denoise = true, .map = {.photons = 4'000'000, .cells = 96}, .caustics = {.photons = 1'000'000, .gathered = 80}};
    return {.samples = 16, .step = 1, .sun_spacing = 1, .shaded = 8, .denoise = true, .map = {.photons = 800'000, .cells = 64}, .caustics = {.photons = 300'000, .gathered = 60}};
}

io::Image render_photons(const RenderScene& scene, const PhotonRenderSettings& settings, StageTimes* times, PhotonLedger* ledger) {
    StageTimes unused;
    StageTimes& clock = times ? *times : unused;
    const Medium medium(scene.volume);
    const EmissionSampler fire(scene.volume);
    const auto map = [&] {
        Stage stage(clock, "photons");
        return PhotonMap(scene, medium, fire, settings.map);
    }();
    if (ledger) *ledger = map.ledger();
    const auto sun = [&] {
        Stage stage(clock, "sun");
        return SunDepth(scene.volume, scene.lights.to_sun, settings.sun_spacing);
    }();
    const PhotonSource source{scene, medium, sun, map};
    const auto lit = [&] {
        Stage stage(clock, "gas");
        return LitVolume(scene.volume, source);
    }();
    const auto gas = [&] {
        Stage stage(clock, "gas");
        return GasView(scene.volume, lit, settings.map.cells);
    }();
    const DirectLight direct(scene, medium, fire, &sun);
    const auto caustics = [&] {
        Stage stage(clock, "caustics");
        return CausticMap(scene, medium, settings.caustics);
    }();
    Subsurface cloudy;
    const Reflections reflections(scene, medium, direct, lit, map, caustics, cloudy);
    const Shading shading(scene, direct, reflections, caustics, gas, {.gas_rays = settings.gas_rays, .seed = settings.map.seed});
    {
        Stage stage(clock, "cloudy");
        cloudy = Subsurface(scene.surfaces, [&](const Vec3f& point, const Vec3f& normal, const Material& of) {
            return shading.entering(point, normal, of.interior.ior);
        });
    }

    const auto flash = [&] {
        Stage stage(clock, "flash");
        return FlashMap(scene, medium, fire, scene.flash, double(scene.fire_brightness), settings.flash_photons);
    }();

    io::Image image(scene.width, scene.height);
    SurfaceLayer layer(scene.width, scene.height);
    const auto lattice = [&] {
        Stage stage(clock, "gathering");
        return GatherLattice(scene.width, scene.height,
                             [&](float x, float y, int number) { return gather_node(scene, settings, shading, x, y, number); });
    }();
    {
        Stage stage(clock, "rays");
        const Sights sights(scene, settings.samples, settings.part);
        const auto shade = [&](int x, int y) { shoot(scene, settings, lit, flash, shading, lattice, sights, x, y, image, layer); };
        for_each_pixel(scene.width, scene.height, settings.watch, shade, [&](std::size_t pixel) { return image.pixels[pixel] + layer.seen(pixel); });
    }
    Stage stage(clock, "filter");
    if (settings.denoise) denoise(layer);
    for (std::size_t p = 0; p < image.pixels.size(); ++p) image.pixels[p] += layer.seen(p);
    return image;
}

}  // namespace phlo::render
