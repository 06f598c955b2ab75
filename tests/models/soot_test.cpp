#include "models/gas/soot.h"

#include <gtest/gtest.h>

#include <cmath>

#include "base/parallel.h"

namespace phlo::models {
namespace {

const field::Domain domain{.cells = {32, 24, 24}, .origin = {0, 0, 0}, .h = 0.1};

TEST(soot, the_number_goes_with_the_drop_and_the_density) {
    const field::Layout layout(domain.cells);
    const flow::TileSet tiles(layout, true);
    const auto formed = [&](float was, float is, float d) {
        const field::Grid before(layout, was), after(layout, is), density(layout, d);
        const field::Grid* visible[] = {&density};
        SootParticles soot;
        return form_soot({.threshold = 900, .per_kelvin = 0.3}, domain, before, after, 293, visible, tiles, {.seed = 1}, soot).number;
    };
    const double cells = 32 * 24 * 24;
    EXPECT_NEAR(double(formed(700, 500, 2)), 0.3 * 200 * 2 * 1e-3 * cells, 5 * std::sqrt(0.3 * 200 * 2 * 1e-3 * cells));
    EXPECT_NEAR(double(formed(650, 600, 2)), 0.3 * 50 * 2 * 1e-3 * cells, 5 * std::sqrt(0.3 * 50 * 2 * 1e-3 * cells));
    EXPECT_EQ(formed(500, 300, 2), 0) << "it was cold already";
    EXPECT_EQ(formed(900, 650, 2), 0) << "it is still hot";
    EXPECT_EQ(formed(700, 500, 0), 0) << "nothing to see";
}

TEST(soot, remembering_what_was_hot_is_as_good_as_remembering_everything) {
    const field::Domain odd{.cells = {37, 9, 11}, .origin = {0, 0, 0}, .h = 0.1};
    const field::Layout layout(odd.cells);
    const flow::TileSet tiles(layout, true);
    for (const double threshold : {600.0, 200.0}) {   // the second one lies below the ambient temperature
        const SootParams params{.threshold = threshold, .per_kelvin = 0.3};
        field::Grid hot(layout), before(layout), now(layout);
        const field::Grid density(layout, 3.0f);
        const field::Grid* visible[] = {&density};
        SootParticles some, all;
        for (std::uint32_t step = 0; step < 6; ++step) {
            for (int k = 0; k < 11; ++k)
                for (int j = 0; j < 9; ++j)
                    for (int i = 0; i < 37; ++i) now(i, j, k) = 500 * uniform4({.seed = 9, .step = step}, std::uint32_t(i + 37 * (j + 9 * k)))[0] - 150;
            form_soot(params, odd, hot, now, 293, visible, tiles, {.seed = 1, .step = step}, some);
            form_soot(params, odd, before, now, 293, visible, tiles, {.seed = 1, .step = step}, all);
            remember_hot(params, now, 293, tiles, hot);
            before = now;
        }
        EXPECT_GT(all.count(), 100u);
        EXPECT_EQ(some.x, all.x);
        EXPECT_EQ(some.life, all.life);
    }
}

TEST(soot, it_lives_for_half_to_one_and_a_half_of_the_given_life) {
    const field::Layout layout(domain.cells);
    const field::Grid before(layout, 700.0f), after(layout, 500.0f), density(layout, 2.0f);
    const field::Grid* visible[] = {&density};
    SootParticles soot;
    form_soot({.threshold = 900, .per_kelvin = 0.3, .life = 2}, domain, before, after, 293, visible, flow::TileSet(layout, true), {.seed = 1}, soot);
    double mean = 0;
    for (const float life : soot.life) {
        ASSERT_TRUE(life >= 1 && life <= 3) << life;
        mean += double(life) / double(soot.count());
    }
    EXPECT_NEAR(mean, 2, 5 * 0.58 / std::sqrt(double(soot.count())));
    EXPECT_EQ(soot.life, soot.span);
}

TEST(soot, it_drifts_exactly_with_a_steady_flow_and_leaves_at_walls) {
    field::MacGrid u{field::Layout(domain.cells)};
    u.x.fill(0.5f), u.z.fill(-0.25f);
    SootParticles soot;
    for (int n = 0; n < 37; ++n) soot.x.push_back(0.05f + 0.085f * float(n)), soot.y.push_back(1), soot.z.push_back(1.5f), soot.life.push_back(1), soot.span.push_back(1);
    for (int n = 0; n < 4; ++n) drift(domain, u, nullptr, 0.1, soot);
    ASSERT_EQ(soot.count(), 35u) << "the last two are outside";
    for (std::size_t n = 0; n < soot.count(); ++n) {
        EXPECT_NEAR(soot.x[n], 0.05 + 0.085 * double(n) + 0.2, 1e-5);
        EXPECT_NEAR(soot.z[n], 1.4, 1e-5);
    }
}

TEST(soot, a_vortex_is_followed_at_second_order) {
    field::MacGrid u{field::Layout(domain.cells)};
    for (int k = -1; k <= 24; ++k)
        for (int j = -1; j <= 24; ++j)
            for (int i = -1; i <= 32; ++i) {
                u.x(i, j, k) = float(-(domain.face_center(0, i, j, k).y - 1.2));
                u.y(i, j, k) = float(domain.face_center(1, i, j, k).x - 1.6);
            }
    double error[2];
    for (int level = 0; level < 2; ++level) {
        SootParticles soot{.x = {2.1f}, .y = {1.2f}, .z = {1}, .life = {1}, .span = {1}};
        for (int n = 0; n < (8 << level); ++n) drift(domain, u, nullptr, 1.0 / (8 << level), soot);
        error[level] = std::hypot(double(soot.x[0]) - 1.6 - 0.5 * std::cos(1.0), double(soot.y[0]) - 1.2 - 0.5 * std::sin(1.0));
    }
    EXPECT_GT(error[0] / error[1], 3.4);
}

TEST(soot, it_shrinks_and_is_gone_after_its_life) {
    SootParticles soot{.x = {1, 1}, .y = {1, 1}, .z = {1, 1}, .life = {1, 0.4f}, .span = {1, 0.4f}};
    const SootParams params{.radius = 0.02};
    EXPECT_FLOAT_EQ(soot.radius(0, params), 0.02f);
    age(0.3, soot);
    EXPECT_LT(soot.radius(1, params), 0.011f);
    age(0.3, soot);
    ASSERT_EQ(soot.count(), 1u);
    EXPECT_NEAR(soot.radius(0, params), 0.02 * std::sqrt(0.4), 1e-6);
}

TEST(soot, it_does_not_enter_a_body_and_threads_change_no_bit) {
    const std::vector<geom::Body> bodies{{.name = "ball", .shape = geom::Sphere{.radius = 0.5}, .motion = {.position = Curve<Vec3d>{Vec3d(1.6, 1.2, 1.2)}}}};
    flow::Solids solids;
    rasterize(domain, bodies, 0, solids);
    field::MacGrid u{field::Layout(domain.cells)};
    u.x.fill(1);
    SootParticles start;
    for (int n = 0; n < 9000; ++n) {
        const auto r = uniform4({.seed = 8}, std::uint32_t(n));
        start.x.push_back(r[0]), start.y.push_back(0.7f + r[1]), start.z.push_back(0.7f + r[2]), start.life.push_back(1), start.span.push_back(1);
    }
    std::vector<char> result[2];
    for (int threads : {1, 2}) {
        const ThreadLimit limit(threads);
        SootParticles soot = start;
        for (int n = 0; n < 6; ++n) drift(domain, u, &solids, 0.1, soot);
        for (std::size_t i = 0; i < soot.count(); ++i)
            EXPECT_GT(bodies[0].signed_distance({soot.x[i], soot.y[i], soot.z[i]}, 0), -0.1 * domain.h);
        result[threads - 1] = particles::save(soot);
    }
    EXPECT_EQ(result[0], result[1]);
}

}  // namespace
}  // namespace phlo::models
