// Evaluates an Expression for a pack of cells: one loop over its operations, each on a whole register.
//
//   simd::Pack<float> inputs[3], scratch[64];
//   const auto k = expression.evaluate(inputs, scratch);
#pragma once
#include <cmath>

#include "base/pack_math.h"
#include "chem/expressions/expression.h"

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
    using R = simd::Pack<T>;  // register by register: a pack of several would travel through memory
    constexpr int lanes = P::width;
    // Loads of whole registers may look into packs as into arrays of numbers.
    const T* const places[] = {reinterpret_cast<const T*>(scratch), reinterpret_cast<const T*>(inputs), constants<T>()};
    T* result = reinterpret_cast<T*>(scratch);
    for (const Step& step : steps_) {
        const auto at = [&](const Operand& o) { return places[o.from] + std::ptrdiff_t(o.index) * (o.from == Operand::constant ? 64 : lanes); };
        const T *a = at(step.a), *b = at(step.b), *c = at(step.c);
        const auto each = [&](auto f) {
            for (int l = 0; l < lanes; l += R::width) f(R::load(a + l), l).store(result + l);
        };
        const auto one = [&](auto f) { each([&](R x, int) { return f(x); }); };
        const auto two = [&](auto f) { each([&](R x, int l) { return f(x, R::load(b + l)); }); };
        switch (step.op) {
            case Op::constant:
            case Op::input: one([](R x) { return x; }); break;
            case Op::add: two([](R x, R y) { return x + y; }); break;
            case Op::subtract: two([](R x, R y) { return x - y; }); break;
            case Op::multiply: two([](R x, R y) { return x * y; }); break;
            case Op::divide: two([](R x, R y) { return x / y; }); break;
            case Op::power: two([](R x, R y) { return power(x, y); }); break;
            case Op::negate: one([](R x) { return -x; }); break;
            case Op::exp: one([](R x) { return exp(x); }); break;
            case Op::log: one([](R x) { return log(x); }); break;
            case Op::sqrt: one([](R x) { return sqrt(x); }); break;
            case Op::abs: one([](R x) { return abs(x); }); break;
            case Op::min: two([](R x, R y) { return min(x, y); }); break;
            case Op::max: two([](R x, R y) { return max(x, y); }); break;
            case Op::sin: one([](R x) { return sin(x); }); break;
            case Op::cos: one([](R x) { return cos(x); }); break;
            case Op::tanh: one([](R x) { return tanh(x); }); break;
            case Op::less: two([](R x, R y) { return truth<R>(x < y); }); break;
            case Op::less_equal: two([](R x, R y) { return truth<R>(x <= y); }); break;
            case Op::equal: two([](R x, R y) { return truth<R>(x == y); }); break;
            case Op::logical_and: two([](R x, R y) { return truth<R>(is_true(x) & is_true(y)); }); break;
            case Op::logical_or: two([](R x, R y) { return truth<R>(is_true(x) | is_true(y)); }); break;
            case Op::logical_not: one([](R x) { return truth<R>(x == R(T(0))); }); break;
            case Op::select: each([&](R x, int l) { return select(is_true(x), R::load(b + l), R::load(c + l)); }); break;
        }
        result += lanes;
    }
    return steps_.empty() ? P(T(0)) : scratch[steps_.size() - 1];
}

}  // namespace phlo::chem
