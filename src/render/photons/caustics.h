// The caustic photon map [jensen2001]: light of the sun and of lamps that reaches dull surfaces by way of clear ones alone. It is all the light that sun and
// lamps send through a liquid's surface, so it also is what takes the place of a shadow there.
//
//   CausticMap caustics(scene, medium, {.photons = 600'000});
//   Vec3f light = caustics.on(hit);                            // irradiance / pi
//
// Photons start only where clear surfaces lie: the sun's on an even pattern across the light, in those squares of it that hold triangles. At the first
// borders both the reflected and the refracted part go on, each with its share. They all come from the middle of the sun; each one's light is spread over
// as much of the surface as the sun's disc would spread it, so there is hardly any noise, and shallow water has sharper nets of light than deep.
#pragma once
#include <cstdint>
#include <vector>

#include "render/preview.h"
#include "render/volumes/medium.h"

namespace phlo::render {

struct CausticSettings {
    int photons = 250'000;  ///< of the sun and of each lamp, about
    int gathered = 30;      ///< photons on which the light at a point rests at least, typically: more are smoother, fewer sharper
    std::uint64_t seed = 1;
};

class CausticMap {
public:
    CausticMap() = default;
    CausticMap(const RenderScene& scene, const Medium& medium, const CausticSettings& settings);

    Vec3f on(const Hit& hit) const;
    bool empty() const { return photons_.empty(); }
    /// All that arrived on surfaces: radiance times area.
    Vec3d power() const;

private:
    struct Photon {
        Vec3f point, power, normal;
        float radius = 0;  ///< over which it is spread [m]
    };
    class Tracer;
    struct Tally;

    Vec3i cell_of(const Vec3f& point) const;
    std::size_t slot(const Vec3i& cell) const;
    float typical_distance(int neighbours) const;
    void sort();

    std::vector<Photon> photons_;           ///< by slot
    std::vector<std::uint32_t> starts_;     ///< of each slot
    float radius_ = 0;                      ///< the largest [m]
};

}  // namespace phlo::render
