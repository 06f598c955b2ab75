// Bodies that gas eats: they recede at the rate of the reaction, what they lose the gas gains, and what comes loose falls or is gone.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "chem/mechanism/read.h"
#include "geom/sculpture.h"
#include "scratch_dir.h"
#include "sim/checkpoint.h"
#include "sim/ledger_summary.h"
#include "small_scenes.h"
#include "state_bits.h"
#include "threads.h"

namespace phlo::verify {
namespace {

using models::WallKind;
constexpr double pi = std::numbers::pi;
constexpr double speed = 0.05;   ///< at which a surface recedes before a mole of acid a cubic metre [m/s]

/// `lean`: the solid is thin stuff, so that the gas hardly notices what it eats and stays as it is.
std::string acid_and_stone(bool lean) {
    const double k = lean ? 1e-4 : 0.02;
    return fmt::format("species: [Acid, {{name: Salt, molar-mass: 29 g/mol}}, {{name: Stone, molar-density: {} mol/m^3}}]\n"
                       "reactions:\n- {{equation: Acid + Stone => Salt, rate: {} m/s}}", k / speed, k);
}

/// Room that opens is filled at once.
models::Emitter acid_everywhere() {
    models::Emitter emitter;
    emitter.shape = geom::Box{.size = {3, 3, 3}};
    emitter.motion.position = Curve<Vec3d>(Vec3d(0.5));
    emitter.species = {{"Acid", Curve<double>(1.0), {}}};
    return emitter;
}

GasScene eaten(int cells, bool lean, WallKind walls, geom::Body body) {
    GasScene setup = empty_box(cells, walls);
    setup.gas.method = models::GasMethod::grid;
    setup.gas.scalar_transport = models::ScalarTransport::conserving;
    setup.mechanism = chem::read_mechanism(config::parse_yaml(acid_and_stone(lean), "test"), "chemistry.mechanism");
    setup.chemistry.ambient = {{"Acid", 1.0, {}}};
    if (lean) setup.emitters = {acid_everywhere()};
    body.erosion.species = "Stone";
    setup.bodies = {std::move(body)};
    return setup;
}

GasScene eaten_ball(int cells, bool lean = true, WallKind walls = WallKind::open) {
    return eaten(cells, lean, walls, ball(Curve<Vec3d>(Vec3d(0.5, 0.5, 0.5)), 0.3));
}

int stone_of(const GasScene& setup) { return setup.mechanism->find("Stone"); }

/// Of the ball with the volume that is left [m].
double radius_left(const Gas& gas, const GasScene& setup) { return std::cbrt(gas.eroding().volume(stone_of(setup)) * 3 / (4 * pi)); }

/// Relative, of what the radius loses in a second, with steps in proportion to the cells.
double error_of_loss(int cells) {
    const GasScene setup = eaten_ball(cells);
    Gas gas(setup);
    const double before = radius_left(gas, setup);
    const int steps = 12 * cells / 10;
    for (int step = 0; step < steps; ++step) gas.advance(1.0 / steps);
    return (before - radius_left(gas, setup)) / speed - 1;
}

TEST(Erosion, a_ball_in_uniform_gas_loses_radius_at_the_rate_of_the_reaction_and_half_the_cells_half_the_error) {
    const double coarse = std::fabs(error_of_loss(10)), middle = std::fabs(error_of_loss(20)), fine = std::fabs(error_of_loss(40));
    EXPECT_LT(coarse, 0.04);
    EXPECT_LT(middle, 0.6 * coarse);
    EXPECT_LT(fine, 0.6 * middle);
    RecordProperty("errors", fmt::format("{} {} {}", coarse, middle, fine));
}

TEST(Erosion, the_gas_gains_what_the_ball_loses_and_the_ledger_knows_it) {
    const GasScene setup = eaten_ball(24, false, WallKind::closed);
    Gas gas(setup);
    const double density = *setup.mechanism->species[std::size_t(stone_of(setup))].molar_density;
    const double moles = gas.amount("Stone"), volume = gas.eroding().volume(stone_of(setup));
    EXPECT_NEAR(moles / (density * 4 / 3 * pi * 0.027), 1, 0.005);
    sim::LedgerSummary summary;
    for (int frame = 0; frame < 24; ++frame) summary.add(gas.advance(1.0 / 24).ledger);
    const double salt = gas.amount("Salt");
    EXPECT_GT(salt, 0.05 * moles);
    EXPECT_NEAR((moles - gas.amount("Stone")) / salt, 1, 1e-5);
    EXPECT_NEAR(density * (volume - gas.eroding().volume(stone_of(setup))) / salt, 1, 1e-3);
    for (const auto& [quantity, entries] : gas.advance(1.0 / 24).ledger) {
        EXPECT_LT(summary.imbalance(quantity), 1e-6) << quantity;
        EXPECT_LT(summary.chemistry_error(quantity), 1e-6) << quantity;
    }
}

TEST(Erosion, a_reaction_that_swells_makes_its_volume_for_each_mole_of_stone_and_the_books_still_close) {
    GasScene setup = eaten_ball(20);
    setup.chemistry.expansion = "400*r1";   // 400 m³ for a mole
    Gas gas(setup);
    sim::LedgerSummary summary;
    double swelled = 0, before = 0;
    for (int frame = 0; frame < 24; ++frame) {
        if (frame == 8) before = gas.amount("Stone");   // what was asked for at first has been given by now
        const models::FrameStats stats = gas.advance(1.0 / 24);
        if (frame >= 8) swelled += stats.number("expanded");
        summary.add(stats.ledger);
    }
    const double lost = before - gas.amount("Stone");
    EXPECT_NEAR(swelled / (400 * lost), 1, 0.02);
    EXPECT_GT(swelled, 0.01);
    for (const auto& [quantity, entries] : gas.advance(1.0 / 24).ledger) {
        EXPECT_LT(summary.imbalance(quantity), 1e-6) << quantity;
        EXPECT_LT(summary.chemistry_error(quantity), 1e-6) << quantity;
    }
}

TEST(Erosion, an_event_that_takes_two_moles_of_the_solid_recedes_twice_as_fast) {
    double lost[2];
    for (int n = 0; n < 2; ++n) {
        GasScene setup = eaten_ball(16);
        if (n == 1) {
            std::string text = acid_and_stone(true);
            text.replace(text.find("+ Stone"), 7, "+ 2 Stone");
            setup.mechanism = chem::read_mechanism(config::parse_yaml(text, "test"), "chemistry.mechanism");
        }
        Gas gas(setup);
        for (int frame = 0; frame < 12; ++frame) gas.advance(1.0 / 24);
        lost[n] = 0.3 - radius_left(gas, setup);
    }
    EXPECT_NEAR(lost[1] / lost[0], 2, 0.02);
}

TEST(Erosion, cut_cells_follow_the_surface) {
    const GasScene setup = eaten_ball(32);
    Gas gas(setup);
    for (int frame = 0; frame < 24; ++frame) gas.advance(1.0 / 24);
    EXPECT_NEAR(solid_volume(gas.domain(), gas.solids()) / gas.eroding().volume(stone_of(setup)), 1, 0.02);
    const field::Frame frame = gas.show();
    ASSERT_EQ(frame.surfaces.size(), 1u);
    double farthest = 0;
    for (const Vec3f& p : frame.surfaces[0].mesh.points) farthest = std::max(farthest, length(Vec3d(p) - Vec3d(0.5)));
    EXPECT_NEAR(farthest, 0.3 - speed, 0.004);
}

/// Two blocks with a neck between them, standing on the floor. The neck is eaten first.
GasScene hourglass(bool falls) {
    geom::Sculpture shape{.parts = {{.shape = geom::Box{.size = {0.3, 0.3, 0.3}}, .position = {0, 0, -0.25}},
                                    {.shape = geom::Box{.size = {0.24, 0.24, 0.24}}, .position = {0, 0, 0.25}},
                                    {.shape = geom::Cylinder{.radius = 0.06, .height = 0.5}}},
                          .smooth = 0,
                          .detail = 60};
    geom::Body body;
    body.name = "hourglass";
    body.shape = geom::Mesh{geom::sculpt(shape), {}, 1};
    body.motion.position = Curve<Vec3d>(Vec3d(0.5, 0.5, 0.4));
    body.erosion.loose_falls = falls;
    body.erosion.loose_density = 300;
    GasScene setup = eaten(24, true, WallKind::open, body);
    setup.domain.walls[4] = wall(WallKind::closed);
    return setup;
}

TEST(Erosion, what_comes_loose_falls) {
    const GasScene setup = hourglass(true);
    Gas gas(setup);
    int broken = 0;
    double height = 0, moles_before = 0, moles_after = 0;
    for (int frame = 0; frame < 48 && broken == 0; ++frame) {
        moles_before = gas.amount("Stone");
        const models::FrameStats stats = gas.advance(1.0 / 24);
        moles_after = gas.amount("Stone");
        if (gas.free_bodies().any()) broken = frame, height = gas.free_bodies().free()[0].rigid.state.position.z;
        EXPECT_NEAR(moles_after - moles_before, stats.ledger.at("Stone").at("reacted"), 0.02 * moles_before);
    }
    // The neck has a radius of 6 cm: at 5 cm/s it is through after 1.2 s, or when it is thinner than a sample of 2 cm.
    EXPECT_GE(broken, 18);
    EXPECT_LE(broken, 29);
    EXPECT_NEAR(height, 0.4 + 0.25, 0.03);
    ASSERT_EQ(gas.free_bodies().free().size(), 1u);
    const double side = 0.24 - 2 * speed * (broken + 1) / 24, sample = 1.0 / 48;
    const double stub = pi * sample * sample * 0.115;   // half of the neck hangs from it, a sample thick
    EXPECT_NEAR(gas.free_bodies().free()[0].rigid.mass.mass / (300 * (side * side * side + stub)), 1, 0.15);
    for (int frame = 0; frame < 4; ++frame) gas.advance(1.0 / 24);
    const double fallen = height - gas.free_bodies().free()[0].rigid.state.position.z;
    EXPECT_GT(fallen, 0.04);
    EXPECT_LT(fallen, 0.5 * 9.81 * std::pow(5.0 / 24, 2));
    EXPECT_EQ(gas.show().surfaces.size(), 2u);
    for (int frame = 0; frame < 12; ++frame) gas.advance(1.0 / 24);   // and lies on what is left below, or beside it
    EXPECT_GT(gas.free_bodies().free()[0].rigid.state.position.z, 0.02);
}

TEST(Erosion, what_comes_loose_vanishes_by_choice_and_is_on_the_ledger) {
    const GasScene setup = hourglass(false);
    Gas gas(setup);
    sim::LedgerSummary summary;
    double vanished = 0, side = 0;
    for (int frame = 0; frame < 36; ++frame) {
        const models::FrameStats stats = gas.advance(1.0 / 24);
        summary.add(stats.ledger);
        const auto& stone = stats.ledger.at("Stone");
        if (!stone.contains("vanished") || vanished > 0) continue;
        vanished = -stone.at("vanished");
        side = 0.24 - 2 * speed * (frame + 1) / 24;
    }
    EXPECT_FALSE(gas.free_bodies().any());
    const double density = *setup.mechanism->species[std::size_t(stone_of(setup))].molar_density;
    EXPECT_NEAR(vanished / (density * side * side * side), 1, 0.2);
    EXPECT_LT(summary.imbalance("Stone"), 1e-6);
    EXPECT_NEAR(gas.amount("Stone") / (density * gas.eroding().volume(stone_of(setup))), 1, 1e-2);
}

TEST(Erosion, a_body_that_is_all_eaten_leaves_gas_alone) {
    geom::Body small = ball(Curve<Vec3d>(Vec3d(0.5)), 0.08);
    small.free = geom::FreeMotion{.density = 1.2, .velocity = {}, .spin = {}};
    Gas gas(eaten(24, true, WallKind::open, small));
    sim::LedgerSummary summary;
    for (int frame = 0; frame < 48; ++frame) summary.add(gas.advance(1.0 / 24).ledger);
    EXPECT_EQ(gas.amount("Stone"), 0);
    EXPECT_EQ(solid_volume(gas.domain(), gas.solids()), 0);
    EXPECT_LT(summary.imbalance("Stone"), 1e-6);
    EXPECT_LT(max_speed(gas.velocity()), 0.2);
}

TEST(Erosion, threads_and_restarts_are_bitwise_neutral) {
    const test::ScratchDir dir;
    const auto path = dir.path / "state.bin";
    GasScene setup = hourglass(true);
    setup.bodies[0].erosion.grain = 1, setup.bodies[0].erosion.grain_scale = 0.1;
    Gas whole(setup), one(setup), seven(setup);
    constexpr int first = 30, more = 4;   // it is broken by then
    for (int frame = 0; frame < first; ++frame) whole.advance(1.0 / 24);
    ASSERT_TRUE(whole.free_bodies().any());
    sim::save_checkpoint(path, {.frame = first, .scene_hash = "a", .build = "b"}, whole.state());
    for (int frame = 0; frame < more; ++frame) whole.advance(1.0 / 24);
    for (int frame = 0; frame < first + more; ++frame) {
        test::with_threads(1, [&] { one.advance(1.0 / 24); });
        test::with_threads(7, [&] { seven.advance(1.0 / 24); });
    }
    EXPECT_TRUE(state_bits(whole) == state_bits(one));
    EXPECT_TRUE(state_bits(whole) == state_bits(seven));
    Gas resumed(setup);
    sim::load_checkpoint(path, resumed.state());
    for (int frame = 0; frame < more; ++frame) resumed.advance(1.0 / 24);
    EXPECT_TRUE(state_bits(whole) == state_bits(resumed));
}

}  // namespace
}  // namespace phlo::verify
