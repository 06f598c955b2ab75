#include <gtest/gtest.h>

#include <cmath>

#include "fixture.h"
#include "render/volumes/lit_volume.h"
#include "render/volumes/scattering.h"
#include "render/light/sky_light.h"
#include "render/light/sun_depth.h"

using namespace phlo;
using namespace phlo::render;

namespace {

/// A slab of gas, 0.25 < z < 0.75, optical depth `depth` across.
OpticalVolume slab(double depth) {
    const test::LatticeFrame frame = test::gas(32, [](const Vec3d& p) { return p.z > 0.25 && p.z < 0.75 ? 1 : 0; });
    RenderParams params;
    params.smoke.extinction = depth / 0.5;
    return make_volume(frame, params);
}

}  // namespace

TEST(volume, slab_dims_light_by_beer_and_lambert) {
    for (const double depth : {0.1, 1.0, 4.0}) {
        const LitVolume lit(slab(depth), [](const Vec3f&, const Vec3i&) { return Vec3f(); });
        for (const float slope : {0.f, 0.2f, 0.45f})
            for (const float step : {0.35f, 0.5f, 0.7f})
                for (const float jitter : {0.f, 0.3f, 0.5f, 0.9f}) {
                    const Ray ray{{-0.5f * slope, 0.01f, 1.2f}, normalized(Vec3f(slope, 0, -1))};
                    const Segment s = lit.march(ray, 1e30f, {step, jitter});
                    EXPECT_NEAR(s.transmittance, std::exp(-depth * std::hypot(1, slope)), 1e-3)
                        << depth << " " << slope << " " << step << " " << jitter;
                }
    }
}

TEST(volume, gas_in_front_of_a_surface_counts_and_behind_it_does_not) {
    const LitVolume lit(slab(2), [](const Vec3f&, const Vec3i&) { return Vec3f(); });
    const Ray down{{0, 0, 1}, {0, 0, -1}};
    EXPECT_EQ(lit.march(down, 0.2f, {}).transmittance, 1);
    EXPECT_NEAR(lit.march(down, 0.5f, {0.1f, 0.5f}).transmittance, std::exp(-1), 5e-3);
}

TEST(volume, uniform_source_gives_its_own_radiance_times_opacity) {
    OpticalVolume volume = slab(1.5);
    volume.albedo = Vec3f(1.f);
    const LitVolume lit(volume, [](const Vec3f&, const Vec3i&) { return Vec3f(1, 2, 3); });
    const Segment s = lit.march({{0.1f, 0, 1.2f}, {0, 0, -1}}, 1e30f, {});
    for (int c = 0; c < 3; ++c) EXPECT_NEAR(s.radiance[c], float(c + 1) * (1 - s.transmittance), 1e-4);
}

TEST(volume, glow_of_thin_gas_adds_up_along_the_ray) {
    OpticalVolume volume = slab(1e-3);
    for (int c = 0; c < 3; ++c) {
        volume.emission.emplace_back(volume.extinction.layout());
        for (int k = 8; k < 24; ++k)
            for (int j = 0; j < 32; ++j)
                for (int i = 0; i < 32; ++i) volume.emission.back()(i, j, k) = float(c + 1);
    }
    const LitVolume lit(volume, [](const Vec3f&, const Vec3i&) { return Vec3f(); });
    const Segment s = lit.march({{0, 0, 1.2f}, {0, 0, -1}}, 1e30f, {});
    for (int c = 0; c < 3; ++c) EXPECT_NEAR(s.radiance[c], 0.5 * (c + 1), 2e-3 * (c + 1));
}

TEST(volume, sun_meets_the_gas_between_it_and_a_point) {
    const OpticalVolume volume = slab(2);
    const Vec3f to_sun = normalized(Vec3f(0.1f, -0.15f, 1));
    const SunDepth depth(volume, to_sun);
    const double slant = 1 / double(to_sun.z);
    EXPECT_NEAR(depth.at({0, 0, 0.9f}), 0, 1e-3);
    EXPECT_NEAR(depth.at({0, 0, 0.5f}), 1 * slant, 0.02);
    EXPECT_NEAR(depth.at({0, 0, 0.1f}), 2 * slant, 0.02);
    EXPECT_NEAR(depth.at({0, 0, -3.f * 0.1f}), 2 * slant, 0.02);  // far behind, as on the ground
    EXPECT_EQ(depth.at({5, 0, -1}), 0);
}

TEST(volume, sky_light_is_whole_outside_and_less_within) {
    const test::LatticeFrame frame = test::gas(32, [](const Vec3d& p) { return test::ball(p, {0, 0, 0.5}, 0.3); });
    RenderParams params = test::dark();
    params.sky = {.zenith = Vec3f(1.f), .horizon = Vec3f(1.f), .strength = 1};
    params.smoke = {.color = Vec3f(1.f), .extinction = 30, .anisotropy = 0};
    const OpticalVolume volume = make_volume(frame, params);
    const SkyLight sky(volume, Lights(params));
    EXPECT_NEAR(sky.at({0, 0, 31}).x, 1, 0.12);  // a corner: the ball hides little of its sky
    EXPECT_LT(sky.at({16, 16, 16}).x, 0.5f);
    EXPECT_GT(sky.at({16, 16, 16}).x, 0.05f);  // light scattered often still arrives
    EXPECT_NEAR(sky.transmittance({-0.5f, -0.5f, 0.5f}, {0, 0, 1}), 1, 1e-6);
    EXPECT_NEAR(sky.transmittance({0, 0, 0}, {0, 0, 1}), 0, 1e-6);
}

TEST(volume, scattering_octaves_share_the_light_and_make_none) {
    for (const auto& set : {sun_octaves, sky_octaves}) {
        float sum = 0;
        for (const Octave& octave : set) sum += octave.weight;
        EXPECT_NEAR(sum, 1, 1e-6);
    }
    for (float x = -60; x <= 20; x += 0.37f) EXPECT_NEAR(double(fast_exp(x)) / std::exp(double(x)), 1, 5e-7) << x;
}

TEST(volume, colour_grids_tint_the_smoke) {
    test::LatticeFrame frame = test::gas(16, [](const Vec3d&) { return 1; });
    for (const char* name : {"color_r", "color_g", "color_b"}) {
        auto grid = std::make_shared<field::Grid>(frame.volumes[0].grid->layout(), name[6] == 'g' ? 0.5f : 0.1f);
        frame.add({.name = name, .unit = "", .background = 0, .grid = grid});
    }
    RenderParams params = test::dark();
    params.smoke.color = {1.f, 0.8f, 1.f};
    const Vec3f albedo = make_volume(frame, params).albedo_of(8, 8, 8);
    EXPECT_NEAR(albedo.x, 0.1, 1e-6);
    EXPECT_NEAR(albedo.y, 0.4, 1e-6);
}
