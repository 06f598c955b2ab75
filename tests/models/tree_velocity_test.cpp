#include "models/vortex_fire/tree_velocity.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <numbers>
#include <vector>

#include "base/error.h"
#include "base/parallel.h"
#include "base/random.h"

namespace phlo::models {
namespace {

struct Cloud {
    std::vector<Vec3f> position, strength;
    double core_radius = 0.02;
    VortonView view() const { return {position, strength, core_radius}; }
};

/// A plume that widens upwards and turns around its axis, with noise.
Cloud plume(int count, const Vec3f& shift = {}) {
    Cloud cloud;
    const auto normal = [](float u, float v) { return std::sqrt(-2 * std::log(u + 1e-7f)) * std::cos(2 * std::numbers::pi_v<float> * v); };
    for (std::uint32_t i = 0; i < std::uint32_t(count); ++i) {
        const auto u = uniform4({.seed = 5}, i), v = uniform4({.seed = 5}, i, 1), w = uniform4({.seed = 5}, i, 2);
        const float height = std::min(-0.4f * std::log(u[0] + 1e-4f), 2.0f), width = 0.12f * (0.6f + 1.2f * height);
        const Vec3f p(width * normal(u[1], u[2]), width * normal(u[3], v[0]), height);
        cloud.position.push_back(p + shift);
        cloud.strength.push_back(Vec3f(normal(v[1], v[2]) - 8 * p.y, normal(v[3], w[0]) + 8 * p.x, normal(w[1], w[2])) * (1.0f / float(count)));
    }
    cloud.core_radius = 0.5 / std::cbrt(count);
    return cloud;
}

struct Induced {
    Vec3d u, gradient[3];
};

/// By the definition, in double precision: u = Σ Γ × r (r² + 5/2 σ²) / (r² + σ²)^(5/2) / 4π and its derivatives by hand.
Induced reference(const Cloud& cloud, const Vec3d& x) {
    Induced sum;
    for (std::size_t j = 0; j < cloud.position.size(); ++j) {
        const Vec3d r = x - Vec3d(cloud.position[j]), gamma(cloud.strength[j]), c = cross(gamma, r);
        const double s2 = cloud.core_radius * cloud.core_radius, r2 = dot(r, r), q = r2 + s2;
        const double f = (r2 + 2.5 * s2) / std::pow(q, 2.5), slope = 2 / std::pow(q, 2.5) - 5 * (r2 + 2.5 * s2) / std::pow(q, 3.5);   // f'/r
        sum.u += c * (f / (4 * std::numbers::pi));
        for (int j2 = 0; j2 < 3; ++j2) {
            Vec3d axis;
            axis[j2] = 1;
            const Vec3d column = (c * (slope * r[j2]) + cross(gamma, axis) * f) * (1 / (4 * std::numbers::pi));
            for (int i = 0; i < 3; ++i) sum.gradient[i][j2] += column[i];
        }
    }
    return sum;
}

struct Errors {
    double rms = 0, most = 0, gradient_rms = 0, speed = 0;
};

/// Relative to the root mean square of the reference, at every `stride`-th place.
Errors compare(const Cloud& cloud, const std::vector<Vec3f>& places, const std::vector<Vec3f>& u, const std::vector<VelocityGradient>& gradient, std::size_t stride) {
    double error = 0, size = 0, most = 0, gradient_error = 0, gradient_size = 0, count = 0;
    for (std::size_t i = 0; i < places.size(); i += stride) {
        const Induced exact = reference(cloud, Vec3d(places[i]));
        const Vec3d d = Vec3d(u[i]) - exact.u;
        error += dot(d, d), size += dot(exact.u, exact.u), most = std::max(most, dot(d, d)), ++count;
        if (gradient.empty()) continue;
        const Vec3f rows[] = {gradient[i].x, gradient[i].y, gradient[i].z};
        for (int c = 0; c < 3; ++c) {
            const Vec3d e = Vec3d(rows[c]) - exact.gradient[c];
            gradient_error += dot(e, e), gradient_size += dot(exact.gradient[c], exact.gradient[c]);
        }
    }
    return {std::sqrt(error / size), std::sqrt(most * count / size), gradient.empty() ? 0 : std::sqrt(gradient_error / gradient_size), std::sqrt(size / count)};
}

Errors tree_errors(const Cloud& cloud, double theta, std::size_t stride = 37) {
    std::vector<Vec3f> u(cloud.position.size());
    std::vector<VelocityGradient> gradient(u.size());
    TreeVelocity tree;
    tree.build(cloud.view(), {.theta = theta});
    tree.at_vortons(u, gradient);
    return compare(cloud, cloud.position, u, gradient, stride);
}

TEST(tree_velocity, direct_summation_agrees_with_the_definition_in_double_precision) {
    const Cloud cloud = plume(3001);
    std::vector<Vec3f> places(cloud.position.begin(), cloud.position.begin() + 205), u(places.size()), alone(places.size());
    places[3] = {5, -3, 2};
    std::vector<VelocityGradient> gradient(places.size());
    direct_velocity(cloud.view(), places, u, gradient);
    direct_velocity(cloud.view(), places, alone);
    const Errors errors = compare(cloud, places, u, gradient, 1);
    EXPECT_LT(errors.rms, 3e-6);
    EXPECT_LT(errors.most, 2e-5);
    EXPECT_LT(errors.gradient_rms, 3e-6);
    EXPECT_EQ(u, alone) << "with and without the gradient";
}

TEST(tree_velocity, the_tree_agrees_with_direct_summation_wherever_its_origin_is) {
    for (const Vec3f& shift : {Vec3f(), Vec3f(37, -11, 5), Vec3f(-0.013f, 0.21f, 900)}) {
        const Cloud cloud = plume(20000, shift);
        const Errors errors = tree_errors(cloud, 0.5, 97);
        EXPECT_LT(errors.rms, 2e-3) << shift.z;
        EXPECT_LT(errors.most, 1e-2) << shift.z;
        EXPECT_LT(errors.gradient_rms, 2e-2) << shift.z;
    }
}

TEST(tree_velocity, a_smaller_opening_angle_is_more_exact) {
    const Cloud cloud = plume(12000);
    const Errors wide = tree_errors(cloud, 0.7), middle = tree_errors(cloud, 0.5), narrow = tree_errors(cloud, 0.3);
    EXPECT_LT(middle.rms, 0.7 * wide.rms);
    EXPECT_LT(narrow.rms, 0.5 * middle.rms);
    EXPECT_LT(narrow.gradient_rms, 0.5 * middle.gradient_rms);
    EXPECT_LT(tree_errors(cloud, 0.02).rms, 1e-5) << "all pairs in the end";
}

TEST(tree_velocity, other_places_are_as_good_as_vortons) {
    const Cloud cloud = plume(8000);
    std::vector<Vec3f> places;
    for (std::uint32_t i = 0; i < 3000; ++i) {
        const auto u = uniform4({.seed = 9}, i);
        places.push_back({3 * u[0] - 1.5f, 3 * u[1] - 1.5f, 4 * u[2] - 1});
    }
    std::vector<Vec3f> u(places.size());
    std::vector<VelocityGradient> gradient(places.size());
    TreeVelocity tree;
    tree.build(cloud.view());
    const TreeWork work = tree.at(places, u, gradient);
    const Errors errors = compare(cloud, places, u, gradient, 17), at_vortons = tree_errors(cloud, 0.5, 171);
    EXPECT_LT(errors.rms * errors.speed, 2e-3 * at_vortons.speed) << errors.speed << " m/s there, " << at_vortons.speed << " m/s at the vortons";
    EXPECT_LT(errors.rms, 2e-2) << "of the slow flow out there";
    EXPECT_LT(work.pairs, 0.3 * 8000 * 3000) << "the tree is used";
}

TEST(tree_velocity, far_from_a_clump_it_is_one_vorton_with_all_the_strength) {
    Cloud cloud = plume(5000);
    Vec3d total;
    for (Vec3f& p : cloud.position) p = p * 0.01f;
    for (Vec3f& g : cloud.strength) g += Vec3f(2e-4f, 0, 1e-4f), total += Vec3d(g);
    cloud.core_radius *= 0.01;
    const std::vector<Vec3f> places = {{30, 0, 0}, {0, -40, 10}, {-20, 20, 60}};
    std::vector<Vec3f> u(3);
    TreeVelocity tree;
    tree.build(cloud.view());
    tree.at(places, u);
    for (std::size_t i = 0; i < 3; ++i) {
        const Vec3d r(places[i]), expected = cross(total, r) / (4 * std::numbers::pi * std::pow(length(r), 3));
        EXPECT_LT(length(Vec3d(u[i]) - expected), 3e-3 * length(expected));
    }
}

TEST(tree_velocity, one_vorton_and_many_in_one_place_and_none) {
    Cloud one{.position = {{1, 2, 3}}, .strength = {{0, 0, 2}}, .core_radius = 0.1};
    const std::vector<Vec3f> places = {{2, 2, 3}, {1, 2, 3}, {1, 2.05f, 3}};
    std::vector<Vec3f> u(3), many_u(3);
    std::vector<VelocityGradient> gradient(3);
    TreeVelocity tree;
    tree.build(one.view());
    tree.at(places, u, gradient);
    EXPECT_NEAR(u[0].y, 2 / (4 * std::numbers::pi) * 1.025 / std::pow(1.01, 2.5), 1e-6);
    EXPECT_EQ(u[1], Vec3f()) << "a vorton does not move itself";
    EXPECT_NEAR(gradient[1].y.x, 2 / (4 * std::numbers::pi) * 2.5 / std::pow(0.1, 3), 1e-3) << "and spins like a solid body";

    Cloud many{.position = std::vector<Vec3f>(20000, {1, 2, 3}), .strength = std::vector<Vec3f>(20000, {0, 0, 1e-4f}), .core_radius = 0.1};
    tree.build(many.view());
    const TreeWork work = tree.at(places, many_u);
    for (std::size_t i = 0; i < 3; ++i) EXPECT_LT(length(many_u[i] - u[i]), 1e-3f * length(u[2])) << i << ": a sum of 20000 floats";
    std::vector<Vec3f> own(20000, Vec3f(1));
    tree.at_vortons(own);
    for (const Vec3f& v : own) ASSERT_LT(length(v), 1e-6f);
    EXPECT_LT(work.pairs, 1e5);

    tree.build({{}, {}, 0.1});
    tree.at(places, u, gradient);
    EXPECT_EQ(u[0], Vec3f());
    EXPECT_EQ(gradient[1].y, Vec3f());
    tree.at_vortons({});

    std::vector<Vec3f> broken = {{0, 0, 0}, {0, std::nanf(""), 0}};
    EXPECT_THROW(tree.build({broken, broken, 0.1}), RunError);
}

TEST(tree_velocity, the_flow_has_no_divergence) {
    const Cloud cloud = plume(9000);
    std::vector<Vec3f> u(9000);
    std::vector<VelocityGradient> gradient(9000);
    TreeVelocity tree;
    tree.build(cloud.view());
    tree.at_vortons(u, gradient);
    double trace = 0, size = 0;
    for (const VelocityGradient& g : gradient) trace = std::max(trace, std::abs(double(g.x.x) + g.y.y + g.z.z)), size += double(dot(g.x, g.x) + dot(g.y, g.y) + dot(g.z, g.z));
    EXPECT_LT(trace, 1e-5 * std::sqrt(size / 9000));
}

TEST(tree_velocity, the_number_of_threads_changes_no_bit) {
    const Cloud cloud = plume(30011);
    std::vector<Vec3f> u(cloud.position.size()), single(u.size());
    std::vector<VelocityGradient> gradient(u.size()), single_gradient(u.size());
    TreeVelocity tree;
    tree.build(cloud.view());
    tree.at_vortons(u, gradient);
    const ThreadLimit limit(1);
    TreeVelocity alone;
    alone.build(cloud.view());
    alone.at_vortons(single, single_gradient);
    EXPECT_EQ(std::memcmp(u.data(), single.data(), u.size() * sizeof(Vec3f)), 0);
    EXPECT_EQ(std::memcmp(gradient.data(), single_gradient.data(), u.size() * sizeof(VelocityGradient)), 0);
}

}  // namespace
}  // namespace phlo::models
