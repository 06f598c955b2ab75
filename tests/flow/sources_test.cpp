#include "flow/sources.h"

#include <gtest/gtest.h>

#include "base/parallel.h"
#include "solids_cases.h"

namespace phlo::flow {
namespace {

using field::Domain;
using field::Grid;
using field::Layout;
using field::MacGrid;

Coverage covered_by(const Domain& domain, const SourceShape& source, double time = 0, const Solids* solids = nullptr) {
    Coverage coverage;
    cover(domain, source, time, solids, coverage);
    return coverage;
}

double total(const Coverage& c) {
    double sum = 0;
    for (float w : c.weight) sum += double(w);
    return sum;
}

TEST(sources, weights_add_up_to_the_shapes_volume) {
    const Domain domain = unit_domain(48);
    const geom::Shape ball(geom::Sphere{.radius = 0.2}), box(geom::Box{.size = {0.3, 0.2, 0.1}});
    for (const geom::Shape* shape : {&ball, &box}) {
        const Coverage c =
            covered_by(domain, {.shape = shape,
                                .pose = {.position = {0.5, 0.47, 0.52}, .rotation = geom::Rotation::from_euler({0.3, 0.2, 0.1})},
                                .softness = 1.5,
                                .noise = {}});
        EXPECT_NEAR(total(c) * std::pow(domain.h, 3) / shape->volume(), 1, 0.02);
        for (float w : c.weight) EXPECT_TRUE(w >= 0 && w <= 1);
    }
}

TEST(sources, edge_is_soft_over_the_width_asked_for) {
    const Domain domain = unit_domain(64);
    const geom::Shape slab(geom::Box{.size = {4, 4, 0.5}});
    for (double softness : {0.0, 2.0, 6.0}) {
        const Coverage c = covered_by(
            domain,
            {.shape = &slab, .pose = {.position = {0.5, 0.5, 0.25 + 0.25 / 64}, .rotation = {}}, .softness = softness, .noise = {}});
        int partial = 0;
        for (int k = c.first.z; k < c.last.z; ++k) {
            const float w = c(32, 32, k);
            const double d = (k + 0.5) / 64 - (0.5 + 0.25 / 64);
            EXPECT_TRUE(d < softness / 128 || w == 0) << k;
            EXPECT_TRUE(d > -softness / 128 || k < 10 || w == 1) << k;
            partial += w > 0 && w < 1 && k > 10;
        }
        EXPECT_EQ(partial, softness == 0 ? 0 : softness == 2 ? 2 : 6) << softness;
    }
}

TEST(sources, holding_raises_to_the_value_and_no_further) {
    const Domain domain = unit_domain(24);
    const geom::Shape shape(geom::Sphere{.radius = 0.2});
    const Coverage c =
        covered_by(domain, {.shape = &shape, .pose = {.position = {0.5, 0.5, 0.5}, .rotation = {}}, .softness = 1.5, .noise = {}});
    Grid smoke(Layout(domain.cells));
    smoke(12, 12, 12) = 5;
    const double added = hold(c, smoke, 2);
    EXPECT_NEAR(added, 2 * (total(c) - 1), 1e-3);
    EXPECT_NEAR(field::sum(smoke), 5 + added, 1e-3);
    EXPECT_EQ(smoke(12, 12, 12), 5);
    EXPECT_EQ(smoke(11, 12, 12), 2);
    EXPECT_EQ(smoke(2, 2, 2), 0);
    EXPECT_EQ(hold(c, smoke, 2), 0) << "held a second time, nothing is added";
}

TEST(sources, cold_source_lowers_the_temperature_to_its_own) {
    const Domain domain = unit_domain(24);
    const geom::Shape shape(geom::Sphere{.radius = 0.2});
    const Coverage c =
        covered_by(domain, {.shape = &shape, .pose = {.position = {0.5, 0.5, 0.5}, .rotation = {}}, .softness = 1.5, .noise = {}});
    Grid temperature(Layout(domain.cells), 293);
    EXPECT_LT(hold(c, temperature, 200, 293), 0);
    EXPECT_EQ(temperature(12, 12, 12), 200);
    EXPECT_EQ(temperature(2, 2, 2), 293);
    hold(c, temperature, 600, 293);
    EXPECT_EQ(temperature(12, 12, 12), 600);
    for_each_cell(domain, [&](int i, int j, int k) { EXPECT_TRUE(temperature(i, j, k) >= 200 && temperature(i, j, k) <= 600); });
}

TEST(sources, adding_gives_the_rate_times_the_time) {
    const Domain domain = unit_domain(24);
    const geom::Shape shape(geom::Cylinder{.radius = 0.2, .height = 0.3});
    const Coverage c =
        covered_by(domain, {.shape = &shape, .pose = {.position = {0.5, 0.5, 0.5}, .rotation = {}}, .softness = 1.5, .noise = {}});
    Grid smoke(Layout(domain.cells));
    double added = 0;
    for (int step = 0; step < 10; ++step) added += add(c, smoke, 3 * 0.1);
    EXPECT_NEAR(added, 3 * total(c), 1e-2);
    EXPECT_NEAR(field::sum(smoke), added, 1e-3);
}

TEST(sources, velocity_is_set_inside_and_left_alone_outside_and_at_walls) {
    const Domain domain = unit_domain(24);
    const geom::Shape shape(geom::Box{.size = {0.4, 0.4, 0.4}});
    const Coverage c =
        covered_by(domain, {.shape = &shape, .pose = {.position = {0.5, 0.5, 0.1}, .rotation = {}}, .softness = 1, .noise = {}});
    MacGrid u(Layout(domain.cells));
    for (int axis = 0; axis < 3; ++axis) u[axis].fill(0.5f);
    blend_velocity(c, {1, 2, 3}, nullptr, u);
    EXPECT_EQ(u.x(12, 12, 3), 1);
    EXPECT_EQ(u.y(12, 12, 3), 2);
    EXPECT_EQ(u.z(12, 12, 3), 3);
    EXPECT_EQ(u.z(12, 12, 0), 0.5f) << "the wall's own face";
    EXPECT_EQ(u.z(12, 12, 12), 0.5f);
    EXPECT_EQ(u.x(2, 12, 3), 0.5f);
}

TEST(sources, noise_takes_away_at_most_its_amplitude_and_changes_with_time) {
    const Domain domain = unit_domain(32);
    const geom::Shape shape(geom::Sphere{.radius = 0.3});
    SourceShape source{.shape = &shape, .pose = {.position = {0.5, 0.5, 0.5}, .rotation = {}}, .softness = 1.5, .noise = {}};
    const Coverage smooth = covered_by(domain, source);
    source.noise = {.amplitude = 0.6, .scale = 0.1, .speed = 2, .octaves = 3, .seed = 4};
    Coverage noisy = covered_by(domain, source, 0);
    const std::vector<float> first = noisy.weight;
    double least = 1;
    for (std::size_t c = 0; c < first.size(); ++c) {
        EXPECT_LE(first[c], smooth.weight[c]);
        EXPECT_GE(first[c], 0.4f * smooth.weight[c] - 1e-6f);
        if (smooth.weight[c] == 1) least = std::min(least, double(first[c]));
    }
    EXPECT_LT(least, 0.5) << "it bites";
    EXPECT_NEAR(total(noisy) / total(smooth), 0.7, 0.05);
    cover(domain, source, 0.8, nullptr, noisy);
    EXPECT_NE(noisy.weight, first);
    cover(domain, source, 0, nullptr, noisy);
    EXPECT_EQ(noisy.weight, first) << "the kept shape weights are not worn out by use";
    source.pose.position = {0.4, 0.5, 0.5};
    cover(domain, source, 0, nullptr, noisy);
    EXPECT_EQ(noisy.weight, covered_by(domain, source, 0).weight) << "a source that moved is made anew";
}

TEST(sources, nothing_is_emitted_into_bodies_or_outside_the_domain) {
    const Domain domain = unit_domain(24);
    const geom::Shape shape(geom::Sphere{.radius = 0.3});
    const Solids solids = at_rest(domain, {ball({0.5, 0.5, 0.5}, 0.2)});
    const Coverage around = covered_by(
        domain, {.shape = &shape, .pose = {.position = {0.5, 0.5, 0.5}, .rotation = {}}, .softness = 1.5, .noise = {}}, 0, &solids);
    Grid smoke(Layout(domain.cells));
    EXPECT_GT(hold(around, smoke, 1), 100);
    for_each_cell(domain, [&](int i, int j, int k) { EXPECT_TRUE(!solids.covered(i, j, k) || smoke(i, j, k) == 0); });

    const Coverage outside =
        covered_by(domain, {.shape = &shape, .pose = {.position = {3, 0.5, 0.5}, .rotation = {}}, .softness = 1.5, .noise = {}});
    EXPECT_TRUE(outside.empty());
    EXPECT_EQ(hold(outside, smoke, 9), 0);
    MacGrid u(Layout(domain.cells));
    blend_velocity(outside, {1, 1, 1}, nullptr, u);
    EXPECT_EQ(field::max_abs(u.x, domain.cells), 0);
}

TEST(sources, number_of_threads_changes_nothing) {
    const Domain domain = unit_domain(32);
    const geom::Shape shape(geom::Sphere{.radius = 0.3});
    const auto emit = [&](int threads) {
        ThreadLimit limit(threads);
        const Coverage c = covered_by(
            domain, {.shape = &shape, .pose = {.position = {0.5, 0.5, 0.5}, .rotation = {}}, .softness = 2, .noise = {.amplitude = 0.9}},
            0.3);
        Grid smoke(Layout(domain.cells));
        return std::pair(c.weight, hold(c, smoke, 1.7));
    };
    EXPECT_EQ(emit(1), emit(2));
}

}  // namespace
}  // namespace phlo::flow
