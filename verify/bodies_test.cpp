// Bodies in the whole model: pushed, hot, carrying a catalyst or an emitter, interrupted.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "chem/mechanism/read.h"
#include "scratch_dir.h"
#include "sim/checkpoint.h"
#include "small_scenes.h"
#include "state_bits.h"
#include "threads.h"

namespace phlo::verify {
namespace {

using models::WallKind;

geom::Body free_ball(Vec3d center, double radius, double density) {
    geom::Body body = ball(Curve<Vec3d>(center), radius);
    body.free = geom::FreeMotion{.density = density, .velocity = {}, .spin = {}};
    return body;
}

const geom::RigidState& state_of(const Gas& gas, std::size_t index = 0) { return gas.free_bodies().free()[index].rigid.state; }

const std::string catalysis = R"(
species: [A, {name: P, molar-mass: 29 g/mol}, Pt]
reactions:
- {equation: A + Pt => P + Pt, rate: 50})";

GasScene catalytic_box(int cells, WallKind walls) {
    GasScene setup = empty_box(cells, walls);
    setup.gas.method = models::GasMethod::grid;
    setup.gas.scalar_transport = models::ScalarTransport::conserving;
    setup.mechanism = chem::read_mechanism(config::parse_yaml(catalysis, "test"), "chemistry.mechanism");
    return setup;
}

field::Grid& amount_of(Gas& gas, const std::string& species) {
    for (models::Substance& substance : gas.substances())
        if (substance.name == species) return substance.amount;
    throw std::runtime_error("no species " + species);
}

TEST(Bodies, a_rising_plume_lifts_a_light_ball_and_not_a_heavy_one) {
    double height[2];
    int index = 0;
    for (const double density : {1.3, 30.0}) {
        GasScene setup = plume(32);
        setup.emitters[0].temperature = Curve<double>(700.0);
        setup.bodies = {free_ball({0.5, 0.5, 0.35}, 0.07, density)};
        Gas gas(setup);
        for (int frame = 0; frame < 18; ++frame) gas.advance(1.0 / 24);
        height[index++] = state_of(gas).position.z;
    }
    EXPECT_GT(height[0], 0.45);
    EXPECT_LT(height[1], 0.2);
}

/// How far a ball of this density has moved up after 0.15 s in still air.
double rise_of(double density) {
    GasScene setup = empty_box(40, WallKind::open);
    setup.bodies = {free_ball({0.5, 0.5, 0.5}, 0.12, density)};
    Gas gas(setup);
    for (int frame = 0; frame < 9; ++frame) gas.advance(1.0 / 60);
    return state_of(gas).position.z - 0.5;
}

TEST(Bodies, floating_balls_rise_and_sink_by_archimedes_and_the_gas_they_carry_along) {
    // m a = (rho V - m) g - (rho V / 2) a: half of the displaced gas goes along [lamb1932]
    for (const double density : {0.3, 0.9, 2.4, 12.0}) {
        const double expected = 0.5 * 9.81 * (1.2 - density) / (density + 0.6) * 0.15 * 0.15;
        EXPECT_NEAR(rise_of(density) / expected, 1, 0.12) << density;
    }
    EXPECT_NEAR(rise_of(1.2), 0, 1e-4);
}

/// The fastest gas in a plume that goes through a pile of logs, which touch or lie apart.
double fastest_among_logs(double shift, double apart) {
    GasScene setup = plume(32);
    setup.gas.vorticity = Curve<double>(4.0);
    setup.emitters[0].temperature = Curve<double>(900.0);
    for (int log = 0; log < 4; ++log) {
        geom::Body body = ball(Curve<Vec3d>(Vec3d(0.5 + shift, 0.5 + shift / 2, 0.3)), 0.05);
        body.shape = geom::Capsule{.radius = 0.05, .height = 0.6};
        const double side = log % 2 ? 0.13 : -0.13;
        Vec3d at{0.5 + shift, 0.5 + shift / 2, log < 2 ? 0.3 : 0.4 + apart};
        (log < 2 ? at.y : at.x) += side;
        body.motion.position = Curve<Vec3d>(at);
        body.motion.rotation = Curve<Vec3d>(log < 2 ? Vec3d(0, 1.5707963, 0) : Vec3d(1.5707963, 0, 0));
        setup.bodies.push_back(body);
    }
    Gas gas(setup);
    double fastest = 0;
    for (int frame = 0; frame < 24; ++frame) {
        gas.advance(1.0 / 24);
        for (int axis = 0; axis < 3; ++axis) fastest = std::max(fastest, double(max_abs(gas.velocity()[axis], face_extent(gas.velocity().layout(), axis))));
    }
    return fastest;
}

TEST(Bodies, gas_is_not_shot_out_of_the_slits_between_bodies_that_touch) {
    const double free = fastest_among_logs(0.003, 0.1);
    for (const auto& [shift, apart] : {std::pair(0.003, 0.002), std::pair(0.003, -0.004), std::pair(0.007, 0.002)})
        EXPECT_LT(fastest_among_logs(shift, apart), 1.3 * free) << shift << " " << apart;
}

GasScene busy_scene() {
    GasScene setup = plume(32);
    geom::Body warm = free_ball({0.45, 0.5, 0.5}, 0.1, 2);
    warm.temperature = Curve<double>(250.0);
    warm.heat_capacity = 900;
    geom::Body post = ball(Curve<Vec3d>(Vec3d(0.8, 0.5, 0.4)), 0.1);
    post.temperature = Curve<double>(600.0);
    setup.bodies = {post, warm, free_ball({0.6, 0.45, 0.75}, 0.08, 0.5)};
    models::Emitter halo;
    halo.name = "halo", halo.on = "ball", halo.has_shape = false;
    setup.bodies[2].name = "balloon";
    halo.on = "balloon";
    setup.emitters.push_back(halo);
    return setup;
}

TEST(Bodies, threads_and_restarts_are_bitwise_neutral) {
    const test::ScratchDir dir;
    const auto path = dir.path / "state.bin";
    Gas whole(busy_scene());
    for (int frame = 0; frame < 3; ++frame) whole.advance(1.0 / 24);
    sim::save_checkpoint(path, {.frame = 3, .scene_hash = "a", .build = "b"}, whole.state());
    for (int frame = 0; frame < 3; ++frame) whole.advance(1.0 / 24);
    for (const int threads : {1, 2, 7, 16}) {
        Gas gas(busy_scene());
        test::with_threads(threads, [&] {
            for (int frame = 0; frame < 6; ++frame) gas.advance(1.0 / 24);
        });
        EXPECT_TRUE(state_bits(whole) == state_bits(gas)) << threads << " threads";
    }
    Gas resumed(busy_scene());
    sim::load_checkpoint(path, resumed.state());
    for (int frame = 0; frame < 3; ++frame) resumed.advance(1.0 / 24);
    EXPECT_TRUE(state_bits(whole) == state_bits(resumed));
}

TEST(Bodies, a_hot_body_makes_gas_rise_and_a_cold_one_makes_it_sink) {
    for (const double temperature : {600.0, 150.0}) {
        GasScene setup = empty_box(24, WallKind::open);
        setup.gas.temperature_lift = Curve<double>(0.0335);
        setup.bodies = {ball(Curve<Vec3d>(Vec3d(0.5)), 0.15)};
        setup.bodies[0].temperature = Curve<double>(temperature);
        setup.bodies[0].heat_transfer = 100;
        Gas gas(setup);
        for (int frame = 0; frame < 12; ++frame) gas.advance(1.0 / 24);
        const float above = gas.velocity().z(12, 12, 18), below = gas.velocity().z(12, 12, 6);
        if (temperature > 293) {
            EXPECT_GT(above, 0.02f);
        } else {
            EXPECT_LT(below, -0.02f);
        }
    }
}

TEST(Bodies, heat_of_bodies_is_on_the_ledger_and_it_closes) {
    GasScene setup = catalytic_box(24, WallKind::closed);
    setup.bodies = {free_ball({0.5, 0.5, 0.6}, 0.15, 3)};
    setup.bodies[0].temperature = Curve<double>(500.0);
    Gas gas(setup);
    for (int frame = 0; frame < 6; ++frame) {
        const auto ledger = gas.advance(1.0 / 24).ledger.at("heat");
        EXPECT_GT(ledger.at("bodies"), 0);
        double total = 0;
        for (const auto& [entry, change] : ledger)
            if (entry != "now") total += change;
        EXPECT_NEAR(total, ledger.at("now"), 1e-6 * std::fabs(ledger.at("now")));
    }
}

TEST(Bodies, a_catalyst_moves_with_its_body_and_turns_the_gas_it_passes) {
    GasScene setup = catalytic_box(32, WallKind::closed);
    setup.bodies = {ball(Curve<Vec3d>({{0, {0.3, 0.5, 0.5}}, {1, {0.7, 0.5, 0.5}}}), 0.1)};
    setup.bodies[0].catalyst = {{"Pt", 1.0}};
    setup.bodies[0].catalyst_layer = 0.03;
    Gas gas(setup);
    amount_of(gas, "A").fill(1);
    const double held = gas.amount("Pt"), start = gas.amount("A");
    EXPECT_NEAR(held, 4 * 3.14159 * 0.01 * 0.03, 0.05 * held);
    for (int frame = 0; frame < 24; ++frame) {
        const auto ledger = gas.advance(1.0 / 24).ledger;
        double total = 0;
        for (const auto& [entry, change] : ledger.at("Pt"))
            if (entry != "now") total += change;
        EXPECT_NEAR(total, ledger.at("Pt").at("now"), 1e-6);
    }
    EXPECT_NEAR(gas.amount("Pt"), held, 0.05 * held);
    double moment = 0;
    const field::Grid& pt = amount_of(gas, "Pt");
    for (int k = 0; k < 32; ++k)
        for (int j = 0; j < 32; ++j)
            for (int i = 0; i < 32; ++i) moment += double(pt(i, j, k)) * gas.domain().cell_center(i, j, k).x;
    EXPECT_NEAR(moment / sum(pt), 0.7, 0.01);
    EXPECT_GT(gas.amount("P"), 0.005 * start);
    EXPECT_NEAR(gas.amount("A") + gas.amount("P"), start, 0.03 * start);   // what the ball covers at the start is gone
}

TEST(Bodies, what_a_moving_sphere_pushes_away_flows_back_around_it_and_not_through_it) {
    // A closed box: through the plane at the sphere's middle as much gas flows back as the sphere's cross-section sweeps. The open part of the plane is
    // measured by points, not by the solver's own fractions, and no divergence is asked.
    GasScene setup = empty_box(32, WallKind::closed);
    const double speed = 0.4, radius = 0.2;
    setup.bodies = {ball(Curve<Vec3d>({{0, {0.3, 0.52, 0.47}}, {1, {0.3 + speed, 0.52, 0.47}}}), radius)};
    Gas gas(setup);
    for (int n = 0; n < 4; ++n) gas.step(1.0 / 64);
    const double middle = 0.3 + speed * gas.time();
    const int i = int(std::lround(middle * 32));
    double back = 0;
    for (int k = 0; k < 32; ++k)
        for (int j = 0; j < 32; ++j) {
            double open = 0;
            for (int s = 0; s < 64; ++s) {
                const Vec3d p(i / 32.0, (j + (s % 8 + 0.5) / 8) / 32, (k + (s / 8 + 0.5) / 8) / 32);
                open += length(p - Vec3d(middle, 0.52, 0.47)) > radius ? 1 / 64.0 : 0;
            }
            back += open * double(gas.velocity().x(i, j, k)) / (32 * 32);
        }
    const double off = i / 32.0 - middle, swept = speed * std::numbers::pi * (radius * radius - off * off);
    EXPECT_NEAR(back, -swept, 0.02 * swept);
}

TEST(Bodies, a_stream_between_plates_that_gas_sticks_to_becomes_a_parabola) {
    // Inflow at the left, Re = 10: developed after 0.6 channel widths. Mean of the parabola: two thirds of its peak.
    const auto peak = [](bool no_slip) {
        GasScene setup = empty_box(40, WallKind::closed);
        setup.domain.size = {1, 0.1, 0.5};
        setup.domain.walls[0] = wall(WallKind::inflow), setup.domain.walls[1] = wall(WallKind::open);
        setup.domain.walls[0].velocity = Curve<double>(1.0);
        setup.gas.viscosity = 0.03;
        setup.time.fixed_step = 1.0 / 240;   // the pressure of a step pushes after friction: the profile is off by that push
        for (const double z : {-0.407, 0.907}) {   // surfaces at z = 0.093 and 0.407
            geom::Body plate;
            plate.name = "plate", plate.shape = geom::Box{.size = {4, 4, 1}}, plate.no_slip = no_slip;
            plate.motion.position = Curve<Vec3d>(Vec3d(0.5, 0, z));
            setup.bodies.push_back(plate);
        }
        Gas gas(setup);
        for (int frame = 0; frame < 18; ++frame) gas.advance(1.0 / 24);
        double most = 0, mean = 0;
        for (int k = 0; k < 20; ++k) {
            const double u = double(gas.velocity().x(32, 2, k)), open = double(gas.solids().aperture.x(32, 2, k));
            most = std::max(most, u), mean += open * u / 20 * 0.5 / (0.407 - 0.093);
        }
        return most / mean;
    };
    EXPECT_NEAR(peak(true), 1.5, 0.05);
    EXPECT_NEAR(peak(false), 1, 0.01);
}

/// A plate whose top lies in the middle of a layer of cells, and gas above it.
GasScene half_covered(models::GasMethod method) {
    GasScene setup = catalytic_box(20, WallKind::closed);
    setup.gas.method = method;
    geom::Body plate;
    plate.name = "plate";
    plate.shape = geom::Box{.size = {3, 3, 1}};
    plate.motion.position = Curve<Vec3d>(Vec3d(0.5, 0.5, 0.225 - 0.5));   // up to z = 0.225, the middle of the fifth layer
    setup.bodies = {plate};
    models::Emitter all;
    all.name = "all", all.mode = models::EmitMode::start;
    all.shape = geom::Box{.size = {3, 3, 3}};
    all.species = {{"A", 1.0}};
    setup.emitters = {all};
    return setup;
}

TEST(Bodies, a_half_covered_cell_holds_half) {
    Gas gas(half_covered(models::GasMethod::grid));
    EXPECT_FLOAT_EQ(amount_of(gas, "A")(10, 10, 4), 1);
    EXPECT_EQ(amount_of(gas, "A")(10, 10, 3), 0);
    EXPECT_NEAR(gas.amount("A"), 0.775, 1e-5) << "what is above the plate";
    Gas hybrid(half_covered(models::GasMethod::hybrid));
    EXPECT_NEAR(hybrid.amount("A"), 0.775, 1e-3);
}

TEST(Bodies, still_gas_beside_a_body_stays_as_dense_while_it_spreads) {
    GasScene setup = half_covered(models::GasMethod::grid);
    setup.gas.density_diffusion = 0.02;
    setup.emitters[0].shape = geom::Box{.size = {0.5, 3, 3}};
    Gas gas(setup);
    const double start = gas.amount("A");
    for (int frame = 0; frame < 40; ++frame) gas.advance(1.0);
    EXPECT_NEAR(gas.amount("A"), start, 1e-5 * start);
    const field::Grid& a = amount_of(gas, "A");
    EXPECT_NEAR(a(3, 10, 4), start / 0.775, 1e-3) << "as in the open: not half of it";
    EXPECT_NEAR(a(17, 10, 15), start / 0.775, 1e-3);
}

TEST(Bodies, a_ball_that_moves_through_even_gas_leaves_it_nearly_even_and_loses_none) {
    GasScene setup = catalytic_box(32, WallKind::closed);
    setup.bodies = {ball(Curve<Vec3d>({{0, {0.35, 0.5, 0.5}}, {1, {0.65, 0.5, 0.5}}}), 0.15)};
    setup.emitters = half_covered(models::GasMethod::grid).emitters;
    Gas gas(setup);
    const double start = gas.amount("A");
    EXPECT_NEAR(start, 1 - 4 * 3.14159265 / 3 * std::pow(0.15, 3), 2e-3);
    for (int frame = 0; frame < 12; ++frame) gas.advance(1.0 / 24);
    EXPECT_NEAR(gas.amount("A"), start, 1e-5);
    double off = 0, cells = 0;
    const field::Grid& a = amount_of(gas, "A");
    for (int k = 8; k < 24; ++k)
        for (int j = 8; j < 24; ++j)
            for (int i = 4; i < 28; ++i)
                if (const float open = gas.solids().volume(i, j, k); open > 0.3f && open < 0.999f) off += std::abs(double(a(i, j, k)) - 1), ++cells;
    ASSERT_GT(cells, 100);
    EXPECT_LT(off / cells, 0.2) << "amounts of full cells would be off by half, as much as bodies cover";
}

TEST(Bodies, an_emitter_on_a_body_goes_along) {
    GasScene setup = empty_box(32, WallKind::open);
    setup.bodies = {ball(Curve<Vec3d>({{0, {0.3, 0.5, 0.5}}, {1, {0.7, 0.5, 0.5}}}), 0.08)};
    models::Emitter halo;
    halo.name = "halo", halo.on = "ball", halo.has_shape = false, halo.thickness = 0.04;
    setup.emitters = {halo};
    Gas gas(setup);
    const auto center = [&] {
        double amount = 0, moment = 0;
        for (int k = 0; k < 32; ++k)
            for (int j = 0; j < 32; ++j)
                for (int i = 0; i < 32; ++i)
                    amount += double(gas.density()(i, j, k)), moment += double(gas.density()(i, j, k)) * gas.domain().cell_center(i, j, k).x;
        return moment / amount;
    };
    EXPECT_NEAR(center(), 0.3, 0.01);
    EXPECT_EQ(gas.density()(9, 16, 16), 0);   // inside the ball
    EXPECT_GT(gas.density()(9, 16, 19), 0.5);   // above it
    for (int frame = 0; frame < 24; ++frame) gas.advance(1.0 / 24);
    EXPECT_GT(center(), 0.45);
}

}  // namespace
}  // namespace phlo::verify
