#include "render/surfaces/reflections.h"

#include <cmath>

namespace phlo::render {
namespace {

constexpr float far_away = 1e30f;

/// Weak light is followed by chance only. False: not at all.
bool survives(Vec3f& weight, float enough, RandomStream& random) {
    const float strength = std::max({weight.x, weight.y, weight.z});
    if (!(strength > 0)) return false;
    if (strength >= enough) return true;
    if (random.next() * enough >= strength) return false;
    weight = weight * (enough / strength);
    return true;
}

}  // namespace

Vec3f Reflections::dull(const Hit& hit, const Inside& inside, RandomStream& random) const {
    const Vec3f point = hit.point + hit.normal * scene_.surface_offset();
    return hit.color * (map_.on(hit) + caustics_.on(hit) +
                        direct_.outside(point, DiffuseTurn{hit.normal}, random, Bodies::left_out, scene_.surfaces.interior(inside)));
}

/// That has entered a cloudy body; before this is known, roughly: as if it came out where it entered.
Vec3f Reflections::from_cloudy(const Ray& ray, const Hit& hit, RandomStream& random) const {
    if (!cloudy_.empty()) return cloudy_.towards(hit, -ray.direction);
    const Vec3f point = hit.point + hit.normal * scene_.surface_offset();
    return hit.color * (map_.on(hit) + direct_.outside(point, DiffuseTurn{hit.normal}, random, Bodies::left_out)) * hit.material->passed_evenly;
}

/// Up to the next surface. `caustic`: light of sun and lamps that would be met counts elsewhere.
Reflections::Stretch Reflections::stretch(const Ray& ray, Inside& inside, float density, bool caustic, RandomStream& random) const {
    Stretch result;
    result.hit = scene_.surfaces.hit(ray, inside);
    const Vec3f extinction = scene_.surfaces.interior(inside).extinction();
    const float distance = result.hit ? result.hit->distance : far_away;
    const Segment gas = lit_.march(ray, distance, {0.5f, random.next()});
    const Vec3f clear = result.hit ? scene_.surfaces.passed(inside, ray, distance) : Vec3f(1.f);
    result.light = gas.radiance;  // dimmed by the liquid less than it should be: what is seen in it is near its surface
    if (!caustic)
        direct_.met(ray, distance, density, false, [&](const Vec3f& lamp, float t) {
            result.light += lamp * passed_through(extinction, t) * medium_.transmittance(ray, t, random);
        });
    result.left = clear * gas.transmittance;
    if (!result.hit) result.light += result.left * (caustic ? scene_.lights.radiance(ray.direction) : direct_.sky(ray.direction, density));
    else result.light += result.left * direct_.emitted(*result.hit, ray.direction, density);
    return result;
}

Vec3f Reflections::along(Ray ray, Inside inside, float density, From from, RandomStream& random) const {
    constexpr int most = 64;
    Vec3f light, weight(1.f);
    bool caustic = from == From::dull;
    for (int n = 0; n < most; ++n) {
        const Stretch next = stretch(ray, inside, density, caustic, random);
        light += weight * next.light;
        weight = weight * next.left;
        if (!next.hit || !survives(weight, n > 3 ? 1.f : 0.02f, random)) break;
        const Hit& hit = *next.hit;
        if (hit.material->diffuse()) return light + weight * dull(hit, inside, random);
        if (hit.material->cloudy) {
            if (hit.inside) break;
            light += weight * from_cloudy(ray, hit, random);
            weight *= fresnel(-dot(ray.direction, hit.normal), hit.ratio), density = only_way;
            ray = scene_.surfaces.onward(hit, on_side(hit, mirrored(ray.direction, hit.normal), true), inside);
            continue;
        }
        if (!hit.material->clear()) {
            const Vec3f point = hit.point + hit.normal * scene_.surface_offset();
            light += weight * direct_.outside(point, SurfaceTurn{hit, -ray.direction}, random, Bodies::shown, scene_.surfaces.interior(inside));
            caustic = false;
        }
        const Bounce on = bounce(hit, ray.direction, random);
        weight = weight * on.weight, density = on.density;
        ray = scene_.surfaces.onward(hit, on.direction, inside);
    }
    return light;
}

Vec3f Reflections::operator()(const Ray& ray, const Hit& hit, Inside inside, From from, RandomStream& random) const {
    Vec3f light;
    if (!hit.material->clear()) {
        const Vec3f point = hit.point + hit.normal * scene_.surface_offset();
        light = direct_.outside(point, SurfaceTurn{hit, -ray.direction}, random, Bodies::shown, scene_.surfaces.interior(inside));
        from = From::eye;
    }
    if (hit.material->cloudy) {
        if (hit.inside) return light;
        light = from_cloudy(ray, hit, random);
        Vec3f share(fresnel(-dot(ray.direction, hit.normal), hit.ratio));
        if (!survives(share, 0.05f, random)) return light;
        const Ray onward = scene_.surfaces.onward(hit, on_side(hit, mirrored(ray.direction, hit.normal), true), inside);
        return light + share * along(onward, inside, only_way, from, random);
    }
    const Bounce on = bounce(hit, ray.direction, random);
    if (on.weight == Vec3f()) return light;
    const Ray onward = scene_.surfaces.onward(hit, on.direction, inside);
    return light + on.weight * along(onward, inside, on.density, from, random);
}

ClearWay Reflections::through_clear(const Ray& ray, const Hit& hit, const Inside& inside, RandomStream& random) const {
    constexpr int most = 16;
    ClearWay way;
    way.ray = ray, way.hit = hit, way.inside = inside, way.distance = hit.distance;
    for (int n = 0; n < most; ++n) {
        const Hit border = *way.hit;
        if (border.material->cloudy) {
            way.light += way.weight * (*this)(way.ray, border, way.inside, From::eye, random);
            return way.hit.reset(), way;
        }
        const float share = fresnel(-dot(way.ray.direction, border.normal), border.ratio);
        const auto towards = [&](bool back) {
            const Vec3f& d = way.ray.direction;
            return on_side(border, back ? mirrored(d, border.normal) : refracted(d, border.normal, border.ratio), back);
        };
        const bool back = share > 0.5f;
        if (Vec3f aside = way.weight * (back ? (1 - share) * narrowed(border) : share); survives(aside, 0.05f, random)) {
            Inside there = way.inside;
            const Ray branch = scene_.surfaces.onward(border, towards(!back), there);
            way.light += aside * along(branch, there, only_way, From::eye, random);
        }
        way.weight = way.weight * (back ? share : (1 - share) * narrowed(border));
        way.ray = scene_.surfaces.onward(border, towards(back), way.inside);
        const Stretch next = stretch(way.ray, way.inside, only_way, false, random);
        way.light += way.weight * next.light;
        way.weight = way.weight * next.left;
        way.hit = next.hit;
        if (!way.hit || !survives(way.weight, 0.01f, random)) return way.hit.reset(), way;
        way.distance += way.hit->distance;
        if (const float kept = scene_.kept_of(*way.hit); kept < 1) {
            way.light += way.weight * scene_.behind(way.ray.direction) * (1 - kept);
            way.weight = way.weight * kept;
        }
        if (!way.hit->material->dielectric()) return way;
    }
    return way.hit.reset(), way;
}

}  // namespace phlo::render
