#include <gtest/gtest.h>

#include <cmath>

#include "base/pack_math.h"
#include "base/random.h"

namespace phlo::simd {
namespace {

template <class T>
class PackMath : public testing::Test {};
using Types = testing::Types<Pack<float>, Pack<double>, Pack<float, 2>, Pack<double, 3>>;
TYPED_TEST_SUITE(PackMath, Types);

TYPED_TEST(PackMath, exp_and_log_are_accurate_to_a_few_units_in_the_last_place) {
    using P = TypeParam;
    using T = typename P::Scalar;
    const double range = sizeof(T) == 4 ? 86 : 700, epsilon = std::numeric_limits<T>::epsilon();
    double worst_exp = 0, worst_log = 0;
    for (unsigned i = 0; i < 20000; ++i) {
        P x;
        for (int l = 0; l < P::width; ++l)
            x.set(l, T(range * (2 * double(uniform4({.seed = 3, .step = i, .stream = 0}, unsigned(l))[0]) - 1)));
        const P e = exp(x), back = log(e);
        for (int l = 0; l < P::width; ++l) {
            const double exact = std::exp(double(x[l])), exact_log = std::log(double(e[l]));
            worst_exp = std::max(worst_exp, std::abs(double(e[l]) - exact) / exact);
            worst_log = std::max(worst_log, std::abs(double(back[l]) - exact_log) / std::max(std::abs(exact_log), 1e-2));
        }
    }
    EXPECT_LT(worst_exp, 2 * epsilon);
    EXPECT_LT(worst_log, 3 * epsilon);
}

TYPED_TEST(PackMath, sin_cos_and_tanh_are_accurate_to_a_few_units_in_the_last_place) {
    using P = TypeParam;
    using T = typename P::Scalar;
    const double epsilon = std::numeric_limits<T>::epsilon();
    for (const double range : {0.1, 3.0, 300.0, 1e12}) {
        double worst_sin = 0, worst_cos = 0, worst_tanh = 0;
        for (unsigned i = 0; i < 5000; ++i) {
            P x;
            for (int l = 0; l < P::width; ++l)
                x.set(l, T(range * (2 * double(uniform4({.seed = 4, .step = i, .stream = 0}, unsigned(l))[0]) - 1)));
            const P s = sin(x), c = cos(x), t = tanh(x);
            for (int l = 0; l < P::width; ++l) {
                const double at = double(x[l]), exact = std::tanh(at);
                worst_sin = std::max(worst_sin, std::abs(double(s[l]) - std::sin(at)));
                worst_cos = std::max(worst_cos, std::abs(double(c[l]) - std::cos(at)));
                if (exact != 0) worst_tanh = std::max(worst_tanh, std::abs(double(t[l]) / exact - 1));
            }
        }
        EXPECT_LT(worst_sin, 2 * epsilon) << range;
        EXPECT_LT(worst_cos, 2 * epsilon) << range;
        EXPECT_LT(worst_tanh, 4 * epsilon) << range;
    }
    EXPECT_EQ(tanh(P(T(1e30)))[0], 1);
    EXPECT_EQ(tanh(P(T(-1e30)))[0], -1);
    EXPECT_TRUE(std::isnan(tanh(P(std::numeric_limits<T>::quiet_NaN()))[0]));
    EXPECT_TRUE(std::isnan(sin(P(std::numeric_limits<T>::infinity()))[0]));
}

TYPED_TEST(PackMath, limits_are_those_of_the_mathematics) {
    using P = TypeParam;
    using T = typename P::Scalar;
    EXPECT_EQ(exp(P(T(-2000)))[0], 0);
    EXPECT_TRUE(std::isinf(exp(P(T(2000)))[0]));
    EXPECT_TRUE(std::isnan(exp(P(std::numeric_limits<T>::quiet_NaN()))[0]));
    EXPECT_EQ(exp(P(T(0)))[0], 1);
    EXPECT_EQ(log(P(T(0)))[0], -std::numeric_limits<T>::infinity());
    EXPECT_TRUE(std::isnan(log(P(T(-1)))[0]));
    EXPECT_EQ(log(P(T(1)))[0], 0);
    EXPECT_EQ(pow(P(T(0)), P(T(0)))[0], 1);
    EXPECT_EQ(sqrt(P(T(9)))[P::width - 1], 3);
}

TYPED_TEST(PackMath, lanes_are_chosen_one_by_one) {
    using P = TypeParam;
    using T = typename P::Scalar;
    P x(T(1));
    x.set(P::width - 1, T(-5));
    EXPECT_EQ(bits(x < P(T(0))), std::uint64_t(1) << (P::width - 1));
    EXPECT_EQ(select(x < P(T(0)), abs(x), P(T(2)))[P::width - 1], 5);
    EXPECT_EQ(select(x < P(T(0)), abs(x), P(T(2)))[0], 2);
    EXPECT_EQ(min(x, P(T(0)))[0], 0);
    EXPECT_EQ(max(x, P(T(0)))[P::width - 1], 0);
}

}  // namespace
}  // namespace phlo::simd
