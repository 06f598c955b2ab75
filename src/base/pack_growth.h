// expm1 and log1p for packs: what exp(x) - 1 and log(1 + x) mean when x is small, where those would lose every digit.
//
//   simd::Pack<float> decayed = amount * -expm1(-rate * dt);          // right for dt = 1e-9 s as for dt = 1 h
//   simd::Pack<float> time = -log1p(-share) / rate;                   // and back
//
// Accurate to a few units in the last place.
#pragma once
#include "base/pack_math.h"

namespace phlo::simd {

/// e^x - 1.
template <class T, int registers>
Pack<T, registers> expm1(const Pack<T, registers>& x) {
    using P = Pack<T, registers>;
    // x (1 + x/2 (1 + x/3 (1 + ...))) while it is small; beyond, little is lost by taking away 1
    P sum(T(1));
    for (int n = sizeof(T) == 4 ? 9 : 17; n > 1; --n) sum = sum * x * P(T(1.0 / n)) + P(T(1));
    return select(abs(x) < P(T(0.5)), x * sum, exp(x) - P(T(1)));
}

/// log(1 + x); -infinity at -1.
template <class T, int registers>
Pack<T, registers> log1p(const Pack<T, registers>& x) {
    using P = Pack<T, registers>;
    // 1 + x is rounded; log(1 + x) / x hardly changes over that, so the quotient at the rounded place times the true x is right [goldberg1991]
    const P rounded = x + P(T(1)), gone = rounded - P(T(1));
    const P result = log(rounded) * (x / gone);
    return select((gone == P(T(0))) | (gone == P(std::numeric_limits<T>::infinity())), x, result);
}

}  // namespace phlo::simd
