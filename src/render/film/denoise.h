// Takes the grain out of light on surfaces, and leaves edges, shadows and everything else as it is: an edge-avoiding a-trous filter
// [dammertz2010], guided by geometry and by how noisy each pixel is [schied2017].
//
//   SurfaceLayer layer(width, height);              // each pixel: mean of light, its variance, and what was hit
//   denoise(layer);
//   image.pixels[n] += layer.seen(n);               // weight times light; weight: reflectance times transmittance, free of noise
//
// Pixels at edges see several surfaces. Each takes its light from pixels beside it that see the same surface alone, so edges are as smooth as the
// rays make them.
#pragma once
#include "io/image.h"

namespace phlo::render {

/// What a pixel sees.
struct SurfacePlace {
    Vec3f normal;         ///< zero: no surface, or several
    Vec3f point;          ///< [m]
    float footprint = 0;  ///< of a pixel there, seen from the front [m]
};

struct SurfaceLayer {
    struct Edge {
        Vec3f weight, light;
        SurfacePlace place;
    };

    int width = 0, height = 0;
    std::vector<Vec3f> weight;      ///< what of the light is seen: reflectance times transmittance of the gas before it
    std::vector<Vec3f> light;       ///< irradiance / pi
    std::vector<float> variance;    ///< of the luminance of `light`
    std::vector<SurfacePlace> place;
    std::vector<std::vector<Edge>> edges;   ///< instead of all these: the surfaces that a pixel sees if there are several

    SurfaceLayer(int width_, int height_);

    /// All light that the pixel gets from its surfaces.
    Vec3f seen(std::size_t pixel) const;
};

/// Filters the light.
void denoise(SurfaceLayer& layer);

}  // namespace phlo::render
