#include "models/gas/soot.h"

#include <gtest/gtest.h>

#include <cmath>

#include "base/parallel.h"

namespace phlo::models {
namespace {

const field::Domain domain{.cells = {32, 24, 24}, .origin = {0, 0, 0}, .h = 0.1};

/// Gas of one temperature that cools in steps; `per_kelvin` particles a kelvin and mol.
struct Cooling {
    field::Layout layout = field::Layout(domain.cells);
    flow::TileSet tiles = flow::TileSet(layout, true);
    field::Grid before = field::Grid(layout), after = field::Grid(layout), density = field::Grid(layout), other = field::Grid(layout);
    SootParams params = {.threshold = 900};
    double per_kelvin = 0.3, amount = 0;
    std::function<void(int, int, int, int, float*)> formula = {};
    SootParticles soot = {};
    const field::Grid* room = nullptr;
    std::vector<double> taken = {0, 0};
    bool limited = false;

    Cooling& cool(float from, float to, int steps) {
        for (int n = 0; n < steps; ++n) {
            before.fill(from + (to - from) * float(n) / float(steps)), after.fill(from + (to - from) * float(n + 1) / float(steps));
            const SootReport report = form_soot(params, {.domain = domain, .tiles = &tiles, .before = &before, .after = &after, .ambient = 293, .room = room, .visible = {&density, &other},
                                                         .per_kelvin = per_kelvin, .per_kelvin_in_row = formula, .amount = amount},
                                                {.seed = 1, .step = std::uint32_t(n)}, soot);
            for (std::size_t f = 0; f < 2; ++f) taken[f] += report.taken[f];
            limited = limited || report.limited;
        }
        return *this;
    }
    double count() const { return double(soot.count()); }
};

Cooling gas_of(float density) {
    Cooling gas;
    gas.density.fill(density);
    return gas;
}

constexpr double box = 32 * 24 * 24 * 1e-3;   ///< [m³]

TEST(soot, the_number_goes_with_the_drop_below_the_threshold_and_the_density) {
    EXPECT_NEAR(gas_of(2).cool(700, 500, 1).count(), 0.3 * 107 * 2 * box, 5 * std::sqrt(0.3 * 107 * 2 * box)) << "607 K above the ambient is the threshold";
    EXPECT_NEAR(gas_of(2).cool(500, 300, 1).count(), 0.3 * 200 * 2 * box, 5 * std::sqrt(0.3 * 200 * 2 * box));
    EXPECT_NEAR(gas_of(4).cool(500, 300, 1).count(), 0.3 * 200 * 4 * box, 5 * std::sqrt(0.3 * 200 * 4 * box));
    EXPECT_EQ(gas_of(2).cool(900, 650, 1).count(), 0) << "it is still hot";
    EXPECT_EQ(gas_of(2).cool(300, 500, 1).count(), 0) << "it warms up";
    EXPECT_EQ(gas_of(0).cool(700, 500, 1).count(), 0) << "nothing to see";
}

TEST(soot, the_number_does_not_depend_on_the_number_of_steps) {
    for (const double amount : {0.0, 5e-3}) {
        Cooling one = gas_of(2), many = gas_of(2);
        one.amount = many.amount = amount;
        one.cool(700, 100, 1), many.cool(700, 100, 23);
        EXPECT_GT(one.count(), 3000);
        EXPECT_NEAR(many.count() / one.count(), 1, 0.05) << amount;
    }
}

TEST(soot, what_the_particles_stand_for_leaves_the_fields) {
    for (const int steps : {1, 7}) {
        Cooling gas = gas_of(2);
        gas.other.fill(0.5f);
        gas.amount = 5e-3;
        gas.cool(700, 100, steps);
        const double kept = std::exp(-5e-3 * 0.3 * 507);
        EXPECT_NEAR(gas.density(5, 6, 7), 2 * kept, 1e-5);
        EXPECT_NEAR(gas.other(5, 6, 7), 0.5 * kept, 1e-5);
        EXPECT_NEAR(gas.taken[0], 2 * box - sum(gas.density) * 1e-3, 1e-6 * box) << "and is reported";
        EXPECT_NEAR(gas.taken[1], 0.5 * box - sum(gas.other) * 1e-3, 1e-6 * box);
        EXPECT_NEAR(gas.count() * gas.amount / (gas.taken[0] + gas.taken[1]), 1, 0.03);
    }
}

TEST(soot, cells_that_bodies_cut_give_as_much_less) {
    Cooling gas = gas_of(2);
    field::Grid quarter{gas.layout};
    quarter.fill(0.25f);
    gas.room = &quarter, gas.amount = 5e-3;
    gas.cool(700, 100, 3);
    EXPECT_NEAR(gas.density(5, 6, 7), 2 * std::exp(-5e-3 * 0.3 * 507), 1e-5) << "as thin as in whole cells";
    EXPECT_NEAR(gas.taken[0], 0.25 * (2 * box - sum(gas.density) * 1e-3), 1e-6 * box);
    EXPECT_NEAR(gas.count() * gas.amount / gas.taken[0], 1, 0.06);
}

TEST(soot, half_of_what_is_seen_becomes_soot_unless_the_scene_says_otherwise) {
    Cooling gas = gas_of(2);
    gas.amount = usual_amount(gas.params, gas.per_kelvin, 293);
    gas.cool(700, 0, 5);
    EXPECT_NEAR(gas.density(1, 2, 3), 1, 1e-5);
}

TEST(soot, beyond_the_limit_none_forms_and_nothing_leaves_for_it) {
    Cooling gas = gas_of(2);
    gas.params.limit = 0, gas.amount = 5e-3;
    EXPECT_TRUE(gas.cool(700, 100, 1).limited);
    EXPECT_EQ(gas.count(), 0);
    EXPECT_EQ(gas.taken[0], 0);
    EXPECT_EQ(gas.density(5, 6, 7), 2.0f);
}

TEST(soot, more_than_can_be_counted_is_limited_and_said) {
    for (const double per_kelvin : {1e7, 1e30}) {
        Cooling gas = gas_of(2);
        gas.per_kelvin = per_kelvin, gas.params.limit = 1000;
        EXPECT_TRUE(gas.cool(700, 100, 1).limited) << per_kelvin;
        EXPECT_LE(gas.count(), 1000);
    }
}

TEST(soot, how_much_forms_may_differ_from_cell_to_cell) {
    Cooling gas = gas_of(2);
    gas.formula = [](int j, int, int first, int last, float* values) { std::fill(values, values + last - first, j < 12 ? 0.0f : 0.3f); };
    gas.cool(700, 100, 3);
    EXPECT_NEAR(gas.count(), 0.3 * 507 * 2 * box / 2, 5 * std::sqrt(gas.count()));
    for (const float y : gas.soot.y) ASSERT_GE(y, 1.2f);
}

TEST(soot, it_lives_for_half_to_one_and_a_half_of_the_given_life) {
    Cooling gas = gas_of(2);
    gas.params.life = 2;
    const SootParticles soot = gas.cool(700, 300, 1).soot;
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
