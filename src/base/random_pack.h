// Random numbers of many items at once: the words of philox() in random.h, lane by lane, and what is made of them.
//
//   const WordPack words = philox({simd::Int(id), 0, step, stream}, key.seed);
//   const simd::Float u = uniform(words[0]);                    // in [0, 1), as uniform4 has it
//   const auto [a, b] = normal_pair(words[1], words[2]);        // two independent standard normal numbers
#pragma once
#include <array>
#include <cstdint>
#include <numbers>
#include <utility>

#include "base/pack_math.h"
#include "base/random.h"
#include "base/simd.h"

namespace phlo {

using WordPack = std::array<simd::Int, 4>;

namespace random_pack {

inline simd::Int operator^(simd::Int a, simd::Int b) {
    return PHLO_SIMD(_mm512_maskz_xor_epi32(simd::every, a.v, b.v), _mm256_xor_si256(a.v, b.v));
}

/// The upper 32 bits of the product of unsigned numbers; Int's own product has the lower ones.
inline simd::Int multiply_high(simd::Int a, simd::Int b) {
#if PHLO_SIMD_512
    const __m512i even = _mm512_maskz_mul_epu32(0xff, a.v, b.v);
    const __m512i odd = _mm512_maskz_mul_epu32(0xff, _mm512_maskz_srli_epi64(0xff, a.v, 32), b.v);
    return _mm512_mask_mov_epi32(_mm512_maskz_srli_epi64(0xff, even, 32), 0xaaaa, odd);
#else
    const __m256i even = _mm256_mul_epu32(a.v, b.v), odd = _mm256_mul_epu32(_mm256_srli_epi64(a.v, 32), b.v);
    return _mm256_blend_epi32(_mm256_srli_epi64(even, 32), odd, 0xaa);
#endif
}

inline simd::Int top_24_bits(simd::Int a) { return PHLO_SIMD(_mm512_maskz_srli_epi32(simd::every, a.v, 8), _mm256_srli_epi32(a.v, 8)); }

}  // namespace random_pack

PHLO_INLINE WordPack philox(WordPack counter, std::uint64_t seed) {
    using namespace random_pack;
    const simd::Int a(int(0xD2511F53u)), b(int(0xCD9E8D57u));
    std::uint32_t key0 = std::uint32_t(seed), key1 = std::uint32_t(seed >> 32);
    for (int round = 0; round < 10; ++round) {
        counter = {multiply_high(counter[2], b) ^ counter[1] ^ simd::Int(int(key0)), counter[2] * b,
                   multiply_high(counter[0], a) ^ counter[3] ^ simd::Int(int(key1)), counter[0] * a};
        key0 += 0x9E3779B9u;
        key1 += 0xBB67AE85u;
    }
    return counter;
}

PHLO_INLINE simd::Float uniform(simd::Int word) { return to_float(random_pack::top_24_bits(word)) * simd::Float(0x1p-24f); }
/// In (0, 1): its logarithm is finite, and not 0.
PHLO_INLINE simd::Float uniform_inside(simd::Int word) {
    return fma(to_float(random_pack::top_24_bits(word)), simd::Float(0x1.fffffep-25f), simd::Float(0x1p-26f));
}

/// Functions of pack_math.h for a register of simd.h.
PHLO_INLINE simd::Pack<float> as_pack(simd::Float a) {
    simd::Pack<float> p;
    p.v[0] = a.v;
    return p;
}
PHLO_INLINE simd::Float exp(simd::Float a) { return simd::RawFloat(simd::exp(as_pack(a)).v[0]); }
PHLO_INLINE simd::Float log(simd::Float a) { return simd::RawFloat(simd::log(as_pack(a)).v[0]); }

/// Box and Muller's transform.
PHLO_INLINE std::pair<simd::Float, simd::Float> normal_pair(simd::Int a, simd::Int b) {
    const simd::Float size = sqrt(simd::Float(-2.0f) * log(uniform_inside(a)));
    const simd::Pack<float> angle = as_pack(uniform(b) * simd::Float(float(2 * std::numbers::pi)));
    return {size * simd::Float(simd::RawFloat(simd::cos(angle).v[0])), size * simd::Float(simd::RawFloat(simd::sin(angle).v[0]))};
}

}  // namespace phlo
