// Where photons start: in the fire, at the sun, the sky, lamps and bodies that shine.
//
//   PhotonSources sources(scene, fire);
//   auto counts = sources.counts(400'000, 64);                               // by kind
//   if (auto start = sources.start(PhotonSources::sun, random)) follow(start->ray, start->power / float(counts[PhotonSources::sun]));
//
// Light from outside comes through a ball around the scene. Floor beyond the ball is as bright as an open one.
#pragma once
#include <array>
#include <optional>

#include "render/light/emitters.h"
#include "render/preview.h"

namespace phlo::render {

struct PhotonStart {
    Ray ray;
    Vec3f power;  ///< red, green, blue; of all light of its kind: a photon carries its share
    bool counts = true;  ///< whether its light is kept before it has scattered, too
    bool from_outside = false;  ///< through the ball
};

class PhotonSources {
public:
    enum Kind : std::uint32_t { fire, sun, sky, lamps, bodies, kinds };

    PhotonSources(const RenderScene& scene, const EmissionSampler& fire);

    /// Of about `photons`, each a multiple of `groups`; all zero if nothing shines.
    std::array<int, kinds> counts(int photons, int groups) const;
    /// None where light meets nothing, or what is accounted for otherwise.
    std::optional<PhotonStart> start(std::uint32_t kind, RandomStream& random) const;
    /// Whether a point lies outside the ball.
    bool beyond(const Vec3f& point) const { return length(point - middle_) > radius_; }

private:
    std::optional<PhotonStart> from_outside(std::uint32_t kind, RandomStream& random) const;

    const RenderScene& scene_;
    const EmissionSampler& fire_;
    Vec3f middle_;
    float radius_ = 0;  ///< of the ball [m]
    std::array<Vec3d, kinds> power_{};
    std::vector<float> lamp_sums_;  ///< brightness of all lamps up to each one, from 0 to 1
};

}  // namespace phlo::render
