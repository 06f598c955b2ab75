#include "vortex_tree.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <numbers>

#include "base/parallel.h"
#include "base/random.h"
#include "models/vortex_fire/tree_velocity.h"

namespace phlo::bench {
namespace {

struct Cloud {
    std::vector<Vec3f> position, strength;
    double core_radius = 0;
    models::VortonView view() const { return {position, strength, core_radius}; }
};

/// A plume that widens upwards and turns around its axis, with as much noise as flow.
Cloud make_plume(int count) {
    Cloud cloud;
    const auto normal = [](float u, float v) { return std::sqrt(-2 * std::log(u + 1e-7f)) * std::cos(2 * std::numbers::pi_v<float> * v); };
    for (std::uint32_t i = 0; i < std::uint32_t(count); ++i) {
        const auto u = uniform4({.seed = 1}, i), v = uniform4({.seed = 1}, i, 1), w = uniform4({.seed = 1}, i, 2);
        const float height = std::min(-0.4f * std::log(u[0] + 1e-4f), 2.0f), width = 0.12f * (0.6f + 1.2f * height);
        const Vec3f p(width * normal(u[1], u[2]), width * normal(u[3], v[0]), height);
        cloud.position.push_back(p);
        cloud.strength.push_back(Vec3f(normal(v[1], v[2]) - 8 * p.y, normal(v[3], w[0]) + 8 * p.x, normal(w[1], w[2])) * (1.0f / float(count)));
    }
    cloud.core_radius = 0.5 / std::cbrt(count);
    return cloud;
}

/// By the definition, in double precision.
Vec3d exact_velocity(const Cloud& cloud, const Vec3d& x) {
    Vec3d sum;
    const double s2 = cloud.core_radius * cloud.core_radius;
    for (std::size_t j = 0; j < cloud.position.size(); ++j) {
        const Vec3d r = x - Vec3d(cloud.position[j]);
        const double r2 = dot(r, r), q = r2 + s2;
        sum += cross(Vec3d(cloud.strength[j]), r) * ((r2 + 2.5 * s2) / (q * q * std::sqrt(q)));
    }
    return sum / (4 * std::numbers::pi);
}

template <class Work>
double milliseconds_of(const Work& work) {
    const auto start = std::chrono::steady_clock::now();
    work();
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
}

/// Root mean square and greatest error at some of the vortons, by the root mean square of the velocity.
std::pair<double, double> errors_of(const std::vector<Vec3d>& exact, const std::vector<Vec3f>& velocity, std::size_t stride) {
    double error = 0, size = 0, most = 0;
    for (std::size_t n = 0; n < exact.size(); ++n) {
        const Vec3d d = Vec3d(velocity[n * stride]) - exact[n];
        error += dot(d, d), size += dot(exact[n], exact[n]), most = std::max(most, dot(d, d));
    }
    return {std::sqrt(error / size), std::sqrt(most * double(exact.size()) / size)};
}

}  // namespace

std::vector<VelocityRow> bench_tree_velocity(const std::vector<int>& counts, double theta) {
    std::vector<VelocityRow> rows;
    for (const int count : counts) {
        const Cloud cloud = make_plume(count);
        const std::size_t n = std::size_t(count), stride = std::max<std::size_t>(1, n / 400), samples = (n + stride - 1) / stride;
        std::vector<Vec3d> exact(samples);
        parallel_for(int(samples), [&](int s) { exact[std::size_t(s)] = exact_velocity(cloud, Vec3d(cloud.position[std::size_t(s) * stride])); });

        // Direct sums of all pairs take seconds: with many vortons, as many targets as make 2·10⁸ pairs.
        const std::size_t targets = std::min(n, std::max<std::size_t>(512, std::size_t(2e8 / count) / 512 * 512)), step = n / targets;
        std::vector<Vec3f> places(targets), velocity(n), some(targets);
        std::vector<models::VelocityGradient> gradient(n), some_gradient(targets);
        for (std::size_t t = 0; t < targets; ++t) places[t] = cloud.position[t * step];
        VelocityRow direct{.method = "direct", .vortons = count, .milliseconds = 1e30}, tree{.method = "tree", .vortons = count, .milliseconds = 1e30};
        models::TreeVelocity method;
        for (int run = 0; run < 5; ++run) {   // side by side: what else the machine does disturbs both
            const double pairs = milliseconds_of([&] { models::direct_velocity(cloud.view(), places, some, some_gradient); });
            direct.milliseconds = std::min(direct.milliseconds, pairs * double(n) / double(targets));
            const double build = milliseconds_of([&] { method.build(cloud.view(), {.theta = theta}); });
            const double evaluate = milliseconds_of([&] { method.at_vortons(velocity, gradient); });
            if (build + evaluate < tree.milliseconds) tree.milliseconds = build + evaluate, tree.build = build, tree.evaluate = evaluate;
        }
        direct.evaluate = direct.milliseconds;
        tree.ratio_to_direct = direct.milliseconds / tree.milliseconds;
        std::tie(tree.error, tree.max_error) = errors_of(exact, velocity, stride);
        std::vector<Vec3f> at_samples(samples), sampled(samples);
        for (std::size_t s = 0; s < samples; ++s) at_samples[s] = cloud.position[s * stride];
        models::direct_velocity(cloud.view(), at_samples, sampled);
        std::tie(direct.error, direct.max_error) = errors_of(exact, sampled, 1);
        rows.push_back(direct), rows.push_back(tree);
    }
    return rows;
}

}  // namespace phlo::bench
