// Takes the grain out of light on surfaces, and leaves edges, shadows and everything else as it is: an edge-avoiding a-trous filter
// [dammertz2010], guided by geometry and by how noisy each pixel is [schied2017].
//
//   SurfaceLayer layer(width, height);              // each pixel: mean of light, its variance, and what was hit
//   denoise(layer);
//   pixel = clean + layer.weight[n] * layer.light[n];   // weight: reflectance times transmittance, free of noise
#pragma once
#include "io/image.h"

namespace phlo::render {

struct SurfaceLayer {
    int width = 0, height = 0;
    std::vector<Vec3f> weight;  ///< what of the light is seen: reflectance times transmittance of the gas before it
    std::vector<Vec3f> light;  ///< irradiance / pi
    std::vector<float> variance;  ///< of the luminance of `light`
    std::vector<Vec3f> normal;  ///< zero where no surface is seen, or two of them
    std::vector<Vec3f> point;  ///< [m]
    std::vector<float> footprint;  ///< of a pixel on the surface, seen from the front [m]

    SurfaceLayer(int width_, int height_);
};

/// Filters `light`.
void denoise(SurfaceLayer& layer);

}  // namespace phlo::render
