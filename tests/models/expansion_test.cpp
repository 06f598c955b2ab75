#include "models/vortex_fire/expansion.h"

#include <gtest/gtest.h>

#include <cmath>

namespace phlo::models {
namespace {

constexpr int order = 4;

/// 4π u at `x`, by the definition, in double precision.
Vec3d exact(const Vec3d& x, const Vec3d& from, const Vec3d& gamma, double s2) {
    const Vec3d r = x - from;
    return cross(gamma, r) * ((dot(r, r) + 2.5 * s2) / std::pow(dot(r, r) + s2, 2.5));
}

/// Error of an expansion of a few vortons, at a target, where all are within about `scale` of their centres at distance 1.5.
double error(float scale, float sigma) {
    const Vec3f offsets[] = {{0.5f, -0.2f, 0.3f}, {-0.4f, 0.6f, 0.1f}, {0.2f, 0.1f, -0.7f}}, gammas[] = {{1, 0.3f, -0.2f}, {0.4f, -1, 0.5f}, {-0.3f, 0.8f, 1}};
    const Vec3f between(1.0f, 0.9f, -0.7f), target = Vec3f(0.3f, -0.5f, 0.4f) * scale, child = Vec3f(0.4f, 0.3f, -0.2f) * scale;
    Moments<order> of_child = {}, moments = {};
    Vec3d expected;
    for (int j = 0; j < 3; ++j) {
        add_source<order>(offsets[j] * scale - child, gammas[j], of_child);
        expected += exact(Vec3d(between + target), Vec3d(offsets[j] * scale), Vec3d(gammas[j]), double(sigma) * double(sigma));
    }
    add_moments<order>(child, of_child, moments);
    LocalPacks<order> local = {};
    translate<order>({between.x, between.y, between.z}, simd::first_lanes(2), simd::Float(sigma * sigma), moments, local);
    const LocalVelocity<order> u = curl_of<order>(potential_of_lane(local, 1));
    for (const Vec3f& empty : potential_of_lane(local, 2)) EXPECT_EQ(empty, Vec3f()) << "a lane that was not asked for";
    float weight[term_count(order - 1)];
    monomials<order - 1>(target.x, target.y, target.z, weight);
    Vec3d sum;
    for (std::size_t i = 0; i < u.size(); ++i) sum += Vec3d(u[i]) * double(weight[i]);
    return length(sum - expected);
}

TEST(expansion, the_velocity_is_of_fourth_order_in_the_size_of_node_and_group) {
    for (const float sigma : {0.01f, 0.6f}) {
        const double coarse = error(0.4f, sigma), middle = error(0.2f, sigma), fine = error(0.1f, sigma);
        EXPECT_GT(coarse / middle, 12) << sigma;
        EXPECT_GT(middle / fine, 12) << sigma;
        EXPECT_LT(fine, 1e-4) << sigma;
    }
}

TEST(expansion, powers_are_numbered_by_degree) {
    for (int i = 0; i < term_count(5); ++i) {
        EXPECT_EQ(index_of(powers<5>[std::size_t(i)]), i);
        EXPECT_LE(powers<5>[std::size_t(i > 0 ? i - 1 : 0)].degree(), powers<5>[std::size_t(i)].degree());
    }
    EXPECT_EQ(term_count(4), 35);
}

}  // namespace
}  // namespace phlo::models
