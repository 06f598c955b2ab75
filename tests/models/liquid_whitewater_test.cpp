#include "models/liquid/whitewater.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "base/parallel.h"
#include "config/node.h"
#include "flow/solids.h"

namespace phlo::models {
namespace {

using field::Domain;
using flow::WallKind;

constexpr double pi = std::numbers::pi;

Domain box(int cells, double side = 1) { return {.cells = {cells, cells, cells}, .origin = {0, 0, 0}, .h = side / cells}; }

/// A liquid given by formulas.
struct Liquid {
    field::Grid phi;
    field::MacGrid u;
    LiquidAround around;

    template <class Level, class Velocity>
    Liquid(const Domain& domain, const Level& level, const Velocity& velocity, double dt = 0.01)
        : phi(field::Layout(domain.cells)), u(field::Layout(domain.cells)) {
        const Vec3i n = domain.cells;
        for (int k = -2; k < n.z + 2; ++k)
            for (int j = -2; j < n.y + 2; ++j)
                for (int i = -2; i < n.x + 2; ++i) {
                    phi(i, j, k) = float(level(domain.cell_center(i, j, k)));
                    for (int a = 0; a < 3; ++a) u[a](i, j, k) = float(velocity(domain.face_center(a, i, j, k))[a]);
                }
        around = {.domain = domain, .phi = &phi, .u = &u, .dt = dt, .seed = 7};
    }
    Liquid(const Liquid&) = delete;
};

Vec3d at_rest(const Vec3d&) { return {}; }
auto pool(double height) {
    return [height](const Vec3d& p) { return p.z - height; };
}

Whitewater one(WhiteKind kind, const Vec3f& position, const Vec3f& velocity = {}, float life = 100, float radius = 0.002f) {
    return {.position = {position}, .velocity = {velocity}, .radius = {radius}, .age = {0}, .life = {life}, .span = {life}, .kind = {kind}, .id = {0}, .next_id = 1};
}

double deviation(double mean) { return 5 * std::sqrt(mean); }

TEST(whitewater, still_water_makes_none) {
    Whitewater white;
    const Liquid still(box(32), pool(0.5), at_rest);
    form_whitewater({.amount = 100}, still.around, white);
    const Liquid slow(box(32), pool(0.5), [](const Vec3d& p) { return Vec3d(0.9 * std::sin(40 * p.x), 0, 0); });
    form_whitewater({.amount = 100}, slow.around, white);
    EXPECT_EQ(white.count(), 0u);
}

TEST(whitewater, a_fast_but_smooth_stream_makes_none) {
    Whitewater white;
    const Liquid stream(box(32), pool(0.5), [](const Vec3d& p) { return Vec3d(8 + 2 * p.z, 1, 0); });
    form_whitewater({.amount = 100}, stream.around, white);
    EXPECT_EQ(white.count(), 0u);
    EXPECT_GT(form_whitewater({.amount = 0.004, .min_impact = 0.01, .max_impact = 0.02}, stream.around, white).born, 100) << "it could";
}

// A ball of radius R that flies at full speed: crests are where u · n >= 0.6 |u|, a cap of area 2 pi R^2 (1 - 0.6).
TEST(whitewater, a_flying_ball_sheds_spray_from_its_leading_cap) {
    const double rate = 3e6, R = 0.25;
    for (const int cells : {32, 48, 64}) {
        const Liquid ball(box(cells), [&](const Vec3d& p) { return length(p - Vec3d(0.5)) - R; }, [](const Vec3d&) { return Vec3d(0, 0, 5); });
        const WhitewaterParams params{.amount = 2, .reach = 0.04, .crest_rate = 0.5 * rate, .min_bend = 1 / R, .max_bend = 1.5 / R};
        Whitewater white;
        const long born = form_whitewater(params, ball.around, white).born;
        const double expected = rate * 2 * pi * R * R * 0.4 * 0.01;
        EXPECT_NEAR(double(born), expected, 0.06 * expected + deviation(expected)) << cells;
        long beyond = 0;
        for (std::size_t n = 0; n < white.count(); ++n) {
            EXPECT_EQ(white.kind[n], WhiteKind::spray);
            EXPECT_NEAR(length(white.position[n] - Vec3f(0.5f)), R, 0.015 + 5 * 0.2 * 0.01) << "at the surface, or a step ahead of it";
            EXPECT_GE(dot(white.velocity[n] - Vec3f(0, 0, 5), white.position[n] - Vec3f(0.5f)), -0.002f) << "it leaves the water";
            beyond += dot(white.position[n] - Vec3f(0.5f), Vec3f(0, 0, 1)) < 0.5f * float(R);
        }
        EXPECT_LT(double(beyond), 0.05 * double(born)) << "the lee side sheds none";
    }
}

// Two streams that meet in a plane: the change of velocity is as sharp as the grid makes it.
Vec3d collision(const Vec3d& p) { return {p.x < 0.5 ? 3.0 : -3.0, 4, 0}; }

TEST(whitewater, the_number_of_births_does_not_depend_on_the_resolution) {
    std::vector<double> born;
    for (const int cells : {40, 60, 90}) {
        const Liquid streams(box(cells), pool(0.52), collision);
        Whitewater white;
        born.push_back(double(form_whitewater({.amount = 1, .reach = 0.04, .trapped_air_rate = 3e6}, streams.around, white).born));
        EXPECT_EQ(white.count(WhiteKind::bubble), long(white.count())) << "a flat surface has no crests";
        for (const Vec3f& p : white.position) EXPECT_TRUE(p.z < 0.53f && p.z > 0.52f - 0.045f && std::fabs(p.x - 0.5f) < 0.1f);
    }
    for (const double number : born) EXPECT_NEAR(number, born.back(), 0.12 * born.back()) << born[0] << ' ' << born[1] << ' ' << born[2];
    EXPECT_GT(born.back(), 1000);
}

TEST(whitewater, the_number_of_births_does_not_depend_on_the_step) {
    std::vector<double> born;
    for (const int steps : {1, 4, 16}) {
        Liquid streams(box(32), pool(0.52), collision, 0.02 / steps);
        double sum = 0;
        for (int s = 0; s < steps; ++s) {
            Whitewater white;
            streams.around.step = std::uint32_t(s);
            sum += double(form_whitewater({.amount = 1, .reach = 0.04, .trapped_air_rate = 3e6}, streams.around, white).born);
        }
        born.push_back(sum);
    }
    EXPECT_GT(born[0], 1000);
    EXPECT_NEAR(born[1], born[0], deviation(born[0]));
    EXPECT_NEAR(born[2], born[0], deviation(born[0]));
}

TEST(whitewater, the_amount_is_a_factor_on_the_births) {
    const Liquid streams(box(32), pool(0.52), collision);
    Whitewater white;
    const double once = double(form_whitewater({.amount = 0.4}, streams.around, white).born);
    const double thrice = double(form_whitewater({.amount = 1.2}, streams.around, white).born);
    EXPECT_GT(once, 500);
    EXPECT_NEAR(thrice, 3 * once, deviation(9 * once));
}

TEST(whitewater, spray_without_drag_flies_on_the_exact_parabola) {
    const Liquid liquid(box(32, 4), pool(0.1), at_rest, 0.02);
    Whitewater white = one(WhiteKind::spray, {1, 1, 1}, {2, 0.5f, 4});
    for (int s = 0; s < 40; ++s) move_whitewater({.amount = 1, .air_drag = 0}, liquid.around, white);
    ASSERT_EQ(white.count(), 1u);
    const double t = 0.8;
    EXPECT_NEAR(double(white.position[0].x), 1 + 2 * t, 1e-5);
    EXPECT_NEAR(double(white.position[0].y), 1 + 0.5 * t, 1e-5);
    EXPECT_NEAR(double(white.position[0].z), 1 + 4 * t - 0.5 * 9.81 * t * t, 1e-5);
    EXPECT_EQ(white.kind[0], WhiteKind::spray);
    EXPECT_NEAR(double(white.age[0]), t, 1e-5);
    EXPECT_EQ(white.life[0], 100.0f) << "only foam dissolves";
}

// v_t = sqrt(g / k), k = 3/8 C rho_air / (rho_water r) = 0.375 * 0.5 * 0.0012 / 0.002 = 0.1125 / m
TEST(whitewater, spray_falls_at_the_terminal_speed_of_its_drag) {
    const Liquid liquid(box(16, 200), pool(1), at_rest, 0.01);
    Whitewater white = one(WhiteKind::spray, {100, 100, 190});
    for (int s = 0; s < 600; ++s) move_whitewater({.amount = 1}, liquid.around, white);
    ASSERT_EQ(white.count(), 1u);
    EXPECT_NEAR(double(white.velocity[0].z), -std::sqrt(9.81 / 0.1125), 0.1);
}

TEST(whitewater, bubbles_rise_at_their_terminal_speed_for_any_step) {
    for (const double dt : {0.001, 0.01, 0.05}) {
        const Liquid liquid(box(16, 2), pool(1.9), [](const Vec3d&) { return Vec3d(0.1, 0, 0); }, dt);
        Whitewater white = one(WhiteKind::bubble, {1, 1, 0.2f}, {0.1f, 0, 0});
        const int steps = int(std::lround(1 / dt));
        for (int s = 0; s < steps; ++s) move_whitewater({.amount = 1, .rise = 0.25}, liquid.around, white);
        EXPECT_NEAR(double(white.velocity[0].z), 0.25, 1e-5) << dt;
        const double response = 0.25 / (2 * 9.81);
        EXPECT_NEAR(double(white.position[0].z), 0.2 + 0.25 * (1 - response), 1e-4) << dt;
        EXPECT_NEAR(double(white.position[0].x), 1.1, 1e-4) << "and follow the water";
        EXPECT_EQ(white.kind[0], WhiteKind::bubble);
    }
}

// Deep-water wave of amplitude A (Airy): eta = A sin(kx - wt).
TEST(whitewater, foam_stays_within_a_cell_of_a_travelling_wave) {
    const double k = 2 * pi, w = std::sqrt(9.81 * k), A = 0.04, dt = 0.01;
    const Domain domain{.cells = {32, 4, 32}, .origin = {0, 0.44, 0}, .h = 1.0 / 32};
    Whitewater white;
    for (int n = 0; n < 40; ++n) particles::append(one(WhiteKind::foam, {0.1f + 0.02f * float(n), 0.5f, float(0.5 + A * std::sin(k * (0.1 + 0.02 * n)))}), white);
    double drift = 0;
    for (int s = 0; s < 100; ++s) {
        const double t = s * dt;
        const Liquid wave(
            domain, [&](const Vec3d& p) { return p.z - 0.5 - A * std::sin(k * p.x - w * t); },
            [&](const Vec3d& p) { return Vec3d(std::sin(k * p.x - w * t), 0, -std::cos(k * p.x - w * t)) * (A * w * std::exp(k * (p.z - 0.5))); }, dt);
        move_whitewater({.amount = 1}, wave.around, white);
        for (std::size_t n = 0; n < white.count(); ++n) {
            ASSERT_EQ(white.kind[n], WhiteKind::foam);
            ASSERT_LT(std::fabs(wave.around.level(white.position[n])), 0.1 * domain.h) << "step " << s;
        }
    }
    ASSERT_EQ(white.count(), 40u);
    for (int n = 0; n < 40; ++n) drift += (double(white.position[std::size_t(n)].x) - (0.1 + 0.02 * n)) / 40;
    EXPECT_NEAR(drift, A * A * k * w * 1.0, 0.35 * A * A * k * w) << "Stokes drift at the surface, a^2 k w";
}

TEST(whitewater, kinds_change_where_they_cross_the_surface) {
    const Liquid liquid(box(32), pool(0.5), at_rest, 0.01);
    Whitewater falling = one(WhiteKind::spray, {0.5f, 0.5f, 0.6f}), rising = one(WhiteKind::bubble, {0.5f, 0.5f, 0.45f}), diving = one(WhiteKind::spray, {0.5f, 0.5f, 0.6f}, {0, 0, -16});
    Whitewater flung = one(WhiteKind::foam, {0.5f, 0.5f, 0.62f});
    for (int s = 0; s < 30; ++s) {
        move_whitewater({.amount = 1}, liquid.around, falling);
        move_whitewater({.amount = 1}, liquid.around, rising);
    }
    move_whitewater({.amount = 1}, liquid.around, flung);
    for (int s = 0; s < 2; ++s) move_whitewater({.amount = 1}, liquid.around, diving);
    EXPECT_EQ(falling.kind[0], WhiteKind::foam);
    EXPECT_EQ(rising.kind[0], WhiteKind::foam);
    EXPECT_NEAR(rising.position[0].z, 0.5f, 0.002f);
    EXPECT_EQ(diving.kind[0], WhiteKind::bubble);
    EXPECT_EQ(flung.kind[0], WhiteKind::spray) << "the surface is more than a cell away";
}

TEST(whitewater, foam_dissolves_at_the_end_of_its_life_and_fades_evenly) {
    const Liquid liquid(box(16), pool(0.5), at_rest, 0.01);
    Whitewater white = one(WhiteKind::foam, {0.5f, 0.5f, 0.5f}, {}, 0.105f);
    WhitewaterCounts counts;
    for (int s = 0; s < 5; ++s) counts += move_whitewater({.amount = 1}, liquid.around, white);
    const std::vector<field::Points> half = show_whitewater(white);
    ASSERT_EQ(half.size(), 1u);
    EXPECT_EQ(half[0].name, "foam");
    EXPECT_NEAR(double(half[0].radius[0]), 0.002 * std::cbrt(0.055 / 0.105), 1e-6);
    EXPECT_NEAR(double((*half[0].column<float>("life"))[0]), 0.055, 1e-6);
    EXPECT_NEAR(double((*half[0].column<float>("age"))[0]), 0.05, 1e-6);
    EXPECT_EQ(counts.dissolved, 0);
    for (int s = 0; s < 6; ++s) counts += move_whitewater({.amount = 1}, liquid.around, white);
    EXPECT_EQ(counts.dissolved, 1);
    EXPECT_EQ(white.count(), 0u);
    EXPECT_TRUE(show_whitewater(white).empty());
}

TEST(whitewater, it_leaves_through_open_walls_and_stays_behind_closed_ones) {
    Liquid liquid(box(16), pool(0.1), at_rest, 0.01);
    liquid.around.walls[1].kind = WallKind::open;
    Whitewater white = one(WhiteKind::spray, {0.9f, 0.5f, 0.5f}, {20, 0, 0});
    particles::append(one(WhiteKind::spray, {0.1f, 0.5f, 0.5f}, {-20, 0, 0}), white);
    WhitewaterCounts counts;
    for (int s = 0; s < 4; ++s) counts += move_whitewater({.amount = 1}, liquid.around, white);
    EXPECT_EQ(counts.left, 1);
    ASSERT_EQ(white.count(), 1u);
    EXPECT_NEAR(white.position[0].x, 0, 1e-3);
    EXPECT_NEAR(white.velocity[0].x, 0, 1e-6);
    EXPECT_LT(white.life[0], 100) << "what sticks to a wall dries up";
}

TEST(whitewater, bodies_stop_it) {
    Liquid liquid(box(32), pool(0.05), at_rest, 0.005);
    const std::vector<geom::Body> bodies = {{.name = "ball", .shape = geom::Sphere{.radius = 0.2}, .motion = {.position = Curve<Vec3d>{Vec3d(0.5, 0.5, 0.5)}}}};
    flow::Solids solids;
    rasterize(liquid.around.domain, bodies, 0, solids);
    const std::vector<geom::Placement> placed = geom::place(bodies, 0);
    const flow::BodyContacts contacts(liquid.around.domain, placed, placed);
    liquid.around.solids = &solids, liquid.around.contacts = &contacts;
    Whitewater white;
    for (int n = 0; n < 20; ++n) particles::append(one(WhiteKind::spray, {0.42f + 0.008f * float(n), 0.5f, 0.9f}, {0, 0, -3}), white);
    for (int s = 0; s < 60; ++s) {
        move_whitewater({.amount = 1}, liquid.around, white);
        for (const Vec3f& p : white.position) ASSERT_GT(length(p - Vec3f(0.5f)), 0.2f - 0.1f / 32);
    }
    EXPECT_EQ(white.count(), 20u);
    for (const Vec3f& v : white.velocity) EXPECT_LT(length(v), 3);
}

TEST(whitewater, what_the_limit_keeps_from_being_born_is_counted) {
    const Liquid streams(box(32), pool(0.52), collision);
    Whitewater all, some;
    const WhitewaterCounts free = form_whitewater({.amount = 0.4}, streams.around, all);
    const WhitewaterCounts held = form_whitewater({.amount = 0.4, .limit = 100}, streams.around, some);
    EXPECT_EQ(free.not_born, 0);
    EXPECT_EQ(held.born, 100);
    EXPECT_EQ(held.born + held.not_born, free.born);
    EXPECT_EQ(some.count(), 100u);
    double mean = 0;
    for (const Vec3f& p : some.position) mean += double(p.y) / 100;
    EXPECT_NEAR(mean, 0.5, 5 * 0.29 / 10) << "from everywhere, not from the first cells";
    EXPECT_EQ(form_whitewater({.amount = 0.4, .limit = 100}, streams.around, some).born, 0);
}

TEST(whitewater, a_restart_and_any_number_of_threads_give_the_same_bits) {
    const auto run = [](int threads, int restart) {
        const ThreadLimit limit(threads);
        Liquid streams(box(32), pool(0.52), collision, 0.01);
        Whitewater white;
        for (int s = 0; s < 12; ++s) {
            streams.around.step = std::uint32_t(s);
            move_whitewater({.amount = 0.1, .life = 0.1}, streams.around, white);
            form_whitewater({.amount = 0.1, .life = 0.1}, streams.around, white);
            if (s != restart) continue;
            Whitewater loaded;
            load(save(white), loaded);
            white = loaded;
        }
        return save(white);
    };
    const std::vector<char> reference = run(1, -1);
    EXPECT_GT(reference.size(), 50'000u);
    EXPECT_EQ(run(2, -1), reference);
    EXPECT_EQ(run(2, 5), reference);
}

TEST(whitewater, ids_are_never_given_twice) {
    Liquid streams(box(32), pool(0.52), collision, 0.01);
    Whitewater white;
    std::vector<std::uint64_t> seen;
    for (int s = 0; s < 5; ++s) {
        streams.around.step = std::uint32_t(s);
        form_whitewater({.amount = 0.1}, streams.around, white);
        seen.insert(seen.end(), white.id.begin(), white.id.end());
        white = {.next_id = white.next_id};
    }
    std::vector<std::uint64_t> sorted = seen;
    std::ranges::sort(sorted);
    EXPECT_TRUE(std::ranges::adjacent_find(sorted) == sorted.end());
}

std::string problems_of(const std::string& text) {
    WhitewaterParams params;
    config::Problems problems;
    config::Reader reader(problems, whitewater_table().schema());
    whitewater_table().read(config::parse_yaml(text, "splash.yaml"), reader, params);
    return problems.text();
}

TEST(whitewater, wrong_numbers_are_refused_with_their_place) {
    EXPECT_EQ(problems_of("amount: 2\nlife: 500 ms\n"), "");
    for (const auto& [text, expected] : {std::pair{"amount: -1", "splash.yaml:1:9: amount: "},
                                         {"amount: 1\nlife: 0", "splash.yaml:2:7: life: "},
                                         {"reach: 3 s", "splash.yaml:1:8: reach: "},
                                         {"min_speed: 5\nmax_speed: 2", "splash.yaml:2:12: max_speed: min_speed is 5 and max_speed is 2"},
                                         {"min_impact: 5", "splash.yaml:1:13: min_impact: "},
                                         {"min_bend: 30", "splash.yaml:1:11: min_bend: expected min_bend and max_bend together"},
                                         {"alignment: 1.5", "splash.yaml:1:12: alignment: "},
                                         {"radius: -1 mm", "splash.yaml:1:9: radius: "},
                                         {"limit: 1.5", "splash.yaml:1:8: limit: "},
                                         {"ammount: 1", "splash.yaml:1:1: ammount: "}}) {
        const std::string said = problems_of(text);
        EXPECT_EQ(said.find(expected), 0u) << text << " gave:\n" << said;
    }
}

TEST(whitewater, a_reach_that_the_grid_does_not_resolve_is_announced) {
    EXPECT_EQ(whitewater_note({.amount = 1}, box(100)), "");
    EXPECT_NE(whitewater_note({.amount = 1}, box(20)).find("whitewater.reach is 0.4 cells: one"), std::string::npos);
    EXPECT_NE(whitewater_note({.amount = 1, .reach = 0.1}, box(100)).find("whitewater.reach is 10 cells: four"), std::string::npos);
    EXPECT_EQ(whitewater_note({.amount = 0}, box(20)), "");
}

}  // namespace
}  // namespace phlo::models
