// Eight floats on every CPU: for things so small that wider registers would mostly hold what is beside them, and straddle lines of the cache.
//
//   simd::Eight a = simd::load_eight(p);
//   simd::store(p, fma(a, simd::Eight(2.f), max(a, simd::Eight(0.f))));
#pragma once
#include "base/simd.h"

namespace phlo::simd {

#if PHLO_SIMD_512
struct Eight {
    __m256 v;
    Eight() = default;
    Eight(__m256 a) : v(a) {}
    Eight(float a) : v(_mm256_set1_ps(a)) {}
};
inline Eight operator+(Eight a, Eight b) { return _mm256_add_ps(a.v, b.v); }
inline Eight operator-(Eight a, Eight b) { return _mm256_sub_ps(a.v, b.v); }
inline Eight operator*(Eight a, Eight b) { return _mm256_mul_ps(a.v, b.v); }
inline Eight fma(Eight a, Eight b, Eight c) { return _mm256_fmadd_ps(a.v, b.v, c.v); }
inline Eight min(Eight a, Eight b) { return _mm256_min_ps(a.v, b.v); }
inline Eight max(Eight a, Eight b) { return _mm256_max_ps(a.v, b.v); }
inline void store(float* p, Eight a) { _mm256_storeu_ps(p, a.v); }
#else
using Eight = Float;
#endif
inline Eight load_eight(const float* p) { return _mm256_loadu_ps(p); }
/// Number l of each of eight columns side by side, for every lane l: rows of eight numbers, one after the other.
inline void store_rows(float* rows, const Float (&column)[8]) {
    for (int half = 0; half < width / 8; ++half) {
        __m256 a[8], b[8];
        for (int c = 0; c < 8; ++c) a[c] = PHLO_SIMD(half == 0 ? _mm512_maskz_extractf32x8_ps(0xff, column[c].v, 0) : _mm512_maskz_extractf32x8_ps(0xff, column[c].v, 1), column[c].v);
        for (int c = 0; c < 8; c += 2) b[c] = _mm256_unpacklo_ps(a[c], a[c + 1]), b[c + 1] = _mm256_unpackhi_ps(a[c], a[c + 1]);
        for (int c = 0; c < 8; c += 4)
            for (int k = 0; k < 2; ++k) a[c + 2 * k] = _mm256_shuffle_ps(b[c + k], b[c + k + 2], 0x44), a[c + 2 * k + 1] = _mm256_shuffle_ps(b[c + k], b[c + k + 2], 0xee);
        for (int r = 0; r < 4; ++r) {
            _mm256_storeu_ps(rows + 8 * (8 * half + r), _mm256_permute2f128_ps(a[r], a[r + 4], 0x20));
            _mm256_storeu_ps(rows + 8 * (8 * half + r + 4), _mm256_permute2f128_ps(a[r], a[r + 4], 0x31));
        }
    }
}
/// 0, 1, ..., 7.
inline Eight count_to_eight() { return _mm256_setr_ps(0, 1, 2, 3, 4, 5, 6, 7); }

}  // namespace phlo::simd
