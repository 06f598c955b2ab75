// Liquids that are mixed, in pictures: against formulas and against the path tracer.
#include <gtest/gtest.h>

#include <cmath>

#include "liquid_fixture.h"
#include "render/live/live_renderer.h"
#include "render/path.h"
#include "render/photons/photon_render.h"
#include "render/surfaces/liquid_mix.h"

using namespace phlo;
using namespace phlo::render;

namespace {

double flat(double, double) { return 0; }

Vec3d mean_of(const io::Image& image) {
    Vec3d sum;
    for (const Vec3f& p : image.pixels) sum += Vec3d(p) / double(image.pixels.size());
    return sum;
}

/// The share of milk by the place, in a cube of side `size` on the ground.
field::Volume milk_share(double size, const std::function<double(const Vec3d&)>& share) {
    constexpr int n = 32;
    const field::Domain domain{.cells = {n, n, n}, .origin = Vec3d(-0.5, -0.5, 0) * size, .h = size / n};
    auto grid = std::make_shared<field::Grid>(field::Layout(domain.cells));
    for (int k = 0; k < n; ++k)
        for (int j = 0; j < n; ++j)
            for (int i = 0; i < n; ++i) (*grid)(i, j, k) = float(share(domain.cell_center(i, j, k)));
    return {.name = field::share_volume("milk"), .unit = "1", .domain = domain, .room = domain, .grid = grid};
}

LiquidMix coffee_and_milk(const std::function<double(const Vec3d&)>& share) {
    field::Frame frame;
    frame.volumes.push_back(milk_share(0.1, share));
    return {*optics::liquid_named("coffee"), field::liquid_shares(frame), std::vector{*optics::liquid_named("milk")}};
}

/// A bowl of coffee, ten centimetres wide, with milk in it.
field::Frame bowl(const std::function<double(const Vec3d&)>& share, const std::string& first = "coffee") {
    field::Frame frame = test::pool_frame(test::pool(16, 0.25, flat, first));
    frame.world = field::Bounds{{-0.05, -0.05, 0}, {0.05, 0.05, 0.1}};
    for (Vec3f& p : frame.surfaces[0].mesh.points) p *= 0.1f;
    frame.volumes.push_back(milk_share(0.1, share));
    return frame;
}

RenderParams bowl_look(int width = 12, int height = 8) {
    RenderParams params;
    params.width = width, params.height = height;
    params.ground.color = Vec3f(0.4f);
    params.camera.position = Curve<Vec3d>(Vec3d(0.03, -0.1, 0.2));
    params.camera.target = Curve<Vec3d>(Vec3d(0, 0, 0.025));
    params.camera.fov = 10.0;
    return params;
}

}  // namespace

TEST(liquid_mix, absorbs_and_scatters_as_its_parts_do) {
    const LiquidMix mix = coffee_and_milk([](const Vec3d& p) { return p.z < 0.05 ? 0.25 : 0.75; });
    const optics::Interior coffee = *optics::liquid_named("coffee"), milk = *optics::liquid_named("milk");
    const optics::Interior there = mix.at({0, 0, 0.02f});
    for (int c = 0; c < 3; ++c) {
        EXPECT_NEAR(there.absorption[c], 0.75f * coffee.absorption[c] + 0.25f * milk.absorption[c], 1e-3);
        EXPECT_NEAR(there.scattering[c], 0.75f * coffee.scattering[c] + 0.25f * milk.scattering[c], 1e-3);
        // Straight up through both halves: the mean of their extinctions.
        const float mean = 0.5f * (coffee.extinction()[c] + milk.extinction()[c]);
        EXPECT_NEAR(mix.depth({{0, 0, 0.01f}, {0, 0, 1}}, 0.08f)[c], 0.08f * mean, 0.01f * mean * 0.08f);
    }
}

TEST(liquid_mix, a_layer_of_milk_hides_the_coffee_below_it_the_more_the_thicker_it_is) {
    const auto seen = [](double thickness) { return coffee_and_milk([=](const Vec3d& p) { return p.z > 0.08 - thickness ? 1 : 0; }).albedo({0, 0, 0.08f}, {0, 0, -1}); };
    const Vec3f milk = half_space_albedo(*optics::liquid_named("milk")), coffee = half_space_albedo(*optics::liquid_named("coffee"));
    Vec3f last = seen(0);
    for (int c = 0; c < 3; ++c) EXPECT_NEAR(last[c], coffee[c], 0.01);
    for (const double thickness : {0.004, 0.008, 0.016, 0.032}) {
        const Vec3f now = seen(thickness);
        for (int c = 0; c < 3; ++c) {
            EXPECT_GT(now[c], last[c]) << thickness;
            EXPECT_LT(now[c], milk[c] + 1e-4f) << thickness;
        }
        last = now;
    }
    const Vec3f all = coffee_and_milk([](const Vec3d&) { return 1; }).albedo({0, 0, 0.08f}, {0, 0, -1});
    for (int c = 0; c < 3; ++c) EXPECT_NEAR(all[c], milk[c], 1e-4);
}

TEST(liquid_mix, milk_whitens_coffee_in_every_quality) {
    const RenderParams params = bowl_look();
    for (const Quality quality : {Quality::live, Quality::draft, Quality::good}) {
        double last = -1, last_hue = 1e9;
        for (const double share : {0.0, 0.05, 0.2, 0.5, 1.0}) {
            const field::Frame frame = bowl([=](const Vec3d&) { return share; });
            Vec3d seen;
            if (quality == Quality::live) seen = mean_of(LiveRenderer(params).render(frame));
            else {
                RenderScene scene(frame, params);
                seen = quality == Quality::draft ? mean_of(render_preview(scene, {.samples = 1})) : mean_of(render_photons(scene, {.samples = 1, .map = {.photons = 5'000}, .caustics = {.photons = 1000}}));
            }
            EXPECT_GT(seen.y, last) << int(quality) << ", share " << share;
            EXPECT_LT(share > 0.4 ? seen.x / seen.z : 0, last_hue) << int(quality) << ", share " << share << ": brown turns white";
            last = seen.y;
            if (share > 0) last_hue = seen.x / seen.z;
        }
    }
}

TEST(liquid_mix, clouds_of_milk_agree_with_the_path_tracer) {
    RenderParams params = bowl_look(8, 6);
    params.sun.strength = 0, params.sky.strength = 1;
    params.camera.position = Curve<Vec3d>(Vec3d(0.01, -0.02, 0.3));
    params.materials = {{.body = "liquid", .surface = LiquidSurface{.scale = 0.2}}};   // thin enough for paths
    for (const double thickness : {0.0, 0.0015, 0.004, 1.0}) {
        RenderScene scene(bowl([=](const Vec3d& p) { return p.z > 0.025 - thickness ? 0.5 : 0.02; }), params);
        const Vec3d path = mean_of(render_path(scene, {.samples = 150}));
        const Vec3d photons = mean_of(render_photons(scene, {.samples = 9, .map = {.photons = 50'000}}));
        const double bound = thickness == 0 || thickness == 1 ? 0.15 : 0.2;   // of layers, which the volume holds on cells of three millimetres, less is known
        for (int c = 0; c < 3; ++c) EXPECT_NEAR(photons[c] / path[c], 1, bound) << c << ", " << thickness << " m of milky coffee on top: " << photons[c] << " for " << path[c];
    }
}

TEST(liquid_mix, a_furnace_cannot_be_seen_through_a_mixture_that_absorbs_nothing) {
    RenderParams params = test::dark(8, 8);
    params.sky.strength = 1, params.sky.visible = true;
    params.camera.position = Curve<Vec3d>(Vec3d(0.03, -0.2, 0.06));
    params.camera.target = Curve<Vec3d>(Vec3d(0, 0, 0.0125));
    params.camera.fov = 6.0;
    params.sky.horizon = params.sky.zenith = Vec3f(1.f);
    params.materials = {{.body = "liquid", .surface = LiquidSurface{.tint = Vec3d(1, 1, 1)}}};
    field::Frame frame = bowl([](const Vec3d& p) { return p.x > 0 ? 1.0 : 0.3; });
    RenderScene scene(frame, params);
    const Vec3d seen = mean_of(render_path(scene, {.samples = 64}));
    params.materials.clear();
    const Vec3d without = mean_of(render_path(RenderScene(field::Frame{.world = frame.world}, params), {.samples = 4}));
    // Milk itself absorbs a little: of red light, of which it absorbs least, a few per cent are lost.
    EXPECT_LT(seen.x, 1.01 * without.x);
    EXPECT_GT(seen.x, 0.85 * without.x);
}
