#include "base/pack_growth.h"

#include <gtest/gtest.h>

#include <cmath>

namespace phlo::simd {
namespace {

template <class T>
class PackGrowth : public testing::Test {};
using Types = testing::Types<Pack<float>, Pack<double, 2>>;
TYPED_TEST_SUITE(PackGrowth, Types);

TYPED_TEST(PackGrowth, expm1_and_log1p_keep_their_digits_for_small_and_large_numbers) {
    using P = TypeParam;
    using T = typename P::Scalar;
    const double epsilon = std::numeric_limits<T>::epsilon();
    for (double size = 1e-30; size < 80; size *= 1.37)
        for (const double sign : {-1.0, 1.0}) {
            const P x(T(sign * size));
            const double grown = std::expm1(double(x[0]));
            EXPECT_NEAR(double(expm1(x)[0]), grown, 5 * epsilon * std::abs(grown)) << x[0];
            if (double(x[0]) <= -1) continue;
            const double logarithm = std::log1p(double(x[0]));
            EXPECT_NEAR(double(log1p(x)[0]), logarithm, 6 * epsilon * std::abs(logarithm)) << x[0];
        }
}

TYPED_TEST(PackGrowth, limits_are_what_mathematics_says) {
    using P = TypeParam;
    using T = typename P::Scalar;
    const T infinity = std::numeric_limits<T>::infinity();
    EXPECT_EQ(expm1(P(T(0)))[0], T(0));
    EXPECT_EQ(log1p(P(T(0)))[0], T(0));
    EXPECT_EQ(expm1(P(T(-1000)))[0], T(-1));
    EXPECT_EQ(log1p(P(T(-1)))[0], -infinity);
    EXPECT_EQ(log1p(P(infinity))[0], infinity);
}

}  // namespace
}  // namespace phlo::simd
