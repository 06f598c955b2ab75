// A liquid that is warm here and cold there: its heat is carried, poured, thrown and kept, and leaves through the surface.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "base/parallel.h"
#include "field/liquid_shares.h"
#include "liquid_cup.h"
#include "models/liquid/liquid.h"
#include "models/liquid/substance.h"

namespace phlo::models {
namespace {

constexpr double frame = 1.0 / 48, cold = 280, hot = 360;

/// Cold water, and a stream of hot water that falls into it.
LiquidSetup hot_into_cold() {
    LiquidSetup setup;
    setup.liquid.heat.temperature = cold;
    LiquidEmitter pool, jug;
    pool.name = "pool", pool.shape = geom::Box{.size = {1, 1, 0.08}};
    jug.name = "jug", jug.temperature = Curve<double>(hot), jug.shape = geom::Box{.size = {0.02, 0.02, 0.012}}, jug.motion.position = Curve<Vec3d>(Vec3d(0.003, 0.002, 0.08));
    jug.mode = LiquidMode::pour, jug.velocity = Curve<Vec3d>(Vec3d(0, 0, -0.6));
    setup.emitters = {pool, jug};
    return setup;
}

double joules(double volume, double kelvin) { return volume * 998 * 4182 * kelvin; }

TEST(liquid_heat, what_is_poured_is_kept_and_nothing_gets_colder_or_hotter) {
    Liquid liquid(cup(), hot_into_cold());
    double poured = 0, heat = liquid.first_stats().number("heat");
    EXPECT_NEAR(heat, joules(liquid.volume() - 0.08 * 0.08 * 0.04, hot - cold), 0.02 * heat);
    for (int f = 0; f < 10; ++f) {
        const FrameStats stats = liquid.advance(frame);
        poured += stats.ledger.at("volume").at("poured");
        EXPECT_NEAR(stats.ledger.at("heat").at("poured"), joules(stats.ledger.at("volume").at("poured"), hot - cold), 1e-3 * heat) << "all that is poured is hot";
        heat += stats.ledger.at("heat").at("poured");
        EXPECT_NEAR(stats.number("heat"), heat, (f < 4 ? 0.08 : 0.02) * heat) << f;   // what a thin stream loses is mended where it has mixed
        EXPECT_EQ(stats.number("heat"), stats.ledger.at("heat").at("now"));
        const Vec3i n = liquid.domain().cells;
        for (int k = 0; k < n.z; ++k)
            for (int j = 0; j < n.y; ++j)
                for (int i = 0; i < n.x; ++i) ASSERT_TRUE(liquid.temperature(i, j, k) >= cold - 1e-4 && liquid.temperature(i, j, k) <= hot + 1e-4) << i << ' ' << j << ' ' << k;
    }
    EXPECT_GT(poured, 1e-5) << "enough to tell";
}

TEST(liquid_heat, an_even_temperature_stays_even) {
    LiquidSetup setup = hot_into_cold();
    setup.liquid.heat.surroundings = 300, setup.emitters[1].temperature.reset();   // 280 K, between what the scene knows
    setup.liquid.heat.temperature = 290, setup.emitters[0].temperature = Curve<double>(290);
    setup.emitters.push_back(setup.emitters[1]);
    setup.emitters[2].name = "off", setup.emitters[2].strength = Curve<double>(0.0), setup.emitters[2].temperature = Curve<double>(250);
    Liquid liquid(cup(), setup);
    for (int f = 0; f < 6; ++f) liquid.advance(frame);
    const Vec3i n = liquid.domain().cells;
    for (int k = 0; k < n.z; ++k)
        for (int j = 0; j < n.y; ++j)
            for (int i = 0; i < n.x; ++i) ASSERT_NEAR(liquid.temperature(i, j, k), 290, 1e-3);
}

/// Of a ball that hangs still, in a time so short that its skin stays hot.
TEST(liquid_heat, a_surface_loses_its_area_times_the_difference) {
    for (const double around : {300.0, 450.0}) {
        Shot shot = cup();
        LiquidSetup setup;
        setup.liquid.gravity = Curve<Vec3d>(Vec3d());
        setup.liquid.heat = {.temperature = 400, .surroundings = around, .cooling = 50};
        LiquidEmitter ball;
        ball.name = "ball", ball.shape = geom::Sphere{.radius = 0.03}, ball.motion.position = Curve<Vec3d>(Vec3d(0.001, 0, 0.05));
        setup.emitters = {ball};
        Liquid liquid(shot, setup);
        const FrameStats stats = liquid.advance(frame);
        const double wanted = 50 * 4 * std::numbers::pi * 0.03 * 0.03 * (400 - around) * frame;
        EXPECT_NEAR(-stats.ledger.at("heat").at("cooled") / wanted, 1, 0.02) << around;
        EXPECT_NEAR((stats.ledger.at("heat").at("start") - stats.ledger.at("heat").at("now")) / wanted, 1, 0.02) << around;
    }
}

TEST(liquid_heat, substances_get_thin_as_their_law_says_and_scenes_may_say_otherwise) {
    LiquidSetup setup;
    setup.liquid.substance = "honey";
    setup.liquid.heat = {.temperature = 293.15, .surroundings = 333.15};
    const TemperatureSpan span = temperature_span(cup(), setup);
    EXPECT_EQ(span.coldest, 293.15);
    EXPECT_EQ(span.hottest, 333.15);
    const auto nu = [&](double kelvin) { return std::exp(double(ViscosityLaw(setup, span).log_viscosity(0, float(span.share(kelvin))))); };
    EXPECT_NEAR(nu(293.15), 7e-3, 1e-8);
    EXPECT_NEAR(nu(313.15), 7e-3 * std::exp(1e4 * (1 / 313.15 - 1 / 293.15)), 1e-7);
    EXPECT_NEAR(ViscosityLaw(setup, span).largest(), 7e-3, 1e-8);
    setup.liquid.heat.thickening = "if(T < 300, 100, 300/T)";
    EXPECT_NEAR(nu(295), 0.7, 1e-6);
    EXPECT_NEAR(nu(320), 7e-3 * 300 / 320, 1e-7);
}

TEST(liquid_heat, a_restart_and_any_number_of_threads_give_the_same_bits) {
    const auto run = [](int threads, bool restart) {
        const ThreadLimit limit(threads);
        LiquidSetup setup = hot_into_cold();
        setup.liquid.heat.cooling = 100, setup.liquid.viscosity = 1e-4;
        auto liquid = std::make_unique<Liquid>(cup(), setup);
        for (int f = 0; f < 5; ++f) {
            liquid->advance(frame);
            if (!restart || f != 2) continue;
            auto next = std::make_unique<Liquid>(cup(), setup);
            StateView from = liquid->state(), to = next->state();
            for (std::size_t i = 0; i < from.fields.size(); ++i) std::ranges::copy(from.fields[i].values, to.fields[i].values.begin());
            for (std::size_t i = 0; i < from.numbers.size(); ++i) *to.numbers[i].value = *from.numbers[i].value;
            for (std::size_t i = 0; i < from.blocks.size(); ++i) to.blocks[i].load(from.blocks[i].save());
            liquid = std::move(next);
        }
        std::vector<double> bits;
        const Vec3i n = liquid->domain().cells;
        for (int k = 0; k < n.z; ++k)
            for (int j = 0; j < n.y; ++j)
                for (int i = 0; i < n.x; ++i) bits.insert(bits.end(), {liquid->temperature(i, j, k), double(liquid->phi()(i, j, k)), double(liquid->velocity().z(i, j, k))});
        return bits;
    };
    const std::vector<double> reference = run(1, false);
    EXPECT_TRUE(run(2, false) == reference);
    EXPECT_TRUE(run(2, true) == reference);
}

TEST(liquid_heat, a_frame_shows_it_where_its_mesh_finds_it) {
    LiquidSetup setup = hot_into_cold();
    setup.liquid.heat.surroundings = 270;
    const field::Frame shown = Liquid(cup(), setup).show();
    const std::vector<field::Volume> volumes = field::liquid_volumes(shown);
    ASSERT_EQ(volumes.size(), 1u);
    EXPECT_EQ(volumes[0].name, field::liquid_temperature);
    EXPECT_EQ(volumes[0].unit, "K");
    EXPECT_EQ(volumes[0].background, 270);
    for (const Vec3f& p : shown.surfaces[0].mesh.points) ASSERT_NEAR(field::value_at(volumes[0], p), p.z > 0.06f ? hot : cold, 0.01) << p.z;
}

}  // namespace
}  // namespace phlo::models
