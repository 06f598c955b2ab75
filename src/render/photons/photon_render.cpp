#include "render/photons/photon_render.h"

#include <array>
#include <cmath>

#include "optics/phase.h"
#include "render/film/denoise.h"
#include "render/light/direct_light.h"
#include "render/film/film.h"
#include "render/volumes/flash.h"
#include "render/volumes/gas_view.h"
#include "render/light/lamp_glow.h"
#include "render/volumes/lit_volume.h"
#include "render/film/sights.h"
#include "render/surfaces/reflections.h"
#include "render/volumes/scattering.h"
#include "render/light/sun_depth.h"
#include "render/light/sun_shadow.h"

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

/// Light that enters a cloudy body.
struct EnteringTurn {
    Vec3f normal;
    float ior;
    Turn operator()(const Vec3f& to_light) const {
        const float cosine = std::max(0.f, dot(normal, to_light)), p = cosine / pi;
        return {Vec3f(p * (1 - fresnel(cosine, ior))), p};
    }
};

/// Light on surfaces that rays meet.
class Shading {
public:
    Shading(const RenderScene& scene, const PhotonRenderSettings& settings, const DirectLight& direct, const Reflections& reflections,
            const CausticMap& caustics, const GasView& gas)
        : scene_(scene), settings_(settings), direct_(direct), reflections_(reflections), caustics_(caustics), gas_(gas), offset_(scene.surface_offset()) {}

    /// Irradiance / pi without caustics. `sample`: of the pixel's; `turn`: three numbers of the pixel's own, by which all its samples are turned.
    Vec3f operator()(const Hit& hit, const Inside& inside, int sample, const std::array<float, 3>& turn, RandomStream& random) const {
        const Vec3f point = hit.point + hit.normal * offset_;
        return direct_.outside(point, DiffuseTurn{hit.normal}, random, Bodies::shown, scene_.surfaces.interior(inside)) +
               gathered(point, hit.normal, inside, sample, turn, random);
    }

    /// Irradiance / pi that enters a cloudy body at a point of it. The same random numbers everywhere: what error is left is as smooth as the light.
    Vec3f entering(const Vec3f& at, const Vec3f& normal, float ior) const {
        constexpr int samples = 16;
        const Vec3f point = at + normal * offset_;
        RandomStream random({.seed = settings_.map.seed, .stream = 0x5ab5}, 0);
        Vec3f sum = float(samples) * through_clear(point, EnteringTurn{normal, ior});
        for (int s = 0; s < samples; ++s) {
            sum += direct_.outside(point, EnteringTurn{normal, ior}, random);
            const float even = (float(s) + 0.5f) / samples;  // of the rays' cosines: few as they are, their mean must be right
            sum += gathered(point, normal, {}, s, {even - sample_place(s).x, 0.5f, 0.5f}, random, ior);
        }
        return sum / float(samples);
    }

    const Reflections& reflections() const { return reflections_; }
    const CausticMap& caustics() const { return caustics_; }
    static Vec3f emitted(const Hit& hit) { return hit.inside ? Vec3f() : hit.material->emission; }

private:
    /// Sun and lamps behind glass, for cloudy liquid that stands in it: straight through, as if light were not bent.
    Vec3f through_clear(const Vec3f& point, const EnteringTurn& turn) const {
        const Surfaces& surfaces = scene_.surfaces;
        const Inside inside = surfaces.around(point);
        Vec3f sum;
        const auto add = [&](const Vec3f& direction, float distance, const Vec3f& light) {
            const Vec3f value = light * turn(direction).value;
            if (value != Vec3f() && surfaces.blocked(point, direction, distance)) sum += value * surfaces.through(point, direction, inside, distance);
        };
        add(scene_.lights.to_sun, far_away, scene_.lights.sun);
        for (const Lamp& lamp : scene_.lights.lamps) {
            const LightSample s = sample_lamp(lamp, point, 0.5f, 0.5f);
            add(s.direction, s.distance, s.light);
        }
        return sum;
    }

    /// Everything else: rays over the hemisphere and rays towards the gas that shines. Each finds what it meets, gas and what lies behind,
    /// and counts by the density with which both kinds together would have chosen it (the balance heuristic [veach1995]). `ior`: of what light enters there.
    Vec3f gathered(const Vec3f& point, const Vec3f& normal, const Inside& around, int sample, const std::array<float, 3>& turn,
                   RandomStream& random, float ior = 1) const {
        const int towards = gas_.dark() ? 0 : settings_.gas_rays;
        Vec3f sum;
        const auto follow = [&](const Vec3f& direction) {
            const float facing = dot(direction, normal) / pi;
            if (!(facing > 0)) return;
            const Ray ray{point, direction};
            Inside inside = around;
            const auto hit = scene_.surfaces.hit(ray, inside);
            const float distance = hit ? hit->distance : far_away;
            const Vec3f extinction = scene_.surfaces.interior(inside).extinction();
            const GasView::Seen gas = gas_.look(ray, distance);
            Vec3f light = gas.radiance;
            if (gas.transmittance > 1e-4f) {
                const Vec3f clear = hit ? scene_.surfaces.passed(inside, ray, distance) : Vec3f(1.f);
                light += clear * behind(ray, hit, inside, facing, random) * gas.transmittance;
            }
            direct_.met(ray, distance, facing, false,
                        [&](const Vec3f& lamp, float t) { light += lamp * passed_through(extinction, t) * gas_.look(ray, t).transmittance; });
            const float enters = ior > 1 ? 1 - fresnel(facing * pi, ior) : 1.f;
            sum += light * (enters * facing / (facing + float(towards) * gas.density));
        };
        // Numbers spread evenly over the pixel's samples: R2 [roberts2018] and the golden ratio.
        const SamplePlace place = sample_place(sample);
        follow(direction_around(normal, std::sqrt(fraction(turn[0] + place.x)), fraction(turn[1] + place.y)));
        for (int n = 0; n < towards; ++n) {
            const double even = double(turn[2]) + double(sample * towards + n) * 0.6180339887498949 + double(random.next()) * 0x1p-24;
            follow(normalized(gas_.draw(even - std::floor(even), random) - point));
        }
        return sum;
    }

    Vec3f behind(const Ray& ray, const std::optional<Hit>& hit, const Inside& inside, float density, RandomStream& random) const {
        if (!hit) return direct_.sky(ray.direction, density);
        return direct_.emitted(*hit, ray.direction, density) +
               (hit->material->diffuse() ? reflections_.dull(*hit, inside, random)
                                         : reflections_(ray, *hit, inside, Reflections::From::dull, random));
    }

    const RenderScene& scene_;
    const PhotonRenderSettings& settings_;
    const DirectLight& direct_;
    const Reflections& reflections_;
    const CausticMap& caustics_;
    const GasView& gas_;
    float offset_;
};

/// All rays of a pixel: what is free of grain into the image, the light on surfaces into the layer.
void shoot(const RenderScene& scene, const PhotonRenderSettings& settings, const LitVolume& lit, const FlashMap& flash,
           const Shading& shading, const Sights& sights, int x, int y, io::Image& image, SurfaceLayer& layer) {
    const int pixel = y * scene.width + x, every = std::max(1, settings.samples / settings.shaded);
    RandomStream own({.seed = settings.map.seed, .step = ~0u, .stream = 0x5ade}, std::uint32_t(pixel));
    const std::array<float, 3> turn{own.next(), own.next(), own.next()};
    Vec3f clean, weights, shaded, seen, normal, point;
    float sum = 0, squares = 0, hits = 0, nearest = far_away;
    std::vector<Vec3f> points;
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
        if (hit->material->dielectric()) {
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
        weights += weight;
        if (s % every != 0 && hits > 0) return;
        const Vec3f light = shading(*hit, inside, s / every, turn, random);
        shaded += weight, seen += weight * light;
        const float value = 0.2126f * light.x + 0.7152f * light.y + 0.0722f * light.z;
        sum += value, squares += value * value, hits += 1;
        normal += hit->normal, point += hit->point, nearest = std::min(nearest, distance);
        points.push_back(hit->point);
    });
    const auto p = std::size_t(pixel);
    const float share = 1 / float(settings.samples);
    image.pixels[p] = clean * share;
    if (!(hits > 0)) return;
    layer.weight[p] = weights * share;
    for (int c = 0; c < 3; ++c) layer.light[p][c] = shaded[c] > 0 ? seen[c] / shaded[c] : 0.f;
    const float mean = sum / hits;
    layer.variance[p] = hits > 1 ? std::max(0.f, squares / hits - mean * mean) / (hits - 1) : mean * mean;
    layer.normal[p] = length(normal) > 0 ? normalized(normal) : Vec3f(0, 0, 1);
    layer.point[p] = point / hits;
    layer.footprint[p] = nearest * scene.camera.pixel_angle();
    // Edges, where a pixel sees two surfaces one behind the other, are neither: they would carry light from one to the other.
    for (const Vec3f& one : points)
        if (std::fabs(dot(layer.normal[p], one - layer.point[p])) > 2 * layer.footprint[p]) return void(layer.normal[p] = Vec3f());
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
    const Shading shading(scene, settings, direct, reflections, caustics, gas);
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
    {
        Stage stage(clock, "rays");
        const Sights sights(scene, settings.samples, settings.part);
        for_each_pixel(scene.width, scene.height, [&](int x, int y) { shoot(scene, settings, lit, flash, shading, sights, x, y, image, layer); });
    }
    Stage stage(clock, "filter");
    if (settings.denoise) denoise(layer);
    for (std::size_t p = 0; p < image.pixels.size(); ++p) image.pixels[p] += layer.weight[p] * layer.light[p];
    return image;
}

}  // namespace phlo::render
