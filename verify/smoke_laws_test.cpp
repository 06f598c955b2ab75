// What smoke must do whatever the parameters: rest at rest, conserve, mirror, meet.
#include <gtest/gtest.h>

#include "small_scenes.h"

namespace phlo::verify {
namespace {

using models::ScalarTransport;
using models::WallKind;

TEST(Smoke, still_column_in_gravity_stays_still) {
    for (const WallKind ceiling : {WallKind::closed, WallKind::open}) {
        GasScene setup = empty_box(24);
        setup.domain.walls[5] = wall(ceiling);
        setup.gas.density_weight = Curve<double>(9.81);
        Gas smoke(setup);
        fill_cells(smoke.domain(), smoke.density(), [](const Vec3d& p) { return 2 - p.z; });   // layered: heavier below
        for (int frame = 0; frame < 10; ++frame) smoke.advance(1.0 / 24);
        EXPECT_LT(max_speed(smoke.velocity()), 2e-4);   // free fall would reach 4 m/s
    }
}

TEST(Smoke, pocket_enclosed_by_bodies_stays_at_rest_and_bounded) {
    GasScene setup = plume(32);
    const auto plank = [](Vec3d center, Vec3d size) {
        geom::Body body;
        body.name = "plank";
        body.shape = geom::Box{.size = size};
        body.motion.position = Curve<Vec3d>(center);
        return body;
    };
    // A closed chest: floor, lid and four sides around a pocket of heavy gas.
    const double w = 0.09;
    for (const double s : {-0.2, 0.2}) {
        setup.bodies.push_back(plank({0.5 + s, 0.5, 0.6}, {w, 0.5, 0.5}));
        setup.bodies.push_back(plank({0.5, 0.5 + s, 0.6}, {0.5, w, 0.5}));
        setup.bodies.push_back(plank({0.5, 0.5, 0.6 + s}, {0.5, 0.5, w}));
    }
    setup.gas.density_weight = Curve<double>(3.0);
    Gas smoke(setup);
    const int c = 16, top = 19;
    for (int k = 0; k < 32; ++k)
        for (int j = 0; j < 32; ++j)
            for (int i = 0; i < 32; ++i) {
                const Vec3d d = smoke.domain().cell_center(i, j, k) - Vec3d(0.5, 0.5, 0.6);
                const bool inside = std::max({std::fabs(d.x), std::fabs(d.y), std::fabs(d.z)}) < 0.2;
                if (inside && !smoke.solids().covered(i, j, k)) smoke.density()(i, j, k) = 1;
            }
    for (int frame = 0; frame < 20; ++frame) {
        const models::FrameStats stats = smoke.advance(1.0 / 24);
        ASSERT_TRUE(std::isfinite(stats.number("divergence.max")));
    }
    ASSERT_FALSE(smoke.solids().covered(c, c, top));
    EXPECT_LT(std::fabs(smoke.velocity().z(c, c, top)), 1e-3);   // free fall would reach 2.5 m/s
    EXPECT_LT(max_speed(smoke.velocity()), 10);
}

double relative_drift(ScalarTransport transport) {
    GasScene setup = empty_box(32);
    setup.gas.scalar_transport = transport;
    setup.gas.temperature_lift = Curve<double>(0.0335);
    setup.gas.activity_threshold = 0;
    Gas smoke(setup);
    const auto ball = [](const Vec3d& p) { return std::exp(-60 * dot(p - Vec3d(0.45, 0.5, 0.35), p - Vec3d(0.45, 0.5, 0.35))); };
    fill_cells(smoke.domain(), smoke.density(), ball);
    fill_cells(smoke.domain(), smoke.excess_temperature(), [&](const Vec3d& p) { return 200 * ball(p); });
    const double before = sum(smoke.density());
    for (int frame = 0; frame < 48; ++frame) smoke.advance(1.0 / 24);
    return sum(smoke.density()) / before - 1;
}

TEST(Smoke, closed_box_conserves_density_with_the_conserving_transport) {
    EXPECT_LT(std::fabs(relative_drift(ScalarTransport::conserving)), 1e-6);
}

TEST(Smoke, drift_of_the_other_transports_is_known) {
    for (const auto& [name, transport] : {std::pair{"trilinear", ScalarTransport::trilinear}, {"cubic", ScalarTransport::cubic},
                                          {"maccormack", ScalarTransport::maccormack}}) {
        const double drift = relative_drift(transport);
        std::printf("density drift of %s over 48 frames in a closed box: %+.2f %%\n", name, 100 * drift);
        EXPECT_LT(std::fabs(drift), 0.25);
        EXPECT_GT(std::fabs(drift), 1e-6) << "as good as the conserving one: is it really used?";
    }
}

TEST(Smoke, ledger_closes_every_frame) {
    for (const ScalarTransport transport : {ScalarTransport::maccormack, ScalarTransport::conserving}) {
        GasScene setup = plume(24);
        setup.gas.scalar_transport = transport;
        setup.gas.dissolve = 0.5;
        setup.bodies = {ball(Curve<Vec3d>({{0, {0.2, 0.5, 0.5}}, {0.5, {0.8, 0.5, 0.5}}}), 0.12)};
        Gas smoke(setup);
        for (int frame = 0; frame < 10; ++frame) {
            const auto ledger = smoke.advance(1.0 / 24).ledger.at("density");
            double total = 0;
            for (const auto& [entry, change] : ledger)
                if (entry != "now") total += change;
            EXPECT_NEAR(total, ledger.at("now"), 1e-6 * ledger.at("now"));
            // What the conserving transport moves is known face by face: no entry makes up for what was lost.
            EXPECT_EQ(ledger.contains("transported"), transport != ScalarTransport::conserving);
        }
    }
}

TEST(Smoke, rates_are_per_second_whatever_the_sub_step) {
    for (const double step : {1.0 / 24, 1.0 / 120}) {
        GasScene setup = empty_box(16);
        setup.time.fixed_step = step;
        setup.gas.dissolve = 2;
        setup.gas.cooling = 3;
        Gas decaying(setup);
        decaying.density().fill(1);
        decaying.excess_temperature().fill(100);
        setup.gas.dissolve = setup.gas.cooling = 0;
        models::Emitter source = hot_ball({0.5, 0.5, 0.5}, 0.3);
        source.mode = models::EmitMode::add;
        source.density = Curve<double>(6.0);
        source.temperature = Curve<double>(setup.gas.ambient_temperature + 600);
        setup.emitters = {source};
        Gas filling(setup);
        for (int frame = 0; frame < 12; ++frame) decaying.advance(1.0 / 24), filling.advance(1.0 / 24);
        EXPECT_NEAR(decaying.density()(8, 8, 8), std::exp(-2 * 0.5), 1e-4);
        EXPECT_NEAR(decaying.excess_temperature()(8, 8, 8), 100 * std::exp(-3 * 0.5), 1e-2);
        EXPECT_NEAR(filling.density()(8, 8, 8), 6 * 0.5, 1e-4);
        EXPECT_NEAR(filling.excess_temperature()(8, 8, 8), 600 * 0.5, 1e-2);
    }
}

TEST(Smoke, a_frame_takes_as_many_sub_steps_as_its_speed_needs_and_says_when_it_may_not) {
    // A stream of 8 m/s through 16 cells of 1/16 m: 5.33 cells a frame.
    const auto stream = [](double cfl, int most) {
        GasScene setup = empty_box(16);
        setup.domain.walls[0] = wall(WallKind::inflow), setup.domain.walls[1] = wall(WallKind::open);
        setup.domain.walls[0].velocity = Curve<double>(8.0);
        setup.time.cfl = cfl, setup.time.max_substeps = most;
        Gas gas(setup);
        gas.advance(1.0 / 24);   // from rest
        const models::FrameStats stats = gas.advance(1.0 / 24);
        EXPECT_NEAR(max_speed(gas.velocity()), 8, 0.01);
        EXPECT_NEAR(stats.dt * stats.substeps, 1.0 / 24, 1e-12);
        EXPECT_NEAR(gas.time(), 2.0 / 24, 1e-12);
        return std::pair(stats.substeps, gas.warnings.said().contains("max_substeps"));
    };
    EXPECT_EQ(stream(6, 32), std::pair(1, false));
    EXPECT_EQ(stream(2, 32), std::pair(3, false));
    EXPECT_EQ(stream(0.5, 32), std::pair(11, false));
    EXPECT_EQ(stream(0.5, 11), std::pair(11, false));
    EXPECT_EQ(stream(0.5, 4), std::pair(4, true));
}

TEST(Smoke, every_inflow_wall_brings_smoke_into_an_empty_box) {
    for (std::size_t w = 0; w < 6; ++w) {
        GasScene setup = empty_box(48, WallKind::open);
        setup.domain.walls[w] = wall(WallKind::inflow);
        setup.domain.walls[w].velocity = Curve<double>(1.0);
        setup.domain.walls[w].density = Curve<double>(1.0);
        Gas smoke(setup);
        for (int frame = 0; frame < 6; ++frame) smoke.advance(1.0 / 24);
        const double came = sum(smoke.density()) / double(smoke.density().layout().cell_count());
        EXPECT_GT(came, 0.12) << w;  // a quarter of a second at 1 m/s, less what leaves sideways
    }
}

TEST(Smoke, plume_keeps_its_mirror_symmetry) {
    GasScene setup = plume(32);
    setup.gas.vorticity = Curve<double>(1.0);
    Gas smoke(setup);
    for (int frame = 0; frame < 16; ++frame) smoke.advance(1.0 / 24);
    const field::Grid& d = smoke.density();
    double most = 0, across_x = 0, across_y = 0;
    for (int k = 0; k < 32; ++k)
        for (int j = 0; j < 32; ++j)
            for (int i = 0; i < 32; ++i) {
                most = std::max(most, double(d(i, j, k)));
                across_x = std::max(across_x, std::fabs(double(d(i, j, k) - d(31 - i, j, k))));
                across_y = std::max(across_y, std::fabs(double(d(i, j, k) - d(i, 31 - j, k))));
            }
    EXPECT_GT(most, 0.9);
    EXPECT_LT(across_x, 1e-2);
    EXPECT_LT(across_y, 1e-2);
}

/// Where the smoke of a plume is, on average, along x.
double mean_x(const Gas& smoke, const field::Grid& density, int first, int last) {
    double weight = 0, moment = 0;
    for (int k = first; k < last; ++k)
        for (int j = 0; j < smoke.domain().cells.y; ++j)
            for (int i = 0; i < smoke.domain().cells.x; ++i) {
                weight += double(density(i, j, k));
                moment += double(density(i, j, k)) * smoke.domain().cell_center(i, j, k).x;
            }
    return moment / weight;
}

TEST(Smoke, two_plumes_across_a_gap_feel_each_other_with_activity_on) {
    // Two jets side by side: each one's inflow pulls the other over, through tiles that hold no smoke.
    const auto centre_of_left = [](bool right_too, double activity) {
        GasScene setup = plume(48);
        setup.gas.activity_threshold = activity;
        setup.emitters = {hot_ball({0.3, 0.5, 0.15}, 0.08)};
        if (right_too) setup.emitters.push_back(hot_ball({0.7, 0.5, 0.15}, 0.08));
        Gas smoke(setup);
        for (int frame = 0; frame < 20; ++frame) smoke.advance(1.0 / 24);
        field::Grid left = smoke.density();
        for (int k = 0; k < 48; ++k)
            for (int j = 0; j < 48; ++j)
                for (int i = 24; i < 48; ++i) left(i, j, k) = 0;
        return mean_x(smoke, left, 12, 40);
    };
    const double alone = centre_of_left(false, 1e-3), together = centre_of_left(true, 1e-3), everywhere = centre_of_left(true, 0);
    EXPECT_GT(together - alone, 0.004) << "the plume does not lean towards the other";
    EXPECT_NEAR(together, everywhere, 0.25 * (together - alone)) << "skipping calm tiles changes the flow";
}

TEST(Smoke, jet_from_a_nozzle_is_nowhere_much_faster_than_it_is_blown) {
    // The nozzle's rim leaves slits of a hundredth of a face. Nothing carries away what is inside a body: what the pressure adds there,
    // step after step, must not pile up.
    const Curve<Vec3d> along_x(Vec3d(0, std::acos(-1.0) / 2, 0));
    GasScene setup = empty_box(32, WallKind::open);
    geom::Body nozzle;
    nozzle.shape = geom::Cylinder{.radius = 0.13, .height = 0.2};
    nozzle.motion = {.position = Curve<Vec3d>(Vec3d(0.2, 0.5, 0.5)), .rotation = along_x};
    models::Emitter jet;
    jet.shape = geom::Cylinder{.radius = 0.1, .height = 0.1};
    jet.motion = {.position = Curve<Vec3d>(Vec3d(0.35, 0.5, 0.5)), .rotation = along_x};
    jet.sets_velocity = true;
    jet.velocity = Curve<Vec3d>(Vec3d(1, 0, 0));
    setup.bodies = {nozzle};
    setup.emitters = {jet};
    Gas smoke(setup);
    for (int frame = 0; frame < 24; ++frame) {
        smoke.advance(1.0 / 24);
        ASSERT_LT(max_speed(smoke.velocity()), 1.25) << "frame " << frame;
    }
}

TEST(Smoke, colliding_jets_meet_and_deflect) {
    GasScene setup = empty_box(40, WallKind::open);
    models::Emitter left = hot_ball({0.2, 0.5, 0.5}, 0.08), right = hot_ball({0.8, 0.5, 0.5}, 0.08);
    left.sets_velocity = right.sets_velocity = true;
    left.velocity = Curve<Vec3d>(Vec3d(1, 0, 0));
    right.velocity = Curve<Vec3d>(Vec3d(-1, 0, 0));
    setup.emitters = {left, right};
    Gas smoke(setup);
    for (int frame = 0; frame < 30; ++frame) smoke.advance(1.0 / 24);
    // They stop each other in the middle plane and spread sideways.
    double sideways = 0, through = 0;
    for (int k = 0; k < 40; ++k)
        for (int j = 0; j < 40; ++j) {
            through = std::max(through, std::fabs(double(smoke.velocity().x(20, j, k))));
            sideways = std::max(sideways, std::fabs(double(smoke.velocity().y(20, j, k))));
        }
    EXPECT_GT(sideways, 0.2);
    EXPECT_LT(through, 0.25 * sideways);
}

TEST(Smoke, body_moved_through_smoke_piles_up_no_density) {
    GasScene setup = plume(32);
    setup.bodies = {ball(Curve<Vec3d>({{0, {0.1, 0.5, 0.45}}, {1, {0.9, 0.5, 0.45}}}), 0.12)};
    Gas smoke(setup);
    for (int frame = 0; frame < 24; ++frame) smoke.advance(1.0 / 24);
    EXPECT_LT(max_abs(smoke.density(), smoke.domain().cells), 1.5);   // the source holds 1
}

TEST(Smoke, body_moved_through_smoke_leaves_none_inside_itself) {
    for (const ScalarTransport transport : {ScalarTransport::maccormack, ScalarTransport::conserving}) {
        GasScene setup = empty_box(32);
        setup.gas.scalar_transport = transport;
        setup.bodies = {ball(Curve<Vec3d>({{0, {0.2, 0.5, 0.5}}, {1, {0.8, 0.5, 0.5}}}), 0.15)};
        Gas smoke(setup);
        fill_cells(smoke.domain(), smoke.density(), [](const Vec3d&) { return 1; });
        for (int frame = 0; frame < 20; ++frame) {
            smoke.advance(1.0 / 24);
            double inside = 0;
            long covered = 0;
            for (int k = 0; k < 32; ++k)
                for (int j = 0; j < 32; ++j)
                    for (int i = 0; i < 32; ++i)
                        if (smoke.solids().covered(i, j, k)) ++covered, inside += std::fabs(double(smoke.density()(i, j, k)));
            EXPECT_GT(covered, 200);
            EXPECT_EQ(inside, 0);
        }
    }
}

}  // namespace
}  // namespace phlo::verify
