// Eight floats at a time, wherever they lie. Rows of the solver are a few of these long, so that a loop over one must cost nothing but
// its turns: no code for remainders, no sum across lanes at its end.
//
//   each_eight(0, n, [=](std::ptrdiff_t c) { store(out + c, load(a + c) + 0.5f * load(b + c)); });   // n is a multiple of eight
#pragma once
#include <cstddef>

#if defined(__AVX__)
#include <immintrin.h>
#endif

namespace phlo::numerics {

using Eight = float __attribute__((vector_size(32)));

[[gnu::always_inline]] inline Eight load(const float* p) {
    Eight v;
    __builtin_memcpy(&v, p, sizeof v);
    return v;
}
[[gnu::always_inline]] inline void store(float* p, const Eight& v) { __builtin_memcpy(p, &v, sizeof v); }

/// A store that goes past the caches: for results that would be evicted before they are read again. p is 32-byte aligned. Other threads may
/// read them after end_streams().
[[gnu::always_inline]] inline void stream(float* p, const Eight& v) {
#if defined(__AVX__)
    _mm256_stream_ps(p, __m256(v));
#else
    store(p, v);
#endif
}
inline void end_streams() {
#if defined(__AVX__)
    _mm_sfence();
#endif
}

/// body(c) for c = begin, begin + 8, … below `end`.
template <class Body>
[[gnu::always_inline]] inline void each_eight(std::ptrdiff_t begin, std::ptrdiff_t end, const Body& body) {
    for (std::ptrdiff_t c = begin; c < end; c += 8) body(c);
}

/// Eight sums that go on in double precision.
class LongSum {
public:
    [[gnu::always_inline]] void add(const Eight& v) {
        low_ += __builtin_convertvector(__builtin_shufflevector(v, v, 0, 1, 2, 3), Four);
        high_ += __builtin_convertvector(__builtin_shufflevector(v, v, 4, 5, 6, 7), Four);
    }
    double total() const {
        const Four four = low_ + high_;
        return (four[0] + four[1]) + (four[2] + four[3]);
    }

private:
    using Four = double __attribute__((vector_size(32)));
    Four low_{}, high_{};
};

}  // namespace phlo::numerics
