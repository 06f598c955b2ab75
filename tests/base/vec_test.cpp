#include "base/vec.h"

#include <gtest/gtest.h>

namespace phlo {
namespace {

TEST(vec, cross_product_is_right_handed_and_orthogonal) {
    EXPECT_EQ(cross(Vec3d(1, 0, 0), Vec3d(0, 1, 0)), Vec3d(0, 0, 1));
    const Vec3d a(1, -2, 3), b(4, 5, -6), c = cross(a, b);
    EXPECT_EQ(dot(a, c), 0);
    EXPECT_EQ(dot(b, c), 0);
    EXPECT_NEAR(dot(c, c), dot(a, a) * dot(b, b) - dot(a, b) * dot(a, b), 1e-9);  // Lagrange's identity
}

TEST(vec, indexing_names_the_axes) {
    Vec3i v(7, 8, 9);
    EXPECT_EQ(v[0], v.x);
    EXPECT_EQ(v[1], v.y);
    EXPECT_EQ(v[2], v.z);
    v[2] = 1;
    EXPECT_EQ(v, Vec3i(7, 8, 1));
}

TEST(vec, normalized_has_length_one) { EXPECT_NEAR(length(normalized(Vec3d(3, -4, 12))), 1, 1e-15); }

}  // namespace
}  // namespace phlo
