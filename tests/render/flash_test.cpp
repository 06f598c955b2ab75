#include "render/volumes/flash.h"

#include <gtest/gtest.h>

#include <cmath>

#include "fixture.h"
#include "render/photons/photon_render.h"

using namespace phlo;
using namespace phlo::render;

namespace {

constexpr double brightness = 40;

/// A small hot ball in the middle; smoke of some density around it.
test::LatticeFrame spark(double density) {
    test::LatticeFrame frame = test::gas(32, [=](const Vec3d& p) { return density * test::ball(p, {0, 0, 0.5}, 0.3); });
    auto grid = std::make_shared<field::Grid>(field::Layout(frame.domain.cells), 300.f);
    for (int k = 0; k < 32; ++k)
        for (int j = 0; j < 32; ++j)
            for (int i = 0; i < 32; ++i)
                if (test::ball(frame.domain.cell_center(i, j, k), {0, 0, 0.5}, 0.08) > 0) (*grid)(i, j, k) = 1900;
    frame.add({.name = "temperature", .unit = "K", .background = 300, .grid = grid});
    return frame;
}

RenderParams look() {
    RenderParams params = test::dark(48, 48);
    params.fire.brightness = brightness;
    params.fire.absorption = 0.5;
    params.smoke = {.color = Vec3f(1.f), .extinction = 10, .anisotropy = 0};
    return params;
}

struct Parts {
    RenderScene scene;
    Medium medium;
    EmissionSampler fire;
    FlashMap flash;

    Parts(const field::Frame& frame, const RenderParams& params, const FlashLook& f)
        : scene(frame, params), medium(scene.volume), fire(scene.volume), flash(scene, medium, fire, f, brightness) {}
};

}  // namespace

TEST(flash, falls_off_by_distance_and_density_function_and_ends) {
    for (const double falloff : {0.0, 2.0}) {
        const Parts parts(spark(0), look(), {.strength = 1, .reach = 0.9, .loss = 0.3, .falloff = falloff});
        const double power = 4 * std::numbers::pi * parts.fire.total().y;
        for (const double r : {0.3, 0.45, 0.6}) {
            // Mean over a few directions: photons come by chance; coarse cells smooth what falls off steeply.
            double seen = 0;
            for (int d = 0; d < 64; ++d) seen += double(parts.flash.at(Vec3f(0, 0, 0.5f) + fibonacci_direction(d, 64) * float(r)).y) / 64;
            const double expected = power / std::pow(4 * std::numbers::pi * r, 2) * std::pow(1 - r / 0.9, falloff) * std::exp(-0.5 * 0.06);
            EXPECT_NEAR(seen / expected, 1, 0.2) << falloff << " " << r;
        }
        EXPECT_EQ(parts.flash.at({1.1f, 0, 0.5f}), Vec3f());  // beyond its reach, beside a cell that smoothing reaches
    }
}

TEST(flash, glares_the_same_on_every_side) {
    const Parts parts(spark(0), look(), {.strength = 1, .reach = 0.9, .loss = 0.3, .falloff = 1});
    for (int axis = 0; axis < 3; ++axis) {
        double sides[2] = {0, 0};
        for (const int side : {0, 1})
            for (int d = 0; d < 64; ++d) {  // over that half of a ball around the spark
                Vec3f way = fibonacci_direction(d, 64) * 0.4f;
                way[axis] = std::copysign(way[axis], side == 0 ? -1.f : 1.f);
                sides[side] += double(parts.flash.at(Vec3f(0, 0, 0.5f) + way).x);
            }
        EXPECT_NEAR(sides[1] / sides[0], 1, 0.05) << axis;
    }
}

TEST(flash, scattering_shortens_it) {
    const FlashLook f{.strength = 1, .reach = 1.0, .loss = 0.5, .falloff = 1};
    const Parts clear(spark(0), look(), f), smoky(spark(1), look(), f);
    const Vec3f far_point(0.75f, 0, 0.5f);
    EXPECT_GT(clear.flash.at(far_point).x, 2 * smoky.flash.at(far_point).x);
}

TEST(flash, adds_glare_to_the_air_and_none_when_off) {
    RenderParams params = look();
    const test::LatticeFrame frame = spark(0);
    const PhotonRenderSettings settings{.samples = 1, .map = {.photons = 5000, .cells = 16}};
    const RenderScene off(frame, params);
    const io::Image without = render_photons(off, settings);
    params.flash.strength = 0.5;
    const RenderScene on(frame, params);
    const io::Image with = render_photons(on, settings);
    EXPECT_EQ(without(4, 24), Vec3f());
    EXPECT_GT(with(8, 24).x, 0);  // beside the fire
    EXPECT_GT(with(16, 24).x, with(8, 24).x);
    // Along a ray through the glare: its integral.
    const Parts parts(frame, params, params.flash);
    const Ray ray = on.camera.ray(8.5f, 24.5f);
    double expected = 0;
    for (double t = 0; t < 10; t += 0.005) expected += 0.005 * 0.5 * double(parts.flash.at(ray.origin + ray.direction * float(t)).x);
    const Segment s = parts.flash.march(LitVolume(), ray, 1e30f, {});
    EXPECT_NEAR(double(s.radiance.x) / expected, 1, 0.05);
}
