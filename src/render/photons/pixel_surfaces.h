// The surfaces that the rays of one pixel see, and the light on each: one in most pixels, several where an edge passes. Kept apart, their light can be freed
// of grain without one lending its light to the other, which would undo the edge's smoothness.
//
//   PixelSurfaces surfaces;
//   PixelSurfaces::Seen& seen = surfaces.add(hit, weight, footprint);
//   if (seen.shaded == 0) seen.shine(weight, light, 0);
//   surfaces.enter(layer, pixel, 1 / float(samples));
#pragma once
#include <array>

#include "render/film/denoise.h"
#include "render/surfaces/surfaces.h"

namespace phlo::render {

class PixelSurfaces {
public:
    struct Seen {
        Vec3f weight;             ///< of all rays that see it
        Vec3f normal, point;      ///< sums over them
        float rays = 0, footprint = 0;
        int shaded = 0;           ///< rays that found the light there

        /// `shared`: variance of light that neighbouring pixels see with the same error.
        void shine(const Vec3f& weight_of_ray, const Vec3f& light, float shared);

    private:
        friend class PixelSurfaces;
        Vec3f weight_shaded_, light_;
        float sum_ = 0, squares_ = 0, shared_ = 0;

        Vec3f mean_light() const;
        float variance() const;
    };

    /// A ray that sees the surface there: reflectance times what dims it on its way, and the size of a pixel [m].
    Seen& add(const Hit& hit, const Vec3f& weight, float footprint);

    /// Into the picture's layer; `share`: of one ray in its pixel.
    void enter(SurfaceLayer& layer, std::size_t pixel, float share) const;

private:
    static constexpr int most = 4;
    std::array<Seen, most> seen_;
    int count_ = 0;
};

}  // namespace phlo::render
