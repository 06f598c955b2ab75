#include "render/film/quick_film.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "base/parallel.h"
#include "base/random.h"

namespace phlo::render {
namespace {

constexpr int mantissa_bits = 23, exponent_bias = 127;

}  // namespace

QuickFilm::QuickFilm(const FilmParams& params) : levels_(std::size_t(powers * steps + 2)) {
    const float gain = float(std::exp2(params.exposure));
    for (int n = 0; n < powers * steps + 2; ++n) {
        const float radiance = std::ldexp(1 + float(n % steps) / steps, first_power + n / steps);
        levels_[std::size_t(n)] = 255 * io::srgb_from_linear(filmic(radiance * gain));
    }
    levels_[0] = 255 * io::srgb_from_linear(filmic(0));
    if (!params.dither) return;
    dither_.resize(std::size_t(tile * tile * 3));
    for (int p = 0; p < tile * tile; ++p) {
        // Triangular noise, as develop() has it.
        const auto noise = uniform4({.seed = 1}, std::uint32_t(p % tile), std::uint32_t(p / tile));
        const auto more = uniform4({.seed = 2}, std::uint32_t(p % tile), std::uint32_t(p / tile));
        for (std::size_t c = 0; c < 3; ++c) dither_[std::size_t(p) * 3 + c] = noise[c] - more[c];
    }
}

float QuickFilm::level(float radiance) const {
    constexpr int below = mantissa_bits - step_bits;
    constexpr std::int32_t first = (first_power + exponent_bias) << mantissa_bits, last = first + ((powers * steps) << below);
    // A float's bits, read as a number, are its logarithm, about: steps of them are steps of the table.
    const std::int32_t bits = std::clamp(std::bit_cast<std::int32_t>(radiance), first, last) - first;
    const int n = bits >> below;
    const float part = float(bits & ((1 << below) - 1)) * (1 / float(1 << below));
    return levels_[std::size_t(n)] + (levels_[std::size_t(n) + 1] - levels_[std::size_t(n)]) * part;
}

io::DisplayImage QuickFilm::develop(const io::Image& radiance) const {
    io::DisplayImage picture(radiance.width, radiance.height);
    parallel_for(radiance.height, [&](int y) {
        const float* from = &radiance(0, y).x;
        std::uint8_t* to = picture.at(0, y);
        const float* dither = dither_.empty() ? nullptr : dither_.data() + y % tile * tile * 3;
        for (int n = 0; n < 3 * radiance.width; ++n) {
            const float noise = dither ? dither[n % (tile * 3)] : 0.f;
            to[n] = std::uint8_t(std::clamp(level(from[n]) + 0.5f + noise, 0.f, 255.f));   // rounding down, as numbers here are positive
        }
    });
    return picture;
}

}  // namespace phlo::render
