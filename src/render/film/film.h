// From radiance to a picture on a screen: exposure, a filmic curve, sRGB, and dither against banding.
//
//   io::DisplayImage picture = develop(radiance, {.exposure = params.exposure});
#pragma once
#include "io/image.h"

namespace phlo::render {

struct FilmParams {
    double exposure = 0;   ///< [stops]
    bool dither = true;    ///< half a step of noise, the same in every frame
};

io::DisplayImage develop(const io::Image& radiance, const FilmParams& params);

/// The curve alone: scene radiance to display-linear [0, 1], monotone, 0 to 0.
float filmic(float radiance);

/// A fixed pattern in [0, 1) without low frequencies: interleaved gradient noise [jimenez2014].
inline float pixel_noise(int x, int y) {
    const float inner = 0.06711056f * float(x) + 0.00583715f * float(y);
    const float outer = 52.9829189f * (inner - std::floor(inner));
    return outer - std::floor(outer);
}

}  // namespace phlo::render
