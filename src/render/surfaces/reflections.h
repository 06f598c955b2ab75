// What glossy and clear surfaces show in a photon-mapped picture: rays go on from them until they meet a dull one, or nothing.
//
//   Reflections reflections(scene, medium, direct, lit, map, caustics, milk);
//   Vec3f radiance = reflections(ray, hit, inside, from, random);         // sent back by the surface that the ray met, its own glow left out
//   ClearWay way = reflections.through_clear(ray, hit, inside, random);   // a ray from the eye, through water to the floor below
//
// Light that comes to a dull surface by way of clear ones alone, from the sun or a lamp, is left to the caustic photon map: a ray from there that meets the
// sun behind glass does not count it.
#pragma once
#include "render/light/direct_light.h"
#include "render/volumes/lit_volume.h"
#include "render/photons/caustics.h"
#include "render/photons/photons.h"
#include "render/surfaces/subsurface.h"

namespace phlo::render {

/// The main way of a ray through clear things: what it gathers, and what it meets at last.
struct ClearWay {
    Vec3f light;               ///< on the way, and by what the borders reflect
    Vec3f weight{1.f};         ///< of what comes from the surface at its end
    Ray ray;                   ///< to it
    std::optional<Hit> hit;    ///< that surface; none: the ray has left the scene, and all is in `light`
    Inside inside;
    float distance = 0;        ///< of the whole way [m]
};

class Reflections {
public:
    /// Keeps references.
    Reflections(const RenderScene& scene, const Medium& medium, const DirectLight& direct, const LitVolume& lit, const PhotonMap& map,
                const CausticMap& caustics, const Subsurface& cloudy)
        : scene_(scene), medium_(medium), direct_(direct), lit_(lit), map_(map), caustics_(caustics), cloudy_(cloudy) {}

    /// What a ray may find at the end of a way over clear surfaces only.
    enum class From { eye, dull };

    Vec3f operator()(const Ray& ray, const Hit& hit, Inside inside, From from, RandomStream& random) const;
    /// Of a dull surface: sun, lamps and everything that photons brought, times its colour.
    Vec3f dull(const Hit& hit, const Inside& inside, RandomStream& random) const;
    /// Goes on from a dielectric. Each border splits the light: the larger part is the main way, the other one is followed at once.
    ClearWay through_clear(const Ray& ray, const Hit& hit, const Inside& inside, RandomStream& random) const;

private:
    Vec3f from_cloudy(const Ray& ray, const Hit& hit, RandomStream& random) const;
    Vec3f along(Ray ray, Inside inside, float density, From from, RandomStream& random) const;
    struct Stretch {
        Vec3f light, left;  ///< gathered up to the next surface, and the share of what comes from it
        std::optional<Hit> hit;
    };
    Stretch stretch(const Ray& ray, Inside& inside, float density, bool caustic, RandomStream& random) const;

    const RenderScene& scene_;
    const Medium& medium_;
    const DirectLight& direct_;
    const LitVolume& lit_;
    const PhotonMap& map_;
    const CausticMap& caustics_;
    const Subsurface& cloudy_;
};

}  // namespace phlo::render
