// Liquids in pictures for artists, against formulas and against the path tracer.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "base/parallel.h"
#include "liquid_fixture.h"
#include "render/live/live_renderer.h"
#include "render/path.h"
#include "render/photons/caustics.h"
#include "render/photons/photon_render.h"
#include "render/surfaces/subsurface.h"

using namespace phlo;
using namespace phlo::render;

namespace {

constexpr double pi = std::numbers::pi;

double flat(double, double) { return 0; }
double waves(double x, double y) { return 0.012 * std::sin(14 * x + 5 * y) + 0.01 * std::sin(13 * y - 6 * x); }

Vec3d mean_of(const io::Image& image) {
    Vec3d sum;
    for (const Vec3f& p : image.pixels) sum += Vec3d(p) / double(image.pixels.size());
    return sum;
}

/// A pool on a light floor, in sun and sky.
RenderParams pool_look(int width = 32, int height = 24) {
    RenderParams params;
    params.width = width, params.height = height;
    params.ground.color = Vec3f(0.5f);
    params.camera.position = Curve<Vec3d>(Vec3d(0.7, -1.4, 1.3));
    params.camera.target = Curve<Vec3d>(Vec3d(0, 0, 0.1));
    params.camera.fov = 22.0;
    return params;
}

}  // namespace

TEST(caustics, under_flat_water_the_sun_is_dimmed_by_fresnel_beer_and_lambert) {
    RenderParams params = pool_look();
    params.sun.size = 1, params.sun.elevation = 60;
    params.materials = {{.body = "liquid", .surface = LiquidSurface{.tint = Vec3d(0.3, 0.5, 0.9), .depth = 0.25}}};
    const RenderScene scene(test::pool_frame(test::pool(32, 0.25, flat)), params);
    const Medium medium(scene.volume);
    const CausticMap caustics(scene, medium, {.photons = 60'000});
    const double cosine = std::sin(60 * pi / 180), inner = std::sqrt(1 - (1 - cosine * cosine) / (1.333 * 1.333));
    const double passed = 1 - double(fresnel(float(cosine), 1.333f));
    Vec3d seen;
    int count = 0;
    for (float x = -0.2f; x <= 0.2f; x += 0.04f)
        for (float y = -0.2f; y <= 0.2f; y += 0.04f, ++count) {
            Inside inside = scene.surfaces.around({x, y, 0.1f});
            seen += Vec3d(caustics.on(*scene.surfaces.hit({{x, y, 0.1f}, {0, 0, -1}}, inside)));
        }
    for (int c = 0; c < 3; ++c) {
        const double expected = double(scene.lights.sun[c]) * cosine / pi * passed * std::pow(Vec3d(0.3, 0.5, 0.9)[c], 1 / inner);
        EXPECT_NEAR(seen[c] / count / expected, 1, 0.02) << c;
    }
}

TEST(caustics, waves_focus_light_and_lose_none) {
    RenderParams params = pool_look();
    params.sun.size = 0.5, params.sun.elevation = 90, params.sun.color = Vec3f(1.f);
    params.materials = {{.body = "liquid", .surface = LiquidSurface{.scale = 0}}};
    // Crests bend like lenses: with curvature 8 1/m their focus lies half a metre deep.
    const RenderScene scene(test::pool_frame(test::pool(48, 0.3, [](double x, double) { return 0.02 * std::sin(20 * x); })), params);
    const CausticMap map(scene, Medium(scene.volume), {.photons = 60'000});
    const double passed = 1 - std::pow(0.333 / 2.333, 2), sun = double(scene.lights.sun.x);
    EXPECT_NEAR(map.power().x / (sun * passed), 1, 0.02);  // on a square metre
    double most = 0, least = 1e9;
    for (float x = -0.3f; x <= 0.3f; x += 0.01f) {
        Inside inside = scene.surfaces.around({x, 0, 0.1f});
        const double here = double(map.on(*scene.surfaces.hit({{x, 0, 0.1f}, {0, 0, -1}}, inside)).x) * pi / sun;
        most = std::max(most, here), least = std::min(least, here);
    }
    EXPECT_GT(most, 1.6);
    EXPECT_LT(least, 0.8);
}

TEST(caustics, number_of_threads_changes_no_bit) {
    const RenderScene scene(test::pool_frame(test::pool(24, 0.3, waves)), pool_look());
    const auto seen = [&] {
        const CausticMap map(scene, Medium(scene.volume), {.photons = 20'000});
        Inside inside = scene.surfaces.around({0.1f, 0, 0.1f});
        return map.on(*scene.surfaces.hit({{0.1f, 0, 0.1f}, {0, 0, -1}}, inside));
    };
    const Vec3f all = seen();
    const ThreadLimit limit(1);
    EXPECT_EQ(seen(), all);
}

TEST(liquid_look, a_pool_in_sun_and_sky_agrees_with_the_path_tracer) {
    // A large sun, which paths find by chance.
    RenderParams params = pool_look(20, 16);
    params.sun.size = 40, params.sun.strength = 3;
    field::Frame frame = test::pool_frame(test::pool(32, 0.25, waves));
    frame.surfaces.push_back(test::sphere({0.1, 0, 0.22}, 0.12));
    RenderScene scene(frame, params);
    const Vec3d path = mean_of(render_path(scene, {.samples = 600}));
    const Vec3d photons = mean_of(render_photons(scene, {.samples = 9, .map = {.photons = 100'000}, .caustics = {.photons = 200'000}}));
    const Vec3d draft = mean_of(render_preview(scene, {.samples = 4}));
    for (int c = 0; c < 3; ++c) {
        EXPECT_NEAR(photons[c] / path[c], 1, 0.03) << c;
        EXPECT_NEAR(draft[c] / path[c], 1, 0.25) << c;  // without what floor and surface send back and forth
    }
}

TEST(liquid_look, milk_agrees_with_the_path_tracer) {
    // Thin enough for paths, thick enough to be a surface for the others.
    RenderParams params = pool_look(16, 12);
    params.sun.strength = 0, params.sky.strength = 1;
    params.materials = {{.body = "liquid",
                         .surface = DielectricSurface{.ior = 1.3, .absorption = {1, 4, 20}, .scattering = {300, 300, 300}}}};
    RenderScene scene(test::pool_frame(test::pool(24, 0.3, flat)), params);
    const Vec3d path = mean_of(render_path(scene, {.samples = 40}));
    const Vec3d photons = mean_of(render_photons(scene, {.samples = 9, .map = {.photons = 100'000}}));
    const Vec3d draft = mean_of(render_preview(scene, {.samples = 4}));
    for (int c = 0; c < 3; ++c) {
        EXPECT_NEAR(photons[c] / path[c], 1, 0.06) << c;
        EXPECT_NEAR(draft[c] / path[c], 1, 0.10) << c;
    }
}

TEST(liquid_look, a_dipole_sends_back_what_its_disc_and_its_rest_do) {
    const Dipole dipole(2.4f, 3210, 1.3f);
    EXPECT_NEAR(dipole.within(10), dipole.total(), 1e-4);
    double sum = double(dipole.within(0.001f));
    for (double r = 0.001; r < 0.2; r += 1e-5) sum += double(dipole.at(float((r + 5e-6) * (r + 5e-6)))) * 2 * pi * (r + 5e-6) * 1e-5;
    EXPECT_NEAR(sum, double(dipole.total()), 1e-3);
    EXPECT_GT(dipole.total(), 0.85);  // white
}

TEST(liquid_look, without_a_word_in_the_scene_milk_is_white_honey_amber_and_water_clear_in_every_quality) {
    RenderParams params = pool_look(16, 12);
    params.camera.position = Curve<Vec3d>(Vec3d(0.07, -0.14, 0.13));
    params.camera.target = Curve<Vec3d>(Vec3d(0, 0, 0.01));
    params.camera.fov = 14.0;
    for (const Quality quality : {Quality::live, Quality::draft, Quality::good}) {
        const auto seen = [&](const std::string& substance) {
            // A bowl of it: ten centimetres wide.
            field::Frame frame = test::pool_frame(test::pool(16, 0.25, flat, substance));
            frame.world = field::Bounds{{-0.05, -0.05, 0}, {0.05, 0.05, 0.1}};
            for (Vec3f& p : frame.surfaces[0].mesh.points) p *= 0.1f;
            if (quality == Quality::live) return mean_of(LiveRenderer(params).render(frame));
            RenderScene scene(frame, params);
            return quality == Quality::draft ? mean_of(render_preview(scene, {.samples = 1}))
                                             : mean_of(render_photons(scene, {.samples = 1, .map = {.photons = 20'000}, .caustics = {.photons = 50'000}}));
        };
        const Vec3d water = seen("water"), milk = seen("milk"), honey = seen("honey");
        EXPECT_GT(milk.y, 1.2 * water.y) << int(quality);  // brighter than the grey floor
        EXPECT_NEAR(milk.x / milk.y, 1, 0.15) << int(quality);
        EXPECT_GT(honey.x, 1.5 * honey.y) << int(quality);
        EXPECT_GT(honey.y, 1.3 * honey.z) << int(quality);
        EXPECT_GT(water.y, 0.25 * milk.y) << int(quality);  // no black shadow
    }
}

TEST(liquid_look, a_wave_that_runs_is_blurred_by_its_velocity) {
    RenderParams params = pool_look(48, 36);
    field::Surface liquid = test::pool(24, 0.25, waves);
    liquid.velocity.assign(liquid.mesh.points.size(), Vec3f(1, 0, 0));
    const field::Frame frame = test::pool_frame(liquid);
    const RenderScene now(frame, params), later(frame, params, 0.02);
    Inside inside;
    const float before = now.surfaces.hit({{0.1f, 0.1f, 0.9f}, {0, 0, -1}}, inside)->point.z;
    inside = {};
    EXPECT_NEAR(later.surfaces.hit({{0.12f, 0.1f, 0.9f}, {0, 0, -1}}, inside)->point.z, before, 1e-5);
}
