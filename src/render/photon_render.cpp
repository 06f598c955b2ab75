#include "render/photon_render.h"

#include <cmath>

#include "optics/phase.h"
#include "render/denoise.h"
#include "render/direct_light.h"
#include "render/film.h"
#include "render/flash.h"
#include "render/lamp_glow.h"
#include "render/lit_volume.h"
#include "render/pixels.h"
#include "render/scattering.h"
#include "render/sun_depth.h"
#include "render/sun_shadow.h"

namespace phlo::render {
namespace {

constexpr float pi = std::numbers::pi_v<float>, far_away = 1e30f;

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
        const float open = 1 - hidden_sun(scene, sun_depth, world);
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

/// Light on surfaces that rays meet.
class Shading {
public:
    Shading(const RenderScene& scene, const PhotonRenderSettings& settings, const Medium& medium, const EmissionSampler& fire,
            const PhotonMap& map, const LitVolume& scattered)
        : scene_(scene),
          settings_(settings),
          medium_(medium),
          fire_(fire),
          map_(map),
          scattered_(scattered),
          direct_(scene, medium, fire),
          offset_(scene.surface_offset()) {}

    /// Irradiance / pi. `sample`: of the pixel.
    Vec3f operator()(const Hit& hit, int sample, RandomStream& random) const {
        const Vec3f point = hit.point + hit.normal * offset_;
        return direct_.outside(point, DiffuseTurn{hit.normal}, random) + firelight(point, hit.normal, sample, random) + gathered(point, hit.normal, random);
    }

private:
    /// `sample`: of the pixel; the points that it draws from the fire are spread evenly over all of the pixel's.
    Vec3f firelight(const Vec3f& point, const Vec3f& normal, int sample, RandomStream& random) const {
        Vec3f sum;
        if (fire_.empty()) return sum;
        const int all = settings_.samples * settings_.fire_points;
        for (int n = 0; n < settings_.fire_points; ++n) {
            const double stratum = double(n * settings_.samples + sample) + double(random.next());
            sum += direct_.from_fire(point, DiffuseTurn{normal}, stratum / all, random);
        }
        return sum / float(settings_.fire_points);
    }

    /// One ray over the hemisphere: fire close by, what gas scatters into it, and the sky or a surface behind.
    Vec3f gathered(const Vec3f& point, const Vec3f& normal, RandomStream& random) const {
        const float cosine = std::sqrt(random.next()), density = cosine / pi;
        const Ray ray{point, direction_around(normal, cosine, random.next())};
        const auto hit = scene_.surfaces.hit(ray);
        const float distance = hit ? hit->distance : far_away;
        const Segment gas = scattered_.march(ray, distance, {1.f, random.next()});
        Vec3f light = gas.radiance;
        if (gas.transmittance > 0)
            light += (hit ? hit->color * (map_.on(*hit) + direct_.outside(hit->point + hit->normal * offset_, DiffuseTurn{hit->normal}, random))
                          : direct_.sky(ray.direction, density)) *
                     gas.transmittance;
        direct_.met(ray, distance, density, false, [&](const Vec3f& lamp, float t) { light += lamp * medium_.transmittance(ray, t, random); });
        if (!fire_.empty())
            medium_.track(ray, std::min(distance, fire_.near()), random, [&](const Medium::Point& p, float majorant, float t) {
                light += p.emission * (fire_.met_share(t) / majorant);
                return random.next() * majorant < p.extinction;
            });
        return light;
    }

    const RenderScene& scene_;
    const PhotonRenderSettings& settings_;
    const Medium& medium_;
    const EmissionSampler& fire_;
    const PhotonMap& map_;
    const LitVolume& scattered_;
    DirectLight direct_;
    float offset_;
};

/// All rays of a pixel: what is free of grain into the image, the light on surfaces into the layer.
void shoot(const RenderScene& scene, const PhotonRenderSettings& settings, const LitVolume& lit, const FlashMap& flash,
           const Shading& shading, int x, int y, io::Image& image, SurfaceLayer& layer) {
    const float noise = pixel_noise(x, y);
    const int pixel = y * scene.width + x;
    Vec3f clean, weights, seen, normal, point;
    float sum = 0, squares = 0, hits = 0, distance = 0;
    for (int s = 0; s < settings.samples; ++s) {
        RandomStream random({.seed = settings.map.seed, .step = std::uint32_t(s), .stream = 0x5ade}, std::uint32_t(pixel));
        const SamplePlace place = sample_place(s);
        const Ray ray = scene.camera.ray(float(x) + place.x, float(y) + place.y);
        const auto hit = scene.surfaces.hit(ray);
        const Segment gas =
            flash.march(lit, ray, hit ? hit->distance : far_away, {settings.step, fraction(noise + float(s) * 0.61803399f)});
        const float kept = hit ? scene.kept_of(*hit) : 0.f;
        clean += gas.radiance;
        if (kept < 1) clean += scene.behind(ray.direction) * (gas.transmittance * (1 - kept));
        for (const Lamp& lamp : scene.lights.lamps)
            if (const auto met = lamp.visible ? hit_lamp(lamp, ray) : std::nullopt; met && !(hit && hit->distance < met->distance))
                clean += lamp.radiance * lit.march(ray, met->distance, {settings.step, 0.5f}).transmittance;
        const Vec3f weight = hit ? hit->color * (gas.transmittance * kept) : Vec3f();
        if (weight == Vec3f()) continue;
        const Vec3f light = shading(*hit, s, random);
        weights += weight, seen += weight * light;
        const float value = 0.2126f * light.x + 0.7152f * light.y + 0.0722f * light.z;
        sum += value, squares += value * value, hits += 1;
        normal += hit->normal, point += hit->point, distance += hit->distance;
    }
    const auto p = std::size_t(pixel);
    const float share = 1 / float(settings.samples);
    image.pixels[p] = clean * share;
    if (!(hits > 0)) return;
    layer.weight[p] = weights * share;
    for (int c = 0; c < 3; ++c) layer.light[p][c] = weights[c] > 0 ? seen[c] / weights[c] : 0.f;
    const float mean = sum / hits;
    layer.variance[p] = hits > 1 ? std::max(0.f, squares / hits - mean * mean) / (hits - 1) : mean * mean;
    layer.normal[p] = length(normal) > 0 ? normalized(normal) : Vec3f(0, 0, 1);
    layer.point[p] = point / hits;
    layer.footprint[p] = distance / hits * scene.camera.pixel_angle();
}

}  // namespace

PhotonRenderSettings photon_settings(Quality quality) {
    if (quality == Quality::final)
        return {.samples = 64,
                .step = 0.35f,
                .sun_spacing = 0.75f,
                .fire_points = 2,
                .denoise = true,
                .map = {.photons = 4'000'000, .cells = 96}};
    return {.samples = 16, .step = 0.5f, .sun_spacing = 1, .fire_points = 2, .denoise = true, .map = {.photons = 800'000, .cells = 64}};
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
    const LitVolume scattered = scene.volume.glows() ? LitVolume(scene.volume, source, Glow::left_out) : LitVolume();
    const Shading shading(scene, settings, medium, fire, map, scene.volume.glows() ? scattered : lit);

    const auto flash = [&] {
        Stage stage(clock, "flash");
        return FlashMap(scene, medium, fire, scene.flash, double(scene.fire_brightness));
    }();

    io::Image image(scene.width, scene.height);
    SurfaceLayer layer(scene.width, scene.height);
    {
        Stage stage(clock, "rays");
        for_each_pixel(scene.width, scene.height, [&](int x, int y) { shoot(scene, settings, lit, flash, shading, x, y, image, layer); });
    }
    Stage stage(clock, "filter");
    if (settings.denoise) denoise(layer);
    for (std::size_t p = 0; p < image.pixels.size(); ++p) image.pixels[p] += layer.weight[p] * layer.light[p];
    return image;
}

}  // namespace phlo::render
