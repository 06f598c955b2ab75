#include "render/film/quick_film.h"

#include <algorithm>
#include <cmath>

#include "base/parallel.h"
#include "base/random.h"
#include "base/simd.h"

namespace phlo::render {
namespace {

using simd::Float;
using simd::Int;

constexpr int mantissa_bits = 23, exponent_bias = 127;

Int bits_of(Float a) { return PHLO_SIMD(_mm512_castps_si512, _mm256_castps_si256)(a.v); }

template <int places>
Int shifted_down(Int a) {
    return PHLO_SIMD(_mm512_maskz_srli_epi32(simd::every, a.v, places), _mm256_srli_epi32(a.v, places));
}

}  // namespace

QuickFilm::QuickFilm(const FilmParams& params) : levels_(std::size_t(powers * steps + 2)) {
    const float gain = float(std::exp2(params.exposure));
    for (int n = 0; n < powers * steps + 2; ++n) {
        const float radiance = std::ldexp(1 + float(n % steps) / steps, first_power + n / steps);
        levels_[std::size_t(n)] = 255 * io::srgb_from_linear(filmic(radiance * gain));
    }
    levels_[0] = 255 * io::srgb_from_linear(filmic(0));
    dither_.resize(std::size_t(tile * tile * 3 + simd::width));
    if (!params.dither) return;
    for (int p = 0; p < tile * tile; ++p) {
        // Triangular noise, as develop() has it.
        const auto noise = uniform4({.seed = 1}, std::uint32_t(p % tile), std::uint32_t(p / tile));
        const auto more = uniform4({.seed = 2}, std::uint32_t(p % tile), std::uint32_t(p / tile));
        for (std::size_t c = 0; c < 3; ++c) dither_[std::size_t(p) * 3 + c] = noise[c] - more[c];
    }
}

/// At most a tile wide.
void QuickFilm::develop_run(int count, const float* radiance, const float* dither, std::uint8_t* to) const {
    constexpr int below = mantissa_bits - step_bits;
    const Int first((first_power + exponent_bias) << mantissa_bits), unit(1 << below);
    alignas(64) float light[tile * 3 + simd::width];
    alignas(64) int level[tile * 3 + simd::width];
    std::copy(radiance, radiance + count, light), std::fill(light + count, light + count + simd::width, 0.f);
    for (int n = 0; n < count; n += simd::width) {
        // A float's bits, read as a number, are its logarithm, about: steps of them are steps of the table.
        const Int bits = bits_of(simd::clamp(simd::load(light + n), std::ldexp(1.f, first_power), std::ldexp(1.f, first_power + powers))) - first;
        const Int at = shifted_down<below>(bits);
        const Float part = simd::to_float(bits - at * unit) * Float(1 / float(1 << below));
        const Float low = simd::gather(levels_.data(), at), high = simd::gather(levels_.data() + 1, at);
        const Float noise = simd::load(dither + n) + Float(0.5f);
        simd::store(level + n, simd::to_int(simd::clamp(fma(high - low, part, low) + noise, 0.f, 255.f)));   // rounding down, as numbers here are positive
    }
    for (int n = 0; n < count; ++n) to[n] = std::uint8_t(level[n]);
}

io::DisplayImage QuickFilm::develop(const io::Image& radiance) const {
    io::DisplayImage picture(radiance.width, radiance.height);
    parallel_for(radiance.height, [&](int y) {
        const float* dither = dither_.data() + y % tile * tile * 3;
        for (int x = 0; x < radiance.width; x += tile) develop_run(3 * std::min(tile, radiance.width - x), &radiance(x, y).x, dither, picture.at(x, y));
    });
    return picture;
}

}  // namespace phlo::render
