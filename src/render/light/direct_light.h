// Light that comes straight to a point, each light drawn at random and dimmed by what is on its way: sun, lamps, glowing
// bodies, a map of the sky, fire.
//
//   DirectLight direct(scene, medium, fire);
//   Vec3f light = direct.outside(point, turn, random) + direct.from_fire(point, turn, u, random);
//
// `turn(direction)` says how light from a direction goes on: phase function, or reflectance times cosine, and the density with which the
// integrator draws that direction itself. What a ray can meet by chance (lamps with a size, the map) is shared between the two ways.
#pragma once
#include "optics/phase.h"
#include "render/light/emitters.h"
#include "render/fast_math.h"
#include "render/volumes/interior_flight.h"
#include "render/volumes/medium.h"
#include "render/preview.h"
#include "render/light/sun_depth.h"

namespace phlo::render {

/// Scattering in the gas, for a ray that came with `direction`.
struct GasTurn {
    Vec3f direction;
    float anisotropy;
    Turn operator()(const Vec3f& to_light) const {
        const float p = optics::phase(dot(direction, to_light), anisotropy);
        return {Vec3f(p), p};
    }
};

/// A white, diffuse surface.
struct DiffuseTurn {
    Vec3f normal;
    Turn operator()(const Vec3f& to_light) const {
        const float p = std::max(0.f, dot(normal, to_light)) * 0.318309886f;
        return {Vec3f(p), p};
    }
};

/// A surface that a ray met.
struct SurfaceTurn {
    const Hit& hit;
    Vec3f to_eye;
    Turn operator()(const Vec3f& to_light) const { return turn(*hit.material, hit.normal, to_eye, to_light); }
};

/// Whether bodies that shine are drawn: where photons bring their light, they are not.
enum class Bodies { shown, left_out };

class DirectLight {
public:
    /// Keeps references. `sun_depth`: dims the sun without noise, for integrators that have it.
    DirectLight(const RenderScene& scene, const Medium& medium, const EmissionSampler& fire, const SunDepth* sun_depth = nullptr)
        : scene_(scene), medium_(medium), fire_(fire), sun_depth_(sun_depth) {}

    /// Sun, lamps, bodies that shine, and the map of the sky. `filled`: what light goes through that is not blocked.
    template <class TurnTo>
    Vec3f outside(const Vec3f& point, const TurnTo& turn, RandomStream& random, Bodies bodies = Bodies::shown,
                  const optics::Interior& filled = {}) const;

    /// The fire; `uniform` in [0, 1) chooses its cell. Fire close by is left to rays, see EmissionSampler.
    template <class TurnTo>
    Vec3f from_fire(const Vec3f& point, const TurnTo& turn, double uniform, RandomStream& random) const;

    template <class TurnTo>
    Vec3f from_fire(const Vec3f& point, const TurnTo& turn, RandomStream& random) const {
        return fire_.empty() ? Vec3f() : from_fire(point, turn, EmissionSampler::fine(random), random);
    }

    /// Lamps that a ray meets, as far as `outside` leaves them to it, without what dims them: visit(radiance, distance). `density`: of the
    /// ray's direction. `seen_only`: those that a camera sees.
    template <class Visit>
    void met(const Ray& ray, float distance, float density, bool seen_only, const Visit& visit) const;

    /// Of a body that shines, where a ray meets it.
    Vec3f emitted(const Hit& hit, const Vec3f& direction, float density) const {
        const Vec3f& light = hit.material->emission;
        if (light == Vec3f() || hit.inside) return {};
        if (hit.ground || density == only_way) return light;
        return light * share_of(density, scene_.glow.density(hit, direction));
    }

    /// Of the sky where a ray leaves the scene.
    Vec3f sky(const Vec3f& direction, float density) const {
        const Lights& lights = scene_.lights;
        Vec3f light = lights.radiance(direction);
        if (density == only_way) return light + lights.sun_disc(direction);
        if (maps(direction)) light *= share_of(density, lights.map->density(lights.to_map(direction)));
        return light;
    }

private:
    bool maps(const Vec3f& direction) const { return scene_.lights.map && !(scene_.lights.ground && direction.z < 0); }

    /// What of light from a direction gets through.
    Vec3f arriving(const Vec3f& point, const Vec3f& direction, float distance, const Vec3f& light, RandomStream& random,
                   const optics::Interior& filled = {}) const {
        if (light == Vec3f() || scene_.surfaces.blocked(point, direction, distance)) return {};
        return light * passed_through(filled.extinction(), distance) * medium_.transmittance({point, direction}, distance, random);
    }

    static constexpr float far_away = 1e30f;
    const RenderScene& scene_;
    const Medium& medium_;
    const EmissionSampler& fire_;
    const SunDepth* sun_depth_;
};

template <class TurnTo>
Vec3f DirectLight::outside(const Vec3f& point, const TurnTo& turn, RandomStream& random, Bodies bodies, const optics::Interior& filled) const {
    const Lights& lights = scene_.lights;
    Vec3f sum;
    if (!(lights.sun == Vec3f())) {
        const Sides side(lights.to_sun);
        const float radius = lights.sun_spread * std::sqrt(random.next()), angle = 6.2831853f * random.next();
        const Vec3f across = side.u * (radius * std::cos(angle)) + side.v * (radius * std::sin(angle));
        const Vec3f sun = normalized(lights.to_sun + across), light = lights.sun * turn(sun).value;
        if (!sun_depth_) sum += arriving(point, sun, far_away, light, random);
        else if (!(light == Vec3f()) && !scene_.surfaces.blocked(point, sun))
            sum += light * fast_exp(-sun_depth_->at(point, dot(across, sun_depth_->side_u()), dot(across, sun_depth_->side_v())));
    }
    for (const Lamp& lamp : lights.lamps) {
        const float u = random.next(), v = random.next();
        const LightSample s = sample_lamp(lamp, point, u, v);
        if (s.light == Vec3f()) continue;
        const Turn on = turn(s.direction);
        const float share = s.density > 0 ? share_of(s.density, on.density) : 1.f;
        sum += arriving(point, s.direction, s.distance, s.light * on.value * share, random, filled);
    }
    if (bodies == Bodies::shown && !scene_.glow.empty()) {
        const float choice = random.next(), u = random.next(), v = random.next();
        const LightSample s = scene_.glow.sample(point, choice, u, v);
        const Turn on = turn(s.direction);
        if (!(s.light == Vec3f()))
            sum += arriving(point, s.direction, s.distance, s.light * on.value * share_of(s.density, on.density), random, filled);
    }
    if (lights.map) {
        const float u = random.next(), v = random.next();
        const EnvironmentMap::Drawn drawn = lights.map->sample(u, v);
        const Vec3f direction = lights.from_map(drawn.direction);
        if (maps(direction)) {
            const Turn on = turn(direction);
            sum += arriving(point, direction, far_away, lights.radiance(direction) * on.value / (drawn.density + on.density), random);
        }
    }
    return sum;
}

template <class TurnTo>
Vec3f DirectLight::from_fire(const Vec3f& point, const TurnTo& turn, double uniform, RandomStream& random) const {
    if (fire_.empty()) return {};
    const EmissionSampler::Sample lamp = fire_.sample(uniform, random);
    const Vec3f way = lamp.position - point;
    const float distance = length(way);
    if (!(distance > 0)) return {};
    const float falloff = fire_.drawn_share(distance) / (distance * distance);
    return arriving(point, way / distance, distance, lamp.light * turn(way / distance).value * falloff, random);
}

template <class Visit>
void DirectLight::met(const Ray& ray, float distance, float density, bool seen_only, const Visit& visit) const {
    for (const Lamp& lamp : scene_.lights.lamps) {
        if (seen_only && !lamp.visible) continue;
        const auto hit = hit_lamp(lamp, ray);
        if (!hit || !(hit->distance < distance)) continue;
        visit(lamp.radiance * (density == only_way ? 1.f : share_of(density, hit->density)), hit->distance);
    }
}

}  // namespace phlo::render
