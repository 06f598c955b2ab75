// Light on surfaces that rays meet: straight from sun, lamps and glowing bodies, and gathered by rays from everywhere else (final gathering
// [jensen2001]).
//
//   Shading shading(scene, direct, reflections, caustics, gas, {.gas_rays = 2});
//   Vec3f light = shading.direct(hit, inside, random) + shading.gathered(hit, inside, sample, turn, random);   // irradiance / pi
#pragma once
#include <array>

#include "render/light/direct_light.h"
#include "render/photons/caustics.h"
#include "render/surfaces/reflections.h"
#include "render/volumes/gas_view.h"

namespace phlo::render {

struct ShadingParams {
    int gas_rays = 2;  ///< towards shining gas, beside one over the hemisphere
    std::uint64_t seed = 1;
};

class Shading {
public:
    /// Keeps references.
    Shading(const RenderScene& scene, const DirectLight& direct, const Reflections& reflections, const CausticMap& caustics, const GasView& gas,
            const ShadingParams& params)
        : scene_(scene), direct_(direct), reflections_(reflections), caustics_(caustics), gas_(gas), params_(params), offset_(scene.surface_offset()) {}

    /// Irradiance / pi that comes straight.
    Vec3f direct(const Hit& hit, const Inside& inside, RandomStream& random) const {
        return direct_.outside(above(hit), DiffuseTurn{hit.normal}, random, Bodies::shown, scene_.surfaces.interior(inside));
    }
    /// Irradiance / pi of everything else but caustics. `sample`: one of several; `turn`: three numbers by which all of them are turned.
    Vec3f gathered(const Hit& hit, const Inside& inside, int sample, const std::array<float, 3>& turn, RandomStream& random) const {
        return gathered(above(hit), hit.normal, inside, sample, turn, random);
    }
    /// Irradiance / pi that enters a cloudy body at a point of it. The same random numbers everywhere: what error is left is as smooth as the light.
    Vec3f entering(const Vec3f& at, const Vec3f& normal, float ior) const;

    const Reflections& reflections() const { return reflections_; }
    const CausticMap& caustics() const { return caustics_; }
    static Vec3f emitted(const Hit& hit) { return hit.inside ? Vec3f() : hit.material->emission; }

private:
    struct EnteringTurn;

    Vec3f above(const Hit& hit) const { return hit.point + hit.normal * offset_; }
    Vec3f through_clear(const Vec3f& point, const EnteringTurn& turn) const;
    Vec3f gathered(const Vec3f& point, const Vec3f& normal, const Inside& around, int sample, const std::array<float, 3>& turn, RandomStream& random,
                   float ior = 1) const;
    Vec3f behind(const Ray& ray, const std::optional<Hit>& hit, const Inside& inside, float density, RandomStream& random) const;

    const RenderScene& scene_;
    const DirectLight& direct_;
    const Reflections& reflections_;
    const CausticMap& caustics_;
    const GasView& gas_;
    ShadingParams params_;
    float offset_;
};

}  // namespace phlo::render
