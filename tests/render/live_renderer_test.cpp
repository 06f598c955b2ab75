// Whole live pictures.
#include "render/live/live_renderer.h"

#include <gtest/gtest.h>

#include <limits>

#include "base/error.h"
#include "base/parallel.h"
#include "complaint.h"
#include "live_fixture.h"
#include "render/frame_render.h"
#include "render/volumes/parts.h"

using namespace phlo;
using namespace phlo::render;

namespace {

/// Two balls, a torch and tracers, smoke and sparks.
field::Frame everything(double time = 0) {
    field::Frame frame = test::torch_frame(6000, time);
    frame.surfaces.push_back(test::sphere({0.3, -0.2, 0.05}, 0.15));
    frame.surfaces.push_back(test::sphere({-0.2, 0.1, 0.5 + 0.1 * time}, 0.1));
    frame.points.push_back(test::tracers(6000, time));
    field::Points smoke{.name = "smoke"}, sparks{.name = "sparks"};
    std::vector<float> opacity, kelvin;
    for (int n = 0; n < 300; ++n) {
        const auto u = uniform4({.seed = 21}, std::uint32_t(n));
        smoke.position.push_back({0.4f * (u[0] - 0.5f), 0.4f * (u[1] - 0.5f), 0.7f + 0.4f * u[2]}), smoke.radius.push_back(0.08f), opacity.push_back(0.1f * u[3]);
        sparks.position.push_back({u[0] - 0.5f, u[1] - 0.5f, u[2]}), sparks.radius.push_back(0.004f), kelvin.push_back(1200 + 800 * u[3]);
    }
    smoke.columns["opacity"] = opacity, sparks.columns["temperature"] = kelvin;
    frame.points.push_back(smoke), frame.points.push_back(sparks);
    return frame;
}

RenderParams look_at(int width, int height) {
    RenderParams look;
    look.width = width, look.height = height;
    look.points.push_back({.points = "sparks", .color = ColumnColour{.column = "temperature"}, .kind = PointKind::light, .extinction = 500.0});
    return look;
}

Vec3d mean_of(const io::Image& image) {
    Vec3d sum;
    for (const Vec3f& p : image.pixels) sum += Vec3d(p);
    return sum / double(image.pixels.size());
}

void expect_same(const io::Image& a, const io::Image& b) {
    ASSERT_EQ(a.pixels.size(), b.pixels.size());
    for (std::size_t n = 0; n < a.pixels.size(); ++n) ASSERT_EQ(a.pixels[n], b.pixels[n]) << "pixel " << n;
}

}  // namespace

TEST(live_renderer, gives_the_same_bits_for_any_number_of_threads) {
    const field::Frame frame = everything();
    const RenderParams look = look_at(300, 170);
    std::optional<io::Image> one;
    {
        const ThreadLimit limit(1);
        one = render_frame(frame, look, Quality::live);
    }
    for (const int threads : {2, 5}) {
        const ThreadLimit limit(threads);
        expect_same(*one, render_frame(frame, look, Quality::live));
    }
}

TEST(live_renderer, a_picture_does_not_depend_on_those_before_it) {
    const RenderParams look = look_at(200, 120);
    LiveRenderer live(look);
    live.render(everything(0.5));
    const field::Frame frame = everything(0.25);
    expect_same(live.render(frame), LiveRenderer(look).render(frame));
    // Bodies that stand still are kept.
    field::Frame later = frame;
    later.points[0] = test::torch(6000, 0.3);
    expect_same(live.render(later), LiveRenderer(look).render(later));
    // Nor on where particles were that have no domain.
    field::Frame free = frame, scattered = frame;
    free.world.reset(), scattered.world.reset();
    scattered.points[0].position[0] = {3, 0, 2};
    live.render(scattered);
    expect_same(live.render(free), LiveRenderer(look).render(free));
}

TEST(live_renderer, through_a_film_it_is_the_developed_picture) {
    const RenderParams look = look_at(203, 120);   // its width is no number of whole registers, blocks or tiles
    const QuickFilm film({});
    const field::Frame frame = everything();
    EXPECT_EQ(LiveRenderer(look).render(frame, film).bytes, film.develop(LiveRenderer(look).render(frame)).bytes);
}

TEST(live_renderer, a_picture_twice_as_large_is_as_bright) {
    const field::Frame frame = everything();
    const Vec3d small = mean_of(LiveRenderer(look_at(320, 180)).render(frame)), large = mean_of(LiveRenderer(look_at(640, 360)).render(frame)),
                larger = mean_of(LiveRenderer(look_at(1280, 720)).render(frame));
    for (int c = 0; c < 3; ++c) {
        EXPECT_NEAR(large[c], small[c], 0.02 * small[c]);
        EXPECT_NEAR(larger[c], large[c], 0.02 * large[c]);
    }
}

TEST(live_renderer, half_the_particles_give_the_same_mean) {
    RenderParams look = test::dark(320, 180);
    const auto mean = [&](int count) { return mean_of(LiveRenderer(look).render(test::torch_frame(count))); };
    const Vec3d all = mean(40000), half = mean(20000);
    // Green and blue grow with a high power of the composition, and show more of the chance in where particles are.
    for (int c = 0; c < 3; ++c) EXPECT_NEAR(half[c], all[c], (c == 0 ? 0.03 : 0.08) * all[c]);
}

TEST(live_renderer, a_fire_behind_a_ball_is_hidden) {
    RenderParams look = test::dark(160, 120);
    look.camera.position = Curve<Vec3d>(Vec3d(0, -5, 0.5)), look.camera.target = Curve<Vec3d>(Vec3d(0, 0, 0.5));
    look.live.light = 0;
    field::Frame frame = test::torch_frame(5000);
    frame.points.push_back(test::tracers(5000));
    const Vec3d open = mean_of(LiveRenderer(look).render(frame));
    EXPECT_GT(open.x, 0.01);
    frame.surfaces.push_back(test::sphere({0, -2.5, 0.5}, 1, Vec3f(0.f)));
    EXPECT_EQ(mean_of(LiveRenderer(look).render(frame)), Vec3d());
    frame.surfaces[0] = test::sphere({0, 3, 0.5}, 1, Vec3f(0.f));
    EXPECT_EQ(mean_of(LiveRenderer(look).render(frame)), open);
}

TEST(live_renderer, a_ramp_ends_at_its_ends) {
    RenderParams look;
    look.live.streaks.ramp = {{0, {0, 0, 0.1f}}, {0.5, {0, 1, 0}}, {1, {1, 0, 0}}};
    const ColourRamp palette = composition_ramp(look.live.streaks, look.fire);
    const float b = float(look.fire.brightness);
    EXPECT_EQ(palette(-1), Vec3f(0, 0, 0.1f) * b);
    EXPECT_EQ(palette(2), Vec3f(1, 0, 0) * b);
    EXPECT_NEAR(palette(0.75f).x, 0.5f * b, 0.01f * b);
    const ColourRamp fire = composition_ramp({}, look.fire);
    EXPECT_EQ(fire(0), Vec3f());
    const Vec3f hottest = fire_colours(look.fire, 1)(float(StreakLook().max_temperature)) * b;
    EXPECT_NEAR(fire(1).x, hottest.x, 1e-3f * hottest.x);
    float last = 0;
    for (int n = 1; n <= 100; ++n) {
        EXPECT_GT(fire(float(n) / 100).x, last);
        last = fire(float(n) / 100).x;
    }
}

TEST(live_renderer, bodies_stand_on_the_ground) {
    RenderParams look;
    look.width = 200, look.height = 150, look.sun.strength = 0;
    look.camera.position = Curve<Vec3d>(Vec3d(0, -4, 1.5)), look.camera.target = Curve<Vec3d>(Vec3d(0, 0, 0.2));
    field::Frame frame{.world = field::Bounds{{-1, -1, 0}, {1, 1, 1}}};
    const io::Image empty = LiveRenderer(look).render(frame);
    frame.surfaces.push_back(test::sphere({0, 0, 0.3}, 0.3));
    const io::Image image = LiveRenderer(look).render(frame);
    const Projection p = Camera(look.camera, frame.bounds(), 0, look.width, look.height).projection();
    const auto at = [&](const io::Image& of, const Vec3f& point) { return double(of(int(p(point).x), int(p(point).y)).y); };
    const Vec3f close(0, -0.2f, 0), away(0.9f, -0.5f, 0);
    EXPECT_LT(at(image, close), 0.5 * at(empty, close));
    EXPECT_GT(at(image, away), 0.9 * at(empty, away));
}

TEST(live_renderer, the_sky_lights_the_floor_as_in_other_qualities) {
    RenderParams look;
    look.width = 64, look.height = 48;
    look.ground.color = Vec3f(0.4f);
    look.camera.position = Curve<Vec3d>(Vec3d(0, -3, 3)), look.camera.target = Curve<Vec3d>(Vec3d(0, 0, 0));
    field::Frame frame{.world = field::Bounds{{-1, -1, 0}, {1, 1, 1}}};
    const Vec3d live = mean_of(LiveRenderer(look).render(frame)), draft = mean_of(render_frame(frame, look, Quality::draft));
    for (int c = 0; c < 3; ++c) EXPECT_NEAR(live[c], draft[c], 0.03 * draft[c]);
}

TEST(live_renderer, gas_is_seen_and_lights_the_floor) {
    // A ball of fire, 1800 K, above a dark floor; as bright as a draft within what half the resolution and one step a cell allow.
    test::LatticeFrame frame = test::gas(32, [](const Vec3d& p) { return 0.3 * test::ball(p, {0, 0, 0.6}, 0.25); });
    auto kelvin = std::make_shared<field::Grid>(field::Layout(frame.domain.cells));
    for (int k = 0; k < 32; ++k)
        for (int j = 0; j < 32; ++j)
            for (int i = 0; i < 32; ++i) (*kelvin)(i, j, k) = float(300 + 1500 * test::ball(frame.domain.cell_center(i, j, k), {0, 0, 0.6}, 0.2));
    frame.add({.name = "temperature", .unit = "K", .background = 300, .grid = kelvin});
    RenderParams look = test::dark(128, 96);
    look.live.glare = 0;
    look.ground = {.visible = true, .height = 0.0, .color = Vec3f(0.4f)};
    const io::Image live = LiveRenderer(look).render(frame), draft = render_frame(frame, look, Quality::draft);
    const Vec3d a = mean_of(live), b = mean_of(draft);
    EXPECT_GT(b.x, 0.05);
    for (int c = 0; c < 3; ++c) EXPECT_NEAR(a[c], b[c], 0.2 * b[c]);
    EXPECT_NEAR(double(live(64, 92).x), double(draft(64, 92).x), 0.4 * double(draft(64, 92).x));   // floor in the front
}

TEST(live_renderer, volumes_of_a_fire_of_points_are_not_drawn_twice) {
    test::LatticeFrame gas = test::gas(16, [](const Vec3d& p) { return test::ball(p, {0, 0, 0.5}, 0.3); });
    field::Frame frame = test::torch_frame(2000);
    const io::Image points = LiveRenderer(look_at(96, 64)).render(frame);
    frame.volumes = gas.volumes;
    expect_same(LiveRenderer(look_at(96, 64)).render(frame), points);
}

TEST(live_renderer, a_point_that_is_nowhere_is_told) {
    field::Frame frame = test::torch_frame(100);
    frame.points[0].position[42].z = std::numeric_limits<float>::quiet_NaN();
    const std::string told = test::complaint<RunError>([&] { LiveRenderer(look_at(96, 64)).render(frame); });
    EXPECT_NE(told.find("'fire': number 42"), std::string::npos) << told;
}
