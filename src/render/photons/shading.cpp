#include "render/photons/shading.h"

#include <cmath>
#include <numbers>

#include "render/film/pixels.h"

namespace phlo::render {
namespace {

constexpr float pi = std::numbers::pi_v<float>, far_away = 1e30f;

}  // namespace

/// Light that enters a cloudy body.
struct Shading::EnteringTurn {
    Vec3f normal;
    float ior;
    Turn operator()(const Vec3f& to_light) const {
        const float cosine = std::max(0.f, dot(normal, to_light)), p = cosine / pi;
        return {Vec3f(p * (1 - fresnel(cosine, ior))), p};
    }
};

Vec3f Shading::entering(const Vec3f& at, const Vec3f& normal, float ior) const {
    constexpr int samples = 16;
    const Vec3f point = at + normal * offset_;
    RandomStream random({.seed = params_.seed, .stream = 0x5ab5}, 0);
    Vec3f sum = float(samples) * through_clear(point, EnteringTurn{normal, ior});
    for (int s = 0; s < samples; ++s) {
        sum += direct_.outside(point, EnteringTurn{normal, ior}, random);
        const float even = (float(s) + 0.5f) / samples;  // of the rays' cosines: few as they are, their mean must be right
        sum += gathered(point, normal, {}, s, {even - sample_place(s).x, 0.5f, 0.5f}, random, ior);
    }
    return sum / float(samples);
}

/// Sun and lamps behind glass, for cloudy liquid that stands in it: straight through, as if light were not bent.
Vec3f Shading::through_clear(const Vec3f& point, const EnteringTurn& turn) const {
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

/// Rays over the hemisphere and rays towards the gas that shines. Each finds what it meets, gas and what lies behind, and counts by the density with
/// which both kinds together would have chosen it (the balance heuristic [veach1995]). `ior`: of what light enters there.
Vec3f Shading::gathered(const Vec3f& point, const Vec3f& normal, const Inside& around, int sample, const std::array<float, 3>& turn, RandomStream& random,
                        float ior) const {
    const int towards = gas_.dark() ? 0 : params_.gas_rays;
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
    // Numbers spread evenly over the samples: R2 [roberts2018] and the golden ratio.
    const SamplePlace place = sample_place(sample);
    follow(direction_around(normal, std::sqrt(fraction(turn[0] + place.x)), fraction(turn[1] + place.y)));
    for (int n = 0; n < towards; ++n) {
        const double even = double(turn[2]) + double(sample * towards + n) * 0.6180339887498949 + double(random.next()) * 0x1p-24;
        follow(normalized(gas_.draw(even - std::floor(even), random) - point));
    }
    return sum;
}

Vec3f Shading::behind(const Ray& ray, const std::optional<Hit>& hit, const Inside& inside, float density, RandomStream& random) const {
    if (!hit) return direct_.sky(ray.direction, density);
    return direct_.emitted(*hit, ray.direction, density) +
           (hit->material->diffuse() ? reflections_.dull(*hit, inside, random) : reflections_(ray, *hit, inside, Reflections::From::dull, random));
}

}  // namespace phlo::render
