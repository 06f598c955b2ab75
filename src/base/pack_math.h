// exp, log, pow, sin, cos, tanh for packs: accurate to about one unit in the last place, the same on every CPU.
#pragma once
#include <cmath>
#include <limits>

#include "base/pack.h"

namespace phlo::simd {

namespace one_register {

template <class T>
Pack<T> raw_pack(typename Pack<T>::Raw raw) {
    Pack<T> a;
    a.v[0] = raw;
    return a;
}

/// 2^whole for whole numbers inside the range of normal numbers.
template <class T>
Pack<T> exp2_whole(typename Pack<T>::RawWhole whole) {
    using P = Pack<T>;
    constexpr typename P::Whole bias = sizeof(T) == 4 ? 127 : 1023, shift = sizeof(T) == 4 ? 23 : 52;
    return raw_pack<T>(typename P::Raw((whole + bias) << shift));
}

template <class T>
Pack<T> exp(Pack<T> x) {
    using P = Pack<T>;
    constexpr bool single = sizeof(T) == 4;
    // x = n ln 2 + r, |r| <= ln 2 / 2; adding and taking away 1.5 · 2^mantissa rounds to the nearest whole number and leaves n in the low
    // bits
    const P shifter(T(single ? 12582912.0 : 6755399441055744.0));
    const P low(T(single ? -87.3365 : -708.39)), high(T(single ? 88.3762 : 709.43));
    const P bounded = min(max(x, low), high);
    const P shifted = bounded * P(T(1.44269504088896340736)) + shifter;
    const P n = shifted - shifter;
    P r = bounded - n * P(T(single ? 0.693359375 : 0.693145751953125));
    r = r - n * P(T(single ? -2.12194440e-4 : 1.42860682030941723212e-6));
    P sum;
    if constexpr (single) {
        sum = P(T(1.0 / 5040));
        for (const double c : {1.0 / 720, 1.0 / 120, 1.0 / 24, 1.0 / 6, 0.5, 1.0, 1.0}) sum = sum * r + P(T(c));
    } else {
        sum = P(T(1.0 / 6227020800));
        for (const double c : {1.0 / 479001600, 1.0 / 39916800, 1.0 / 3628800, 1.0 / 362880, 1.0 / 40320, 1.0 / 5040, 1.0 / 720, 1.0 / 120,
                               1.0 / 24, 1.0 / 6, 0.5, 1.0, 1.0})
            sum = sum * r + P(T(c));
    }
    const auto whole = typename P::RawWhole(shifted.v[0]) - typename P::RawWhole(shifter.v[0]);
    P result = sum * exp2_whole<T>(whole);
    result = select(x < low, P(T(0)), result);
    result = select(x > high, P(std::numeric_limits<T>::infinity()), result);
    return select(x == x, result, x);
}

template <class T>
Pack<T> log(Pack<T> x) {
    using P = Pack<T>;
    using W = typename P::RawWhole;
    constexpr bool single = sizeof(T) == 4;
    constexpr typename P::Whole mantissa = single ? 23 : 52;
    const P smallest(std::numeric_limits<T>::min());
    // x = 2^e m with m in [1/√2, √2); log m = 2 atanh(s), s = (m − 1)/(m + 1)
    const typename P::Mask tiny = x < smallest;
    const P scale(T(single ? 16777216.0 : 18014398509481984.0));
    const P normal = select(tiny, x * scale, x);
    const P half_root(T(0.70710678118654752440));
    const W offset = W(normal.v[0]) - W(half_root.v[0]);
    const W e = offset >> mantissa;
    const P m = raw_pack<T>(typename P::Raw((offset & ((typename P::Whole(1) << mantissa) - 1)) + W(half_root.v[0])));
    const P s = (m - P(T(1))) / (m + P(T(1)));
    const P z = s * s;
    P sum;
    if constexpr (single) {
        sum = P(T(2.0 / 9));
        for (const double c : {2.0 / 7, 2.0 / 5, 2.0 / 3}) sum = sum * z + P(T(c));
    } else {
        sum = P(T(2.0 / 21));
        for (const double c : {2.0 / 19, 2.0 / 17, 2.0 / 15, 2.0 / 13, 2.0 / 11, 2.0 / 9, 2.0 / 7, 2.0 / 5, 2.0 / 3})
            sum = sum * z + P(T(c));
    }
    // whole number to floating point through the mantissa of 1.5 · 2^mantissa
    const P shifter(T(single ? 12582912.0 : 6755399441055744.0));
    P exponent = raw_pack<T>(typename P::Raw(e + W(shifter.v[0]))) - shifter;
    exponent = select(tiny, exponent - P(T(single ? 24 : 54)), exponent);
    const P r = s * z * sum + (s + s);
    P result = exponent * P(T(single ? 0.693359375 : 0.693145751953125)) +
               (exponent * P(T(single ? -2.12194440e-4 : 1.42860682030941723212e-6)) + r);
    result = select(x == P(T(0)), P(-std::numeric_limits<T>::infinity()), result);
    result = select(x < P(T(0)), P(std::numeric_limits<T>::quiet_NaN()), result);
    result = select(x == P(std::numeric_limits<T>::infinity()), x, result);
    return select(x == x, result, x);
}

/// sin(x + quarters π/2). Beyond the range in which x can be told modulo π/2 by three parts of it, lane by lane.
template <class T>
Pack<T> sin(Pack<T> x, int quarters) {
    using P = Pack<T>;
    using W = typename P::RawWhole;
    constexpr bool single = sizeof(T) == 4;
    const P most(T(single ? 8000.0 : 1e9));
    if (const typename P::Mask far = ~(abs(x) < most); any(far)) {
        P result;
        for (int l = 0; l < P::width; ++l) result.set(l, quarters == 0 ? std::sin(x[l]) : std::cos(x[l]));
        return result;
    }
    // x = n π/2 + r, |r| <= π/4
    const P shifter(T(single ? 12582912.0 : 6755399441055744.0));
    const P shifted = x * P(T(0.63661977236758134308)) + shifter;
    const P n = shifted - shifter;
    P r = x;
    for (const double part : {single ? 1.5703125 : 1.570796251296997, single ? 4.837512969970703125e-4 : 7.549789415861596e-8,
                              single ? 7.54978995489188216e-8 : 5.390302858158119e-15})
        r = r - n * P(T(part));
    const P z = r * r;
    P odd(T(single ? 1.0 / 362880 : 1.0 / 355687428096000)), even(T(single ? -1.0 / 3628800 : 1.0 / 20922789888000));
    if constexpr (single) {
        for (const double c : {-1.0 / 5040, 1.0 / 120, -1.0 / 6, 1.0}) odd = odd * z + P(T(c));
        for (const double c : {1.0 / 40320, -1.0 / 720, 1.0 / 24, -0.5, 1.0}) even = even * z + P(T(c));
    } else {
        for (const double c : {-1.0 / 1307674368000, 1.0 / 6227020800, -1.0 / 39916800, 1.0 / 362880, -1.0 / 5040, 1.0 / 120, -1.0 / 6, 1.0})
            odd = odd * z + P(T(c));
        for (const double c : {-1.0 / 87178291200, 1.0 / 479001600, -1.0 / 3628800, 1.0 / 40320, -1.0 / 720, 1.0 / 24, -0.5, 1.0})
            even = even * z + P(T(c));
    }
    const W turn = W(shifted.v[0]) - W(shifter.v[0]) + typename P::Whole(quarters);
    typename P::Mask is_even, is_negative;
    is_even.v[0] = (turn & 1) != 0, is_negative.v[0] = (turn & 2) != 0;
    const P size = select(is_even, even, odd * r);
    return select(is_negative, -size, size);
}

template <class T>
Pack<T> tanh(Pack<T> x) {
    using P = Pack<T>;
    const P size = abs(x);
    // Lambert's continued fraction to its ninth convergent, where 1 - 2 / (e^2x + 1) would cancel
    const P y = x * x;
    P above(T(1)), below(T(45));
    for (const double c : {990.0, 135135.0, 4729725.0, 34459425.0}) above = above * y + P(T(c));
    for (const double c : {13860.0, 945945.0, 16216200.0, 34459425.0}) below = below * y + P(T(c));
    const P grown = exp(min(size, P(T(40))) * P(T(2)));
    const P far = P(T(1)) - P(T(2)) / (grown + P(T(1)));
    const P result = select(size < P(T(0.6)), x * above / below, select(x < P(T(0)), -far, far));
    return select(x == x, result, x);
}

}  // namespace one_register

/// f of each register.
template <class T, int registers, class F>
Pack<T, registers> each_register(Pack<T, registers> x, F f) {
    for (int i = 0; i < registers; ++i) x.v[i] = f(one_register::raw_pack<T>(x.v[i])).v[0];
    return x;
}

/// e^x. Below the smallest normal number it is zero; above the largest it is infinite.
template <class T, int registers>
Pack<T, registers> exp(const Pack<T, registers>& x) {
    return each_register(x, [](Pack<T> a) { return one_register::exp(a); });
}
/// Natural logarithm; −infinity at 0, not a number below.
template <class T, int registers>
Pack<T, registers> log(const Pack<T, registers>& x) {
    return each_register(x, [](Pack<T> a) { return one_register::log(a); });
}
template <class T, int registers>
Pack<T, registers> sin(const Pack<T, registers>& x) {
    return each_register(x, [](Pack<T> a) { return one_register::sin(a, 0); });
}
template <class T, int registers>
Pack<T, registers> cos(const Pack<T, registers>& x) {
    return each_register(x, [](Pack<T> a) { return one_register::sin(a, 1); });
}
template <class T, int registers>
Pack<T, registers> tanh(const Pack<T, registers>& x) {
    return each_register(x, [](Pack<T> a) { return one_register::tanh(a); });
}
template <class T, int registers>
Pack<T, registers> sqrt(Pack<T, registers> x) {
    for (auto& v : x.v) v = Register<T>::root(v);
    return x;
}
/// x^y for x >= 0; 0^0 is 1.
template <class T, int registers>
Pack<T, registers> pow(const Pack<T, registers>& x, const Pack<T, registers>& y) {
    using P = Pack<T, registers>;
    return select(y == P(T(0)), P(T(1)), exp(y * log(x)));
}

}  // namespace phlo::simd
