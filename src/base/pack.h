// One register of floats or doubles: code that is written once for both, and for every CPU.
//
//   using P = simd::Pack<double>;                       // 4 lanes with AVX2, 8 with AVX-512; Pack<float> has twice as many
//   P a = P::load(p), b = exp(a) * P(2.0);
//   b = select(a < P(0.0), P(0.0), b);
//   b.store(q);
//
// Every operation acts lane by lane: what one lane holds never changes the result of another. (simd.h has the float kernels' gathers
// and permutes; this is for arithmetic on many cells at once.)
#pragma once
#include <cstdint>
#include <cstring>

namespace phlo::simd {

#if defined(__AVX512F__) && defined(__AVX512DQ__) && defined(__AVX512VL__)
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
};
template <>
struct Register<double> {
    using Whole = std::int64_t;
    typedef double Raw __attribute__((vector_size(register_bytes)));
    typedef std::int64_t RawWhole __attribute__((vector_size(register_bytes)));
};

template <class T>
struct Pack {
    using Scalar = T;
    using Whole = typename Register<T>::Whole;
    using Raw = typename Register<T>::Raw;
    using RawWhole = typename Register<T>::RawWhole;
    static constexpr int width = register_bytes / int(sizeof(T));

    /// One truth value a lane: all bits set, or none.
    struct Mask {
        RawWhole v;
        friend Mask operator&(Mask a, Mask b) { return {a.v & b.v}; }
        friend Mask operator|(Mask a, Mask b) { return {a.v | b.v}; }
        friend Mask operator~(Mask a) { return {~a.v}; }
        bool operator[](int lane) const { return v[lane] != 0; }
        void set(int lane, bool on) { v[lane] = on ? Whole(-1) : Whole(0); }
        static Mask none() { return {RawWhole{}}; }
        static Mask every() { return {~RawWhole{}}; }
        friend bool any(Mask a) {
            Whole joined = 0;
            for (int l = 0; l < width; ++l) joined |= a.v[l];
            return joined != 0;
        }
    };

    Raw v;

    Pack() = default;
    explicit Pack(Raw raw) : v(raw) {}
    explicit Pack(T all) : v(Raw{} + all) {}

    static Pack load(const T* p) {
        Pack a;
        std::memcpy(&a.v, p, sizeof a.v);
        return a;
    }
    void store(T* p) const { std::memcpy(p, &v, sizeof v); }
    T operator[](int lane) const { return v[lane]; }
    void set(int lane, T value) { v[lane] = value; }

    friend Pack operator+(Pack a, Pack b) { return Pack(a.v + b.v); }
    friend Pack operator-(Pack a, Pack b) { return Pack(a.v - b.v); }
    friend Pack operator*(Pack a, Pack b) { return Pack(a.v * b.v); }
    friend Pack operator/(Pack a, Pack b) { return Pack(a.v / b.v); }
    friend Pack operator-(Pack a) { return Pack(-a.v); }
    Pack& operator+=(Pack b) { return v += b.v, *this; }
    Pack& operator-=(Pack b) { return v -= b.v, *this; }
    Pack& operator*=(Pack b) { return v *= b.v, *this; }

    friend Mask operator<(Pack a, Pack b) { return {a.v < b.v}; }
    friend Mask operator<=(Pack a, Pack b) { return {a.v <= b.v}; }
    friend Mask operator>(Pack a, Pack b) { return {a.v > b.v}; }
    friend Mask operator>=(Pack a, Pack b) { return {a.v >= b.v}; }
    friend Mask operator==(Pack a, Pack b) { return {a.v == b.v}; }
    friend Mask operator!=(Pack a, Pack b) { return {a.v != b.v}; }
    friend Pack select(Mask m, Pack a, Pack b) { return Pack(m.v ? a.v : b.v); }
    friend Pack min(Pack a, Pack b) { return Pack(a.v < b.v ? a.v : b.v); }
    friend Pack max(Pack a, Pack b) { return Pack(a.v > b.v ? a.v : b.v); }
    friend Pack abs(Pack a) { return Pack(Raw(RawWhole(a.v) & ~RawWhole(-Raw{}))); }
};

}  // namespace phlo::simd
