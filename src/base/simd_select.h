// Picking some lanes out of many registers: how many fulfil a condition, and those that do side by side. Beside it rows of eight floats that lie
// anywhere, to be summed two at a time.
//
//   simd::TrueCount near;
//   for (int v = 0; v < n; v += simd::width) near.add(simd::load(distance + v) < threshold);
//   int found = near.total();
//   const simd::Packer pack(simd::bits(mask));
//   simd::store(out + count, pack(x)), simd::store(indices + count, pack(index)), count += pack.count();   // writes a whole register
//
// Results are the same at both widths.
#pragma once
#include "base/simd.h"

namespace phlo::simd {

/// How many lanes were true, over all masks added.
class TrueCount {
public:
#if PHLO_SIMD_512
    void add(Mask m) { count_ += __builtin_popcount(m.v); }
    int total() const { return count_; }

private:
    int count_ = 0;
#else
    void add(Mask m) { lanes_ = _mm256_sub_epi32(lanes_, m.v); }
    int total() const {
        const __m128i four = _mm_add_epi32(_mm256_castsi256_si128(lanes_), _mm256_extracti128_si256(lanes_, 1));
        const __m128i two = _mm_add_epi32(four, _mm_shuffle_epi32(four, 0x4e));
        return _mm_cvtsi128_si32(_mm_add_epi32(two, _mm_shuffle_epi32(two, 0xb1)));
    }

private:
    __m256i lanes_ = _mm256_setzero_si256();
#endif
};

#if !PHLO_SIMD_512
/// Eight bytes for each set of lanes: which lane goes where.
struct PackTable {
    unsigned long long from[256];
    constexpr PackTable() : from{} {
        for (unsigned set = 0; set < 256; ++set)
            for (unsigned lane = 0, place = 0; lane < 8; ++lane)
                if (set >> lane & 1) from[set] |= static_cast<unsigned long long>(lane) << (8 * place++);
    }
};
inline constexpr PackTable pack_table;
#endif

/// Moves the lanes whose bits are set side by side, from the first lane on; what the lanes behind them then hold is of no use.
class Packer {
public:
#if PHLO_SIMD_512
    explicit Packer(unsigned lanes) : lanes_(RawMask(lanes)), count_(__builtin_popcount(lanes)) {}
    Float operator()(Float a) const { return _mm512_maskz_compress_ps(lanes_, a.v); }
    Int operator()(Int a) const { return _mm512_maskz_compress_epi32(lanes_, a.v); }

private:
    RawMask lanes_;
#else
    explicit Packer(unsigned lanes)
        : from_(_mm256_cvtepu8_epi32(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(&pack_table.from[lanes])))),
          count_(__builtin_popcount(lanes)) {}
    Float operator()(Float a) const { return _mm256_permutevar8x32_ps(a.v, from_); }
    Int operator()(Int a) const { return _mm256_permutevar8x32_epi32(a.v, from_); }

private:
    __m256i from_;
#endif
    int count_;

public:
    int count() const { return count_; }
};

inline Int load(const int* p) { return PHLO_SIMD(_mm512_loadu_si512(p), _mm256_loadu_si256(reinterpret_cast<const __m256i*>(p))); }

/// The first lanes only: nothing behind them is read, the others are zero.
inline Float load_first(const float* p, int lanes) {
    const Mask those = first_lanes(lanes);
    return PHLO_SIMD(_mm512_maskz_loadu_ps(those.v, p), _mm256_maskload_ps(p, those.v));
}

/// Sum and largest of all lanes, by halves.
template <class Join>
PHLO_INLINE float fold(Float a, const Join& join) {
#if PHLO_SIMD_512
    const __m256 eight = join(_mm512_maskz_extractf32x8_ps(0xff, a.v, 0), _mm512_maskz_extractf32x8_ps(0xff, a.v, 1));
#else
    const __m256 eight = a.v;
#endif
    const __m256 four = join(eight, _mm256_permute2f128_ps(eight, eight, 1)), two = join(four, _mm256_permute_ps(four, 0x4e));
    return _mm256_cvtss_f32(join(two, _mm256_permute_ps(two, 0xb1)));
}
PHLO_INLINE float sum_of(Float a) { return fold(a, [](__m256 x, __m256 y) { return _mm256_add_ps(x, y); }); }
PHLO_INLINE float max_of(Float a) { return fold(a, [](__m256 x, __m256 y) { return _mm256_max_ps(x, y); }); }

/// Two rows of eight floats: one register with AVX-512, two with AVX2.
struct TwoRows {
#if PHLO_SIMD_512
    __m512 v;
    TwoRows() : v(_mm512_setzero_ps()) {}
    TwoRows(const float* a, const float* b)
        : v(_mm512_maskz_insertf32x8(every, _mm512_maskz_broadcast_f32x8(every, _mm256_loadu_ps(a)), _mm256_loadu_ps(b), 1)) {}
    void add(const TwoRows& a) { v = _mm512_add_ps(v, a.v); }
    void subtract(const TwoRows& a) { v = _mm512_sub_ps(v, a.v); }
    void add_square(const TwoRows& a) { v = _mm512_fmadd_ps(a.v, a.v, v); }
    /// The sum of both.
    void store_sum(float* p) const {
        _mm256_storeu_ps(p, _mm256_add_ps(_mm512_maskz_extractf32x8_ps(0xff, v, 0), _mm512_maskz_extractf32x8_ps(0xff, v, 1)));
    }
#else
    __m256 a, b;
    TwoRows() : a(_mm256_setzero_ps()), b(_mm256_setzero_ps()) {}
    TwoRows(const float* first, const float* second) : a(_mm256_loadu_ps(first)), b(_mm256_loadu_ps(second)) {}
    void add(const TwoRows& o) { a = _mm256_add_ps(a, o.a), b = _mm256_add_ps(b, o.b); }
    void subtract(const TwoRows& o) { a = _mm256_sub_ps(a, o.a), b = _mm256_sub_ps(b, o.b); }
    void add_square(const TwoRows& o) { a = _mm256_fmadd_ps(o.a, o.a, a), b = _mm256_fmadd_ps(o.b, o.b, b); }
    void store_sum(float* p) const { _mm256_storeu_ps(p, _mm256_add_ps(a, b)); }
#endif
};

}  // namespace phlo::simd
