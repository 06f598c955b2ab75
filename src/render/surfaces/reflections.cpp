#include "render/surfaces/reflections.h"

#include <cmath>

namespace phlo::render {

Vec3f Reflections::dull(const Hit& hit, RandomStream& random) const {
    const Vec3f point = hit.point + hit.normal * scene_.surface_offset();
    return hit.color * (map_.on(hit) + direct_.outside(point, DiffuseTurn{hit.normal}, random, Bodies::left_out));
}

Vec3f Reflections::operator()(Ray ray, Hit hit, RandomStream& random) const {
    constexpr int most = 64;
    constexpr float far_away = 1e30f;
    const float offset = scene_.surface_offset();
    Vec3f light, weight(1.f);
    for (int n = 0; n < most; ++n) {
        if (!hit.material->clear())
            light += weight * direct_.outside(hit.point + hit.normal * offset, SurfaceTurn{hit, -ray.direction}, random);
        const Bounce on = bounce(*hit.material, hit.normal, hit.inside, ray.direction, random);
        weight = weight * on.weight;
        const float strength = std::max({weight.x, weight.y, weight.z});
        if (!(strength > 0)) break;
        if (n > 3 && strength < 1) {
            if (random.next() >= strength) break;
            weight = weight / strength;
        }
        ray = {hit.point + hit.normal * std::copysign(offset, dot(on.direction, hit.normal)), on.direction};
        const auto next = scene_.surfaces.hit(ray);
        const float distance = next ? next->distance : far_away;
        const Segment gas = lit_.march(ray, distance, {0.5f, random.next()});
        light += weight * gas.radiance;
        direct_.met(ray, distance, on.density, false,
                    [&](const Vec3f& lamp, float t) { light += weight * lamp * medium_.transmittance(ray, t, random); });
        if (!(gas.transmittance > 0)) break;
        weight = weight * gas.transmittance;
        if (!next) {
            light += weight * direct_.sky(ray.direction, on.density);
            break;
        }
        light += weight * direct_.emitted(*next, ray.direction, on.density);
        if (next->material->diffuse()) {
            light += weight * dull(*next, random);
            break;
        }
        hit = *next;
    }
    return light;
}

}  // namespace phlo::render
