// Evaluates an Expression for a pack of cells: one loop over its operations, each on a whole register.
//
//   simd::Pack<float> inputs[3], scratch[64];
//   const auto k = expression.evaluate(inputs, scratch);
#pragma once
#include <cmath>

#include "base/pack_math.h"
#include "chem/expression.h"

namespace phlo::chem {
namespace pack_expression {

template <class P, class F>
P lane_by_lane(P x, F f) {
    P result;
    for (int l = 0; l < P::width; ++l) result.set(l, f(x[l]));
    return result;
}

template <class P>
P truth(typename P::Mask mask) {
    using T = typename P::Scalar;
    return select(mask, P(T(1)), P(T(0)));
}

template <class P>
typename P::Mask is_true(P x) {
    return x != P(typename P::Scalar(0));
}

/// x^y as std::pow has it: a negative base has powers with whole exponents.
template <class P>
P power(P x, P y) {
    using T = typename P::Scalar;
    const P size = pow(abs(x), y);
    const typename P::Mask negative = x < P(T(0));
    if (!any(negative)) return size;
    const P half = y * P(T(0.5));
    const auto floor_of = [](T v) { return std::floor(v); };
    const typename P::Mask whole = lane_by_lane(y, floor_of) == y, even = lane_by_lane(half, floor_of) == half;
    const P signed_size = select(even, size, select(whole, -size, P(std::numeric_limits<T>::quiet_NaN())));
    return select(negative, signed_size, size);
}

}  // namespace pack_expression

template <class P>
P Expression::evaluate(const P* inputs, P* scratch) const {
    using namespace pack_expression;
    using T = typename P::Scalar;
    P* value = scratch;
    for (const Instruction& i : code_) {
        switch (i.op) {
            case Op::constant: *value = P(T(i.constant)); break;
            case Op::input: *value = inputs[i.a]; break;
            case Op::add: *value = scratch[i.a] + scratch[i.b]; break;
            case Op::subtract: *value = scratch[i.a] - scratch[i.b]; break;
            case Op::multiply: *value = scratch[i.a] * scratch[i.b]; break;
            case Op::divide: *value = scratch[i.a] / scratch[i.b]; break;
            case Op::power: *value = power(scratch[i.a], scratch[i.b]); break;
            case Op::negate: *value = -scratch[i.a]; break;
            case Op::exp: *value = exp(scratch[i.a]); break;
            case Op::log: *value = log(scratch[i.a]); break;
            case Op::sqrt: *value = sqrt(scratch[i.a]); break;
            case Op::abs: *value = abs(scratch[i.a]); break;
            case Op::min: *value = min(scratch[i.a], scratch[i.b]); break;
            case Op::max: *value = max(scratch[i.a], scratch[i.b]); break;
            case Op::sin: *value = lane_by_lane(scratch[i.a], [](T x) { return std::sin(x); }); break;
            case Op::cos: *value = lane_by_lane(scratch[i.a], [](T x) { return std::cos(x); }); break;
            case Op::tanh: *value = lane_by_lane(scratch[i.a], [](T x) { return std::tanh(x); }); break;
            case Op::less: *value = truth<P>(scratch[i.a] < scratch[i.b]); break;
            case Op::less_equal: *value = truth<P>(scratch[i.a] <= scratch[i.b]); break;
            case Op::equal: *value = truth<P>(scratch[i.a] == scratch[i.b]); break;
            case Op::logical_and: *value = truth<P>(is_true(scratch[i.a]) & is_true(scratch[i.b])); break;
            case Op::logical_or: *value = truth<P>(is_true(scratch[i.a]) | is_true(scratch[i.b])); break;
            case Op::logical_not: *value = truth<P>(scratch[i.a] == P(T(0))); break;
            case Op::select: *value = select(is_true(scratch[i.a]), scratch[i.b], scratch[i.c]); break;
        }
        ++value;
    }
    return code_.empty() ? P(T(0)) : value[-1];
}

}  // namespace phlo::chem
