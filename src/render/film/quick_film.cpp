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

template <int by>
Int shifted_down(Int a) {
    return PHLO_SIMD(_mm512_maskz_srli_epi32(simd::every, a.v, by), _mm256_srli_epi32(a.v, by));
}

Int both(Int a, Int b) { return PHLO_SIMD(_mm512_maskz_and_epi32(simd::every, a.v, b.v), _mm256_and_si256(a.v, b.v)); }

/// Which pixel's number of a colour goes to each byte of a third of 48; 0x80: none of this colour.
constexpr struct Places {
    alignas(16) std::uint8_t from[3][3][16] = {};

    constexpr Places() {
        for (int n = 0; n < 48; ++n)
            for (int c = 0; c < 3; ++c) from[n / 16][c][n % 16] = n % 3 == c ? std::uint8_t(n / 3) : std::uint8_t(0x80);
    }
} places;

/// The three numbers of sixteen pixels.
void side_by_side(const std::uint8_t* red, const std::uint8_t* green, const std::uint8_t* blue, std::uint8_t* to) {
    const auto load = [](const std::uint8_t* p) { return _mm_loadu_si128(reinterpret_cast<const __m128i*>(p)); };
    const __m128i colour[3] = {load(red), load(green), load(blue)};
    for (int third = 0; third < 3; ++third) {
        __m128i sum = _mm_setzero_si128();
        for (int c = 0; c < 3; ++c) sum = _mm_or_si128(sum, _mm_shuffle_epi8(colour[c], load(places.from[third][c])));
        _mm_storeu_si128(reinterpret_cast<__m128i*>(to + 16 * third), sum);
    }
}

}  // namespace

QuickFilm::QuickFilm(const FilmParams& params) : levels_(std::size_t(powers * steps + 2)) {
    const float gain = float(std::exp2(params.exposure));
    for (int n = 0; n < powers * steps + 2; ++n) {
        const float radiance = std::ldexp(1 + float(n % steps) / steps, first_power + n / steps);
        levels_[std::size_t(n)] = 255 * io::srgb_from_linear(filmic(radiance * gain));
    }
    levels_[0] = 255 * io::srgb_from_linear(filmic(0));
    dither_.assign(std::size_t(tile * tile * 3), 0.5f);
    for (int y = 0; y < tile && params.dither; ++y)
        for (int x = 0; x < tile; ++x) {
            // Triangular noise, as develop() has it.
            const auto noise = uniform4({.seed = 1}, std::uint32_t(x), std::uint32_t(y)), more = uniform4({.seed = 2}, std::uint32_t(x), std::uint32_t(y));
            for (int c = 0; c < 3; ++c) dither_[std::size_t((3 * y + c) * tile + x)] += noise[std::size_t(c)] - more[std::size_t(c)];
        }
}

void QuickFilm::develop_row(int y, int count, const std::array<const float*, 3>& radiance, std::uint8_t* to) const {
    constexpr int below = mantissa_bits - step_bits;
    static_assert(tile % simd::width == 0);
    const Int first((first_power + exponent_bias) << mantissa_bits), rest((1 << below) - 1);
    const Float least = std::ldexp(1.f, first_power), most = std::ldexp(1.f, first_power + powers), part_of_bits = 1 / float(1 << below);
    for (int x = 0; x < count; x += tile) {
        alignas(64) int level[3][tile] = {};
        const int here = std::min(tile, count - x);
        for (int c = 0; c < 3; ++c) {
            const float *light = radiance[std::size_t(c)] + x, *dither = &dither_[std::size_t((3 * (y % tile) + c) * tile)];
            for (int n = 0; n < here; n += simd::width) {
                // A float's bits, read as a number, are its logarithm, about: steps of them are steps of the table.
                const Int bits = bits_of(simd::clamp(simd::load(light + n), least, most)) - first, at = shifted_down<below>(bits);
                const Float part = simd::to_float(both(bits, rest)) * part_of_bits;
                const Float low = simd::gather(levels_.data(), at), high = simd::gather(levels_.data() + 1, at);
                simd::store(level[c] + n, simd::to_int(simd::clamp(fma(high - low, part, low) + simd::load(dither + n), 0.f, 255.f)));   // rounding down, as numbers here are positive
            }
        }
        alignas(64) std::uint8_t byte[3][tile];
        for (int c = 0; c < 3; ++c)
            for (int n = 0; n < tile; ++n) byte[c][n] = std::uint8_t(level[c][n]);
        std::uint8_t* pixel = to + 3 * std::ptrdiff_t(x);
        int n = 0;
        for (; n + 16 <= here; n += 16, pixel += 48) side_by_side(byte[0] + n, byte[1] + n, byte[2] + n, pixel);
        for (; n < here; ++n, pixel += 3) pixel[0] = byte[0][n], pixel[1] = byte[1][n], pixel[2] = byte[2][n];
    }
}

io::DisplayImage QuickFilm::develop(const io::Image& radiance) const {
    io::DisplayImage picture(radiance.width, radiance.height);
    const std::size_t width = std::size_t(radiance.width), room = width + simd::width;
    parallel_for(radiance.height, [&](int y) {
        std::vector<float> row(3 * room);
        for (std::size_t x = 0; x < width; ++x)
            for (std::size_t c = 0; c < 3; ++c) row[c * room + x] = radiance(int(x), y)[int(c)];
        develop_row(y, radiance.width, {row.data(), row.data() + room, row.data() + 2 * room}, picture.at(0, y));
    });
    return picture;
}

}  // namespace phlo::render
