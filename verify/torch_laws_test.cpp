// The laws of the grid-less fire as a whole: its flicker, its size, what moves it, and that nothing else does.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "models/gridless_fire/composition.h"
#include "models/gridless_fire/torch_fire.h"
#include "scratch_dir.h"
#include "sim/checkpoint.h"
#include "threads.h"

namespace phlo::verify {
namespace {

using models::Flicker;
using models::Torch;
using models::TorchFire;
using models::TorchSetup;

struct TorchScene : models::Shot, TorchSetup {};

TorchScene small_torch() {
    TorchScene scene;
    scene.time.fps = 30;
    Torch torch;
    torch.name = "torch";
    torch.shape = geom::Cylinder{.radius = 0.07, .height = 0.05};
    torch.particles = 3000;
    scene.torches = {torch};
    return scene;
}

TorchFire make(const TorchScene& scene) { return TorchFire(scene, scene); }

double mean_number(TorchFire& fire, const std::string& name, int frames) {
    double sum = 0;
    for (int n = 0; n < frames; ++n) sum += fire.advance(1.0 / 30).number(name);
    return sum / frames;
}

TEST(Torch, goes_out_and_starts_anew_with_the_period_of_the_formula) {
    for (const auto& [chi, theta] : {std::pair(0.97, 0.1), std::pair(0.95, 0.2), std::pair(0.96, 0.4)}) {
        TorchScene scene = small_torch();
        scene.torches[0].decay = chi, scene.torches[0].extinction = theta, scene.torches[0].flicker = Flicker::extinction;
        scene.torches[0].life = 10;
        TorchFire fire = make(scene);
        std::vector<double> starts;
        double before = fire.flames()[0].cycle_start();
        for (int n = 0; n < 1200 && starts.size() < 6; ++n) {
            fire.step(1.0 / 120);
            const double start = fire.flames()[0].cycle_start();
            if (start != before) starts.push_back(start), before = start;
        }
        ASSERT_EQ(starts.size(), 6u);
        const double period = (starts.back() - starts.front()) / 5, expected = models::flicker_period(chi, 1, theta);
        EXPECT_NEAR(period, expected, 0.02 * expected + 1.0 / 120) << "chi " << chi << ", theta " << theta;
    }
}

TEST(Torch, new_particles_enter_on_their_cycles_current_curve) {
    TorchScene scene = small_torch();
    scene.torches[0].flicker = Flicker::extinction, scene.torches[0].decay = 0.97;
    TorchFire fire = make(scene);
    for (int n = 0; n < 60; ++n) {
        fire.step(1.0 / 60);
        const models::Flame& flame = fire.flames()[0];
        for (std::size_t i = 0; i < flame.particles().count(); ++i)
            if (double(flame.particles().cycle[i]) == flame.cycles()) {
                ASSERT_LE(double(flame.particles().composition[i]), 1.12 * flame.curve());
            }
    }
}

TEST(Torch, is_taller_with_a_slower_decay) {
    double before = 0;
    for (const double chi : {0.88, 0.92, 0.95, 0.97}) {
        TorchScene scene = small_torch();
        scene.torches[0].decay = chi;
        TorchFire fire = make(scene);
        const double height = mean_number(fire, "torch.height", 30);
        EXPECT_GT(height, 1.15 * before) << "chi " << chi;
        before = height;
    }
}

TEST(Torch, is_taller_with_a_faster_launch) {
    double before = 0;
    for (const double launch : {0.5, 1.0, 2.0, 4.0}) {
        TorchScene scene = small_torch();
        scene.torches[0].launch = launch;
        TorchFire fire = make(scene);
        const double height = mean_number(fire, "torch.height", 30);
        EXPECT_GT(height, 1.12 * before) << "launch " << launch;
        before = height;
    }
}

TEST(Torch, the_look_does_not_depend_on_the_time_step) {
    std::vector<double> heights, lights;
    for (const double dt : {1.0 / 60, 1.0 / 120, 1.0 / 240}) {
        TorchScene scene = small_torch();
        scene.torches[0].flicker = Flicker::steady;
        scene.time.fixed_step = dt;
        TorchFire fire = make(scene);
        mean_number(fire, "torch.height", 30);
        double height = 0, light = 0;
        for (int n = 0; n < 60; ++n) {
            const models::FrameStats stats = fire.advance(1.0 / 30);
            height += stats.number("torch.height") / 60, light += stats.number("torch.light") / 60;
        }
        heights.push_back(height), lights.push_back(light);
    }
    for (std::size_t n = 1; n < heights.size(); ++n) {
        EXPECT_NEAR(heights[n] / heights[0], 1, 0.06);
        EXPECT_NEAR(lights[n] / lights[0], 1, 0.06);
    }
}

/// Local k over the source's, and mean frequency over the source's, in a second of nothing but the stochastic model: no lift, drag, taper, eddies.
std::pair<double, double> turbulence_kept(double anchor) {
    TorchScene scene = small_torch();
    Torch& torch = scene.torches[0];
    torch.buoyancy = 0.0, torch.drag = 0.0, torch.taper = 0.0, torch.eddies = 0.0, torch.launch_spread = 0, torch.stray = 1000;
    torch.flicker = Flicker::steady, torch.decay = 1.0, torch.turbulence = 0.3, torch.anchor = anchor;
    TorchFire fire = make(scene);
    double energy = 0, frequency = 0, count = 0;
    for (int n = 0; n < 60; ++n) {
        fire.step(1.0 / 60);
        models::FireParticles p = fire.flames()[0].particles(), spare;
        particles::Nearest nearest;
        nearest.arrange({p.x, p.y, p.z, p.id});
        reorder(nearest.order(), p, spare);
        std::vector<particles::NearestSums> sums(p.count());
        nearest.sum({p.x, p.y, p.z, p.id}, 16, p.motion, p.reach, sums);
        for (std::size_t i = 0; i < p.count(); ++i) {
            double of_mean = 0;
            for (int a = 0; a < 3; ++a) of_mean += std::pow(double(sums[i].difference[a]), 2) / 16;
            energy += 0.5 * (double(sums[i].squares) - of_mean) / 15, frequency += double(p.motion[i].value[3]), count += 1;
        }
    }
    return {energy / count / (1.5 * 0.3 * 0.3), frequency / count / 6};
}

TEST(Torch, anchors_hold_the_turbulence_near_the_sources) {
    // A cloud that spreads loses k to its own mean flow, as an expanding gas does; a weak anchor follows, a strong one holds.
    const auto [bare_k, bare_omega] = turbulence_kept(0);
    const auto [weak_k, weak_omega] = turbulence_kept(0.1);
    const auto [strong_k, strong_omega] = turbulence_kept(0.3);
    EXPECT_NEAR(strong_k, 1, 0.2);
    EXPECT_NEAR(strong_omega, 1, 0.1);
    EXPECT_LT(std::fabs(weak_k - 1), std::fabs(bare_k - 1));
    EXPECT_LT(std::fabs(strong_k - 1), std::fabs(weak_k - 1));
}

TEST(Torch, leans_with_the_wind) {
    double lean[2];
    for (const int blows : {0, 1}) {
        TorchScene scene = small_torch();
        scene.torch.wind.velocity = Vec3d(2.0 * blows, 0, 0);
        TorchFire fire = make(scene);
        double sum = 0, count = 0;
        for (int n = 0; n < 30; ++n) {
            fire.advance(1.0 / 30);
            const models::FireParticles& p = fire.flames()[0].particles();
            for (std::size_t i = 0; i < p.count(); ++i)
                if (p.age[i] > 0.3f) sum += double(p.x[i]), count += 1;
        }
        lean[blows] = sum / count;
    }
    EXPECT_LT(std::fabs(lean[0]), 0.1);
    EXPECT_GT(lean[1], lean[0] + 0.15);
}

/// A torch dragged by a keyframed hand over 100 m in 10 s.
TorchScene dragged() {
    TorchScene scene = small_torch();
    geom::Body hand;
    hand.name = "hand";
    hand.shape = geom::Sphere{.radius = 0.05};
    hand.motion.position = Curve<Vec3d>({{0, {0, 0, 1}}, {10, {100, 0, 1}}});
    scene.bodies = {hand};
    scene.torches[0].on = "hand";
    return scene;
}

TEST(Torch, dragged_over_100_m_in_10_s_bends_back_and_neither_leaves_nor_loses_anything) {
    TorchFire fire = make(dragged());
    for (int n = 1; n <= 300; ++n) {
        const models::FrameStats stats = fire.advance(1.0 / 30);
        const std::map<std::string, double>& ledger = stats.ledger.at("particles");
        double sum = 0;
        for (const auto& [entry, value] : ledger)
            if (entry != "now") sum += value;
        ASSERT_EQ(sum, ledger.at("now")) << "every particle that came or went is on the ledger";
        if (n < 60) continue;
        const models::Flame& flame = fire.flames()[0];
        const models::FireParticles& p = flame.particles();
        ASSERT_GT(p.count(), 1500u);
        const double hand = 100.0 * std::min(1.0, fire.time() / 10);
        double behind = 0, old = 0;
        for (std::size_t i = 0; i < p.count(); ++i) {
            const double x = flame.origin().x + double(p.x[i]);
            ASSERT_LT(x, hand + 0.8);
            ASSERT_GT(x, hand - 10 * double(p.age[i]) - 0.8) << "no farther behind than the hand came since it was born";
            if (p.age[i] > 0.3f) behind += hand - x, old += 1;
        }
        if (n < 295) {
            EXPECT_GT(behind / old, 0.3) << "the flame bends back";
        }
    }
    // Where the journey began nothing is left.
    const models::Flame& flame = fire.flames()[0];
    for (std::size_t i = 0; i < flame.particles().count(); ++i) ASSERT_GT(flame.origin().x + double(flame.particles().x[i]), 70);
}

TEST(Torch, burns_the_same_kilometres_away) {
    TorchScene near = small_torch(), far = small_torch();
    far.torches[0].motion.position = Vec3d(8192, -4096, 128);
    TorchFire a = make(near), b = make(far);
    const double here = mean_number(a, "torch.height", 30), there = mean_number(b, "torch.height", 30);
    EXPECT_NEAR(there / here, 1, 0.15);
}

/// Everything at once: two torches, one that moves, smoke, gusts, extinction.
TorchScene busy() {
    TorchScene scene = dragged();
    scene.torch.smoke.share = 0.5;
    scene.torch.wind.velocity = Curve<Vec3d>({{0, {0, 0, 0}}, {0.5, {2, 1, 0}}});
    scene.torch.wind.gusts = 0.5;
    Torch second = scene.torches[0];
    second.name = "second", second.on = "", second.flicker = Flicker::extinction, second.brushes = 2.0, second.particles = 5000;
    second.motion.position = Vec3d(3, 1, 0);
    scene.torches.push_back(second);
    return scene;
}

std::vector<char> bits(TorchFire& fire) {
    std::vector<char> all;
    models::StateView view = fire.state();
    for (const auto& block : view.blocks) {
        const std::vector<char> data = block.save();
        all.insert(all.end(), data.begin(), data.end());
    }
    for (const auto& number : view.numbers) {
        const char* p = reinterpret_cast<const char*>(number.value);
        all.insert(all.end(), p, p + sizeof(double));
    }
    return all;
}

TEST(Torch, thread_count_is_bitwise_neutral) {
    std::vector<std::vector<char>> results;
    for (const int threads : {1, 2, 7})
        results.push_back(test::with_threads(threads, [] {
            TorchFire fire = make(busy());
            for (int n = 0; n < 8; ++n) fire.advance(1.0 / 30);
            return bits(fire);
        }));
    EXPECT_TRUE(results[0] == results[1]);
    EXPECT_TRUE(results[0] == results[2]);
}

TEST(Torch, restart_is_bitwise_identical) {
    const test::ScratchDir dir;
    TorchFire whole = make(busy());
    for (int n = 0; n < 10; ++n) whole.advance(1.0 / 30);
    sim::save_checkpoint(dir / "state.bin", {.frame = 10, .scene_hash = "a", .build = "b"}, whole.state());
    for (int n = 0; n < 10; ++n) whole.advance(1.0 / 30);
    TorchFire resumed = make(busy());
    EXPECT_EQ(sim::load_checkpoint(dir / "state.bin", resumed.state()).frame, 10);
    for (int n = 0; n < 10; ++n) resumed.advance(1.0 / 30);
    EXPECT_TRUE(bits(whole) == bits(resumed));
}

TEST(Torch, two_torches_burn_as_each_would_alone) {
    TorchScene two = busy();
    TorchScene first = two;
    first.torches.pop_back();
    TorchFire both = make(two), one = make(first);
    for (int n = 0; n < 5; ++n) both.advance(1.0 / 30), one.advance(1.0 / 30);
    EXPECT_EQ(both.flames()[0].particles().x, one.flames()[0].particles().x);
    EXPECT_NE(both.flames()[0].cycles(), both.flames()[1].cycles()) << "each has its own cycle";
}

TEST(Torch, a_frame_has_the_columns_that_pictures_need) {
    TorchScene scene = busy();
    scene.torch.volumes.cell = 0.05;
    TorchFire fire = make(scene);
    for (int n = 0; n < 3; ++n) fire.advance(1.0 / 30);
    const field::Frame frame = fire.show();
    const field::Points* points = frame.find_points("fire");
    ASSERT_TRUE(points);
    const auto* now = points->column<float>("composition");
    const auto* before = points->column<float>("composition_before");
    const auto* torch = points->column<std::int32_t>("torch");
    ASSERT_TRUE(now && before && torch);
    EXPECT_EQ(std::ranges::count(*torch, 0), std::ptrdiff_t(fire.flames()[0].particles().count()));
    for (std::size_t i = 0; i < points->size(); ++i) {
        ASSERT_GE((*now)[i], 0);
        ASSERT_LE((*now)[i], (*before)[i]);
        ASSERT_LE((*before)[i], 1);
    }
    const field::Points* smoke = frame.find_points("smoke");
    ASSERT_TRUE(smoke);
    EXPECT_GT(smoke->size(), 100u);
    for (const char* name : {"flame", "temperature", "density"}) EXPECT_TRUE(frame.find(name)) << name;
    const auto largest = [&](const char* name) {
        const auto values = frame.find(name)->grid->storage();
        return *std::max_element(values.begin(), values.end());
    };
    EXPECT_GT(largest("temperature"), 900);
    EXPECT_GT(largest("flame"), 0.2f);
    EXPECT_LE(largest("flame"), 1);
}

}  // namespace
}  // namespace phlo::verify
