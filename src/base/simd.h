// Packs of floats: one hardware register, 16 lanes with AVX-512 and 8 with AVX2. Code written with them reads like scalar code.
//
//   using namespace phlo;
//   for (int i = 0; i < n; i += simd::width) {
//       const simd::Float a = simd::load(p + i);
//       simd::store(q + i, simd::select(a < 0.0f, -a, fma(a, a, 1.0f)));
//   }
//
// Every operation acts lane by lane and rounds as the scalar one does: alone, it gives the same numbers at both widths.
#pragma once
#include <immintrin.h>

#include "base/each_cpu.h"

/// For the small functions of a kernel: a call would pass every pack through memory. Sanitizers put a check at every access; inlined
/// everywhere, those would take minutes to compile.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define PHLO_INLINE inline
#else
#define PHLO_INLINE [[gnu::always_inline]] inline
#endif

namespace phlo::simd {

#if PHLO_SIMD_512
inline constexpr int width = 16;
using RawFloat = __m512;
using RawInt = __m512i;
using RawMask = __mmask16;
#else
inline constexpr int width = 8;
using RawFloat = __m256;
using RawInt = __m256i;
using RawMask = __m256i;  // all bits of a lane set, or none
#endif
#if PHLO_SIMD_512
#define PHLO_SIMD(op512, op256) op512
#else
#define PHLO_SIMD(op512, op256) op256
#endif

struct Float {
    RawFloat v;
    Float() = default;
    Float(RawFloat raw) : v(raw) {}
    Float(float all) : v(PHLO_SIMD(_mm512_set1_ps, _mm256_set1_ps)(all)) {}
};

/// A point or a vector a lane.
struct Float3 {
    Float x, y, z;
};

struct Int {
    RawInt v;
    Int() = default;
    Int(RawInt raw) : v(raw) {}
    Int(int all) : v(PHLO_SIMD(_mm512_set1_epi32, _mm256_set1_epi32)(all)) {}
};

/// One truth value a lane.
struct Mask {
    RawMask v;
    Mask() = default;
    Mask(RawMask raw) : v(raw) {}
};

#if PHLO_SIMD_512
// The zero-masking forms, with every lane on: GCC 12 warns about its own undefined register inside the plain ones (PR 105593).
inline constexpr __mmask16 every = 0xffff;
#endif

// ---- memory ---------------------------------------------------------------------------------------------------------
inline Float load(const float* p) { return PHLO_SIMD(_mm512_loadu_ps, _mm256_loadu_ps)(p); }
inline void store(float* p, Float a) { PHLO_SIMD(_mm512_storeu_ps, _mm256_storeu_ps)(p, a.v); }
inline void store(int* p, Int a) {
    PHLO_SIMD(_mm512_storeu_si512, _mm256_storeu_si256)(reinterpret_cast<PHLO_SIMD(void, __m256i)*>(p), a.v);
}
/// 0, 1, 2, ... width - 1.
inline Int lane_index() {
    return PHLO_SIMD(_mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15), _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
}
inline Float gather(const float* p, Int index) {
    return PHLO_SIMD(_mm512_mask_i32gather_ps(_mm512_setzero_ps(), every, index.v, p, 4), _mm256_i32gather_ps(p, index.v, 4));
}

// ---- arithmetic -----------------------------------------------------------------------------------------------------
inline Float operator+(Float a, Float b) { return PHLO_SIMD(_mm512_add_ps, _mm256_add_ps)(a.v, b.v); }
inline Float operator-(Float a, Float b) { return PHLO_SIMD(_mm512_sub_ps, _mm256_sub_ps)(a.v, b.v); }
inline Float operator*(Float a, Float b) { return PHLO_SIMD(_mm512_mul_ps, _mm256_mul_ps)(a.v, b.v); }
inline Float operator/(Float a, Float b) { return PHLO_SIMD(_mm512_div_ps, _mm256_div_ps)(a.v, b.v); }
inline Float operator-(Float a) { return PHLO_SIMD(_mm512_maskz_xor_ps(every, a.v, Float(-0.0f).v), _mm256_xor_ps(a.v, Float(-0.0f).v)); }
inline Float& operator+=(Float& a, Float b) { return a = a + b; }
/// a b + c, rounded once.
inline Float fma(Float a, Float b, Float c) { return PHLO_SIMD(_mm512_fmadd_ps, _mm256_fmadd_ps)(a.v, b.v, c.v); }
/// min and max give b where a is not a number: max(min(a, high), low) is safe to index with.
inline Float min(Float a, Float b) { return PHLO_SIMD(_mm512_maskz_min_ps(every, a.v, b.v), _mm256_min_ps(a.v, b.v)); }
inline Float max(Float a, Float b) { return PHLO_SIMD(_mm512_maskz_max_ps(every, a.v, b.v), _mm256_max_ps(a.v, b.v)); }
inline Float clamp(Float a, Float low, Float high) { return min(max(a, low), high); }
inline Float abs(Float a) { return PHLO_SIMD(_mm512_maskz_andnot_ps(every, Float(-0.0f).v, a.v), _mm256_andnot_ps(Float(-0.0f).v, a.v)); }
inline Float sqrt(Float a) { return PHLO_SIMD(_mm512_maskz_sqrt_ps(every, a.v), _mm256_sqrt_ps(a.v)); }
inline Float floor(Float a) {
    constexpr int down = _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC;
    return PHLO_SIMD(_mm512_maskz_roundscale_ps(every, a.v, down), _mm256_round_ps(a.v, down));
}
/// To the nearest whole number, halves to even.
inline Float round(Float a) {
    constexpr int nearest = _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC;
    return PHLO_SIMD(_mm512_maskz_roundscale_ps(every, a.v, nearest), _mm256_round_ps(a.v, nearest));
}
inline Int to_int(Float a) { return PHLO_SIMD(_mm512_maskz_cvttps_epi32(every, a.v), _mm256_cvttps_epi32(a.v)); }
inline Float to_float(Int a) { return PHLO_SIMD(_mm512_maskz_cvtepi32_ps(every, a.v), _mm256_cvtepi32_ps(a.v)); }
inline Int operator+(Int a, Int b) { return PHLO_SIMD(_mm512_add_epi32, _mm256_add_epi32)(a.v, b.v); }
inline Int operator-(Int a, Int b) { return PHLO_SIMD(_mm512_sub_epi32, _mm256_sub_epi32)(a.v, b.v); }
inline Int operator*(Int a, Int b) { return PHLO_SIMD(_mm512_mullo_epi32, _mm256_mullo_epi32)(a.v, b.v); }

// ---- comparison and choice ------------------------------------------------------------------------------------------
#if PHLO_SIMD_512
inline Mask operator<(Float a, Float b) { return _mm512_cmp_ps_mask(a.v, b.v, _CMP_LT_OQ); }
inline Mask operator<=(Float a, Float b) { return _mm512_cmp_ps_mask(a.v, b.v, _CMP_LE_OQ); }
inline Mask operator==(Float a, Float b) { return _mm512_cmp_ps_mask(a.v, b.v, _CMP_EQ_OQ); }
inline Mask operator==(Int a, Int b) { return _mm512_cmpeq_epi32_mask(a.v, b.v); }
inline Mask operator>(Int a, Int b) { return _mm512_cmpgt_epi32_mask(a.v, b.v); }
inline Mask operator&(Mask a, Mask b) { return RawMask(a.v & b.v); }
inline Mask operator|(Mask a, Mask b) { return RawMask(a.v | b.v); }
inline Mask operator~(Mask a) { return RawMask(~a.v); }
inline Mask all_lanes() { return RawMask(0xffff); }
inline Mask no_lanes() { return RawMask(0); }
/// Bit l is lane l.
inline unsigned bits(Mask a) { return a.v; }
inline Float select(Mask m, Float a, Float b) { return _mm512_mask_mov_ps(b.v, m.v, a.v); }
inline Int select(Mask m, Int a, Int b) { return _mm512_mask_mov_epi32(b.v, m.v, a.v); }
inline void store(float* p, Float a, Mask m) { _mm512_mask_storeu_ps(p, m.v, a.v); }
#else
inline Mask operator<(Float a, Float b) { return _mm256_castps_si256(_mm256_cmp_ps(a.v, b.v, _CMP_LT_OQ)); }
inline Mask operator<=(Float a, Float b) { return _mm256_castps_si256(_mm256_cmp_ps(a.v, b.v, _CMP_LE_OQ)); }
inline Mask operator==(Float a, Float b) { return _mm256_castps_si256(_mm256_cmp_ps(a.v, b.v, _CMP_EQ_OQ)); }
inline Mask operator==(Int a, Int b) { return _mm256_cmpeq_epi32(a.v, b.v); }
inline Mask operator>(Int a, Int b) { return _mm256_cmpgt_epi32(a.v, b.v); }
inline Mask operator&(Mask a, Mask b) { return _mm256_and_si256(a.v, b.v); }
inline Mask operator|(Mask a, Mask b) { return _mm256_or_si256(a.v, b.v); }
inline Mask operator~(Mask a) { return _mm256_xor_si256(a.v, _mm256_set1_epi32(-1)); }
inline Mask all_lanes() { return _mm256_set1_epi32(-1); }
inline Mask no_lanes() { return _mm256_setzero_si256(); }
inline unsigned bits(Mask a) { return unsigned(_mm256_movemask_ps(_mm256_castsi256_ps(a.v))); }
inline Float select(Mask m, Float a, Float b) { return _mm256_blendv_ps(b.v, a.v, _mm256_castsi256_ps(m.v)); }
inline Int select(Mask m, Int a, Int b) { return _mm256_blendv_epi8(b.v, a.v, m.v); }
inline void store(float* p, Float a, Mask m) { _mm256_maskstore_ps(p, m.v, a.v); }
#endif
inline Mask operator>(Float a, Float b) { return b < a; }
inline Mask operator>=(Float a, Float b) { return b <= a; }
inline bool any(Mask a) { return bits(a) != 0; }
inline bool all(Mask a) { return bits(a) == (1u << width) - 1; }
/// The first `count` lanes.
inline Mask first_lanes(int count) { return Int(count) > lane_index(); }

// ---- over the lanes -------------------------------------------------------------------------------------------------
#if PHLO_SIMD_512
/// Without an instruction; _mm512_castps512_ps128 is not without GCC 12's warning.
inline __m128 first_four(Float a) { return __builtin_shufflevector(a.v, a.v, 0, 1, 2, 3); }
inline int first_of(Int a) { return _mm_cvtsi128_si32(_mm512_maskz_extracti32x4_epi32(0xf, a.v, 0)); }
inline int last_of(Int a) { return _mm_extract_epi32(_mm512_maskz_extracti32x4_epi32(0xf, a.v, 3), 3); }
/// The first lane's value in every lane.
inline Int spread_first(Int a) { return _mm512_maskz_broadcastd_epi32(every, _mm512_maskz_extracti32x4_epi32(0xf, a.v, 0)); }
#else
inline int first_of(Int a) { return _mm_cvtsi128_si32(_mm256_castsi256_si128(a.v)); }
inline int last_of(Int a) { return _mm_extract_epi32(_mm256_extracti128_si256(a.v, 1), 3); }
/// The first lane's value in every lane.
inline Int spread_first(Int a) { return _mm256_broadcastd_epi32(_mm256_castsi256_si128(a.v)); }
#endif
inline float hmax(Float a) {
    alignas(64) float lanes[width];
    store(lanes, a);
    float most = lanes[0];
    for (const float lane : lanes) most = most < lane ? lane : most;
    return most;
}

}  // namespace phlo::simd
