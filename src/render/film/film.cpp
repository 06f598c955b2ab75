#include "render/film/film.h"

#include <algorithm>
#include <cmath>

#include "base/parallel.h"
#include "base/random.h"

namespace phlo::render {

float filmic(float radiance) {
    // A rational fit of the ACES reference curve [narkowicz2015]: a toe that deepens blacks, a shoulder that holds highlights.
    const float x = std::max(radiance, 0.f) * 0.8f;
    return std::min(1.f, x * (2.51f * x + 0.03f) / (x * (2.43f * x + 0.59f) + 0.14f));
}

io::DisplayImage develop(const io::Image& radiance, const FilmParams& params) {
    io::DisplayImage picture(radiance.width, radiance.height);
    const float gain = float(std::exp2(params.exposure));
    parallel_for(radiance.height, [&](int y) {
        for (int x = 0; x < radiance.width; ++x) {
            // Triangular noise of one step on each side leaves no trace of the 8-bit steps in the mean or the variance.
            const auto noise = uniform4({.seed = 1}, std::uint32_t(x), std::uint32_t(y));
            const auto more = uniform4({.seed = 2}, std::uint32_t(x), std::uint32_t(y));
            for (int c = 0; c < 3; ++c) {
                const float level = 255 * io::srgb_from_linear(filmic(radiance(x, y)[c] * gain));
                const float dither = params.dither ? noise[std::size_t(c)] - more[std::size_t(c)] : 0.f;
                picture.at(x, y)[c] = std::uint8_t(std::clamp(std::floor(level + 0.5f + dither), 0.f, 255.f));
            }
        }
    });
    return picture;
}

}  // namespace phlo::render
