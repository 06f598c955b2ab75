#include "render/film/sights.h"

#include <gtest/gtest.h>

#include <cmath>

#include "fixture.h"

using namespace phlo;
using namespace phlo::render;

namespace {

/// Smoke with billows, and a ball half in it.
test::LatticeFrame smoke_and_ball(int n) {
    auto frame = test::gas(n, [](const Vec3d& p) {
        const double wave = std::sin(17 * p.x + 3 * p.z) * std::sin(13 * p.y) * std::sin(19 * p.z);
        return std::max(0.0, 1 - std::pow(length(p - Vec3d(0, 0, 0.5)) / (0.35 + 0.08 * wave), 2));
    });
    frame.surfaces.push_back(test::sphere({0.2, -0.2, 0.3}, 0.15));
    return frame;
}

RenderParams in_daylight(int width, int height) {
    RenderParams params = test::dark(width, height);
    params.sun.strength = 1;
    params.sky = {.zenith = Vec3f(0.6f), .horizon = Vec3f(0.4f), .strength = 0.5};
    params.background = Vec3f(0.1f);
    params.ground.visible = true;
    params.smoke = {.color = Vec3f(0.8f), .extinction = 20.0, .anisotropy = 0.3};
    return params;
}

int marches(const field::Frame& frame, const RenderParams& params, int samples) {
    const RenderScene scene(frame, params);
    const Sights sights(scene, samples, {});
    int count = 0;
    const auto march = [&](const Ray&, float, float) { return ++count, Segment(); };
    for (int y = 0; y < params.height; ++y)
        for (int x = 0; x < params.width; ++x) sights.of_pixel(x, y, march, [](int, float, const Sight&) {});
    return count;
}

/// A pinhole to the eye, but none by its word: each sample looks through the gas by itself.
RenderParams with_tiny_lens(RenderParams params) {
    params.camera.f_number = Curve<double>(1e9);
    return params;
}

double mean_difference(const io::Image& a, const io::Image& b) {
    double difference = 0, sum = 0;
    for (std::size_t p = 0; p < a.pixels.size(); ++p)
        for (int c = 0; c < 3; ++c) difference += std::fabs(double(a.pixels[p][c]) - double(b.pixels[p][c])), sum += double(b.pixels[p][c]);
    return difference / sum;
}

}  // namespace

TEST(sights, pixels_smaller_than_cells_look_through_the_gas_once_for_four_samples) {
    const auto frame = test::gas(16, [](const Vec3d& p) { return test::ball(p, {0, 0, 0.5}, 0.4); });
    const RenderParams params = test::dark(96, 72);
    EXPECT_EQ(marches(frame, params, 4), 96 * 72);
    EXPECT_EQ(marches(frame, params, 16), 4 * 96 * 72);
}

TEST(sights, pixels_larger_than_cells_keep_every_sample) {
    const auto frame = test::gas(64, [](const Vec3d& p) { return test::ball(p, {0, 0, 0.5}, 0.4); });
    EXPECT_EQ(marches(frame, test::dark(16, 12), 4), 4 * 16 * 12);
}

TEST(sights, edges_of_bodies_keep_every_sample) {
    const auto plain = test::gas(16, [](const Vec3d& p) { return test::ball(p, {0, 0, 0.5}, 0.4); });
    auto with_ball = plain;
    with_ball.surfaces.push_back(test::sphere({0, 0, 0.5}, 0.2));
    const RenderParams params = test::dark(96, 72);
    const int more = marches(with_ball, params, 4) - marches(plain, params, 4);
    EXPECT_GT(more, 30 * 3);     // around its outline
    EXPECT_LT(more, 400 * 3);    // and nowhere else
}

TEST(sights, a_picture_is_the_same_as_with_a_march_for_each_sample) {
    const auto frame = smoke_and_ball(32);
    const RenderParams params = in_daylight(160, 120);
    EXPECT_LT(mean_difference(test::picture(frame, params), test::picture(frame, with_tiny_lens(params))), 0.003);
}
