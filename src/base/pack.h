// A few registers of floats or doubles: code that is written once for both, and for every CPU.
//
//   using P = simd::Pack<double>;                       // 4 lanes with AVX2, 8 with AVX-512; Pack<float> has twice as many
//   using Wide = simd::Pack<double, 4>;                 // four registers of them: more work in flight, fewer turns of the loop
//   P a = P::load(p), b = exp(a) * P(2.0);
//   b = select(a < P(0.0), P(0.0), b);
//   b.store(q);
//
// Every operation acts lane by lane: what one lane holds never changes the result of another. (simd.h has the float kernels' gathers
// and permutes; this is for arithmetic on many cells at once.)
#pragma once
#include <immintrin.h>

#include <cstdint>
#include <cstring>

#include "base/each_cpu.h"

namespace phlo::simd {

#if PHLO_SIMD_512
inline constexpr int register_bytes = 64;
#else
inline constexpr int register_bytes = 32;
#endif

/// The registers behind a pack, and whole numbers of the same size.
template <class T>
struct Register;
template <>
struct Register<float> {
    using Whole = std::int32_t;
    typedef float Raw __attribute__((vector_size(register_bytes)));
    typedef std::int32_t RawWhole __attribute__((vector_size(register_bytes)));
#if PHLO_SIMD_512
    static std::uint64_t bits(RawWhole m) { return _mm512_movepi32_mask(reinterpret_cast<__m512i>(m)); }
    static Raw root(Raw x) { return _mm512_maskz_sqrt_ps(0xffff, x); }
#else
    static std::uint64_t bits(RawWhole m) { return unsigned(_mm256_movemask_ps(reinterpret_cast<__m256>(m))); }
    static Raw root(Raw x) { return _mm256_sqrt_ps(x); }
#endif
};
template <>
struct Register<double> {
    using Whole = std::int64_t;
    typedef double Raw __attribute__((vector_size(register_bytes)));
    typedef std::int64_t RawWhole __attribute__((vector_size(register_bytes)));
#if PHLO_SIMD_512
    static std::uint64_t bits(RawWhole m) { return _mm512_movepi64_mask(reinterpret_cast<__m512i>(m)); }
    static Raw root(Raw x) { return _mm512_maskz_sqrt_pd(0xff, x); }
#else
    static std::uint64_t bits(RawWhole m) { return unsigned(_mm256_movemask_pd(reinterpret_cast<__m256d>(m))); }
    static Raw root(Raw x) { return _mm256_sqrt_pd(x); }
#endif
};

template <class T, int registers = 1>
struct Pack {
    using Scalar = T;
    using Whole = typename Register<T>::Whole;
    using Raw = typename Register<T>::Raw;
    using RawWhole = typename Register<T>::RawWhole;
    static constexpr int register_width = register_bytes / int(sizeof(T));
    static constexpr int width = registers * register_width;
    static_assert(width <= 64, "lanes are counted in the bits of a 64-bit word");

    /// One truth value a lane: all bits set, or none.
    struct Mask {
        RawWhole v[registers];
        friend Mask operator&(Mask a, Mask b) {
            for (int i = 0; i < registers; ++i) a.v[i] &= b.v[i];
            return a;
        }
        friend Mask operator|(Mask a, Mask b) {
            for (int i = 0; i < registers; ++i) a.v[i] |= b.v[i];
            return a;
        }
        friend Mask operator~(Mask a) {
            for (int i = 0; i < registers; ++i) a.v[i] = ~a.v[i];
            return a;
        }
        /// Bit l is lane l.
        friend std::uint64_t bits(Mask a) {
            std::uint64_t joined = 0;
            for (int i = 0; i < registers; ++i) joined |= Register<T>::bits(a.v[i]) << (i * register_width);
            return joined;
        }
        friend bool any(Mask a) { return bits(a) != 0; }
        void set(int lane, bool on) {
            const Whole value = on ? Whole(-1) : Whole(0);
            std::memcpy(reinterpret_cast<char*>(v) + lane * sizeof(T), &value, sizeof value);
        }
        static Mask none() { return {}; }
        static Mask every() { return ~Mask{}; }
    };

    Raw v[registers];

    Pack() = default;
    explicit Pack(T all) {
        for (int i = 0; i < registers; ++i) v[i] = Raw{} + all;
    }

    static Pack load(const T* p) {
        Pack a;
        std::memcpy(a.v, p, sizeof a.v);
        return a;
    }
    void store(T* p) const { std::memcpy(p, v, sizeof v); }
    T operator[](int lane) const {
        T value;
        std::memcpy(&value, reinterpret_cast<const char*>(v) + lane * sizeof(T), sizeof value);
        return value;
    }
    void set(int lane, T value) { std::memcpy(reinterpret_cast<char*>(v) + lane * sizeof(T), &value, sizeof value); }

    Pack& operator+=(const Pack& b) {
        for (int i = 0; i < registers; ++i) v[i] += b.v[i];
        return *this;
    }
    Pack& operator-=(const Pack& b) {
        for (int i = 0; i < registers; ++i) v[i] -= b.v[i];
        return *this;
    }
    Pack& operator*=(const Pack& b) {
        for (int i = 0; i < registers; ++i) v[i] *= b.v[i];
        return *this;
    }
    Pack& operator/=(const Pack& b) {
        for (int i = 0; i < registers; ++i) v[i] /= b.v[i];
        return *this;
    }
    friend Pack operator+(Pack a, const Pack& b) { return a += b; }
    friend Pack operator-(Pack a, const Pack& b) { return a -= b; }
    friend Pack operator*(Pack a, const Pack& b) { return a *= b; }
    friend Pack operator/(Pack a, const Pack& b) { return a /= b; }
    friend Pack operator-(Pack a) {
        for (int i = 0; i < registers; ++i) a.v[i] = -a.v[i];
        return a;
    }

    template <class Test>
    static Mask compare(const Pack& a, const Pack& b, Test test) {
        Mask m;
        for (int i = 0; i < registers; ++i) m.v[i] = test(a.v[i], b.v[i]);
        return m;
    }
    friend Mask operator<(const Pack& a, const Pack& b) {
        return compare(a, b, [](Raw x, Raw y) { return x < y; });
    }
    friend Mask operator<=(const Pack& a, const Pack& b) {
        return compare(a, b, [](Raw x, Raw y) { return x <= y; });
    }
    friend Mask operator>(const Pack& a, const Pack& b) {
        return compare(a, b, [](Raw x, Raw y) { return x > y; });
    }
    friend Mask operator>=(const Pack& a, const Pack& b) {
        return compare(a, b, [](Raw x, Raw y) { return x >= y; });
    }
    friend Mask operator==(const Pack& a, const Pack& b) {
        return compare(a, b, [](Raw x, Raw y) { return x == y; });
    }
    friend Mask operator!=(const Pack& a, const Pack& b) {
        return compare(a, b, [](Raw x, Raw y) { return x != y; });
    }

    friend Pack select(const Mask& m, Pack a, const Pack& b) {
        for (int i = 0; i < registers; ++i) a.v[i] = m.v[i] ? a.v[i] : b.v[i];
        return a;
    }
    friend Pack min(Pack a, const Pack& b) {
        for (int i = 0; i < registers; ++i) a.v[i] = a.v[i] < b.v[i] ? a.v[i] : b.v[i];
        return a;
    }
    friend Pack max(Pack a, const Pack& b) {
        for (int i = 0; i < registers; ++i) a.v[i] = a.v[i] > b.v[i] ? a.v[i] : b.v[i];
        return a;
    }
    friend Pack abs(Pack a) {
        for (int i = 0; i < registers; ++i) a.v[i] = Raw(RawWhole(a.v[i]) & ~RawWhole(-Raw{}));
        return a;
    }
};

}  // namespace phlo::simd
