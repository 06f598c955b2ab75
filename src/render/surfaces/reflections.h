// What glossy and clear surfaces show in a photon-mapped picture: rays go on from them until they meet a dull one, or nothing.
//
//   Reflections reflections(scene, medium, direct, lit, map);
//   Vec3f radiance = reflections(ray, hit, random);         // sent back by the surface that the ray met, its own glow left out
#pragma once
#include "render/light/direct_light.h"
#include "render/volumes/lit_volume.h"
#include "render/photons/photons.h"

namespace phlo::render {

class Reflections {
public:
    /// Keeps references.
    Reflections(const RenderScene& scene, const Medium& medium, const DirectLight& direct, const LitVolume& lit, const PhotonMap& map)
        : scene_(scene), medium_(medium), direct_(direct), lit_(lit), map_(map) {}

    Vec3f operator()(Ray ray, Hit hit, RandomStream& random) const;
    /// Of a dull surface: sun, lamps and everything that photons brought, times its colour.
    Vec3f dull(const Hit& hit, RandomStream& random) const;

private:
    const RenderScene& scene_;
    const Medium& medium_;
    const DirectLight& direct_;
    const LitVolume& lit_;
    const PhotonMap& map_;
};

}  // namespace phlo::render
