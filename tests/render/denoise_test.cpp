#include "render/film/denoise.h"

#include <gtest/gtest.h>

#include <cmath>

#include "base/random.h"

using namespace phlo;
using namespace phlo::render;

namespace {

/// A floor whose left half lies in shadow, with a step in the ground at a third of the height, and grain.
SurfaceLayer floor_with_shadow(float grain) {
    SurfaceLayer layer(96, 60);
    for (int y = 0; y < 60; ++y)
        for (int x = 0; x < 96; ++x) {
            const auto p = std::size_t(y * 96 + x);
            const auto u = uniform4({.seed = 4}, std::uint32_t(p));
            const float light = x < 48 ? 0.2f : 1.f;
            layer.light[p] = Vec3f(light * (1 + grain * (u[0] + u[1] + u[2] + u[3] - 2) * 1.732f));
            layer.variance[p] = light * light * grain * grain;
            layer.place[p].normal = y < 20 ? Vec3f(0, 0, 1) : Vec3f(0, 1, 0);
            layer.place[p].point = {float(x), y < 20 ? float(y) : 20, y < 20 ? 0 : float(y)};
            layer.place[p].footprint = 1;
        }
    return layer;
}

double error_of(const SurfaceLayer& layer, int x0, int x1, float expected) {
    double sum = 0;
    for (int y = 0; y < 60; ++y)
        for (int x = x0; x < x1; ++x) sum += std::pow(double(layer.light[std::size_t(y * 96 + x)].x - expected), 2);
    return std::sqrt(sum / (60 * (x1 - x0)));
}

}  // namespace

TEST(denoise, grain_goes_and_shadows_stay) {
    SurfaceLayer layer = floor_with_shadow(0.15f);
    const double before = error_of(layer, 48, 96, 1);
    denoise(layer);
    EXPECT_LT(error_of(layer, 54, 96, 1), before / 4);
    EXPECT_LT(error_of(layer, 0, 42, 0.2f), 0.2 * before / 4 + 0.01);
    for (int y = 0; y < 60; ++y) {
        EXPECT_LT(layer.light[std::size_t(y * 96 + 43)].x, 0.3f);  // five pixels from the edge
        EXPECT_GT(layer.light[std::size_t(y * 96 + 52)].x, 0.9f);
    }
    double mean = 0;
    for (const Vec3f& light : layer.light) mean += double(light.x) / double(layer.light.size());
    EXPECT_NEAR(mean, 0.6, 0.01);
}

TEST(denoise, rare_bright_specks_keep_their_light) {
    SurfaceLayer layer = floor_with_shadow(0);
    double before = 0, after = 0;
    for (std::size_t p = 0; p < layer.light.size(); ++p) {
        const float speck = uniform4({.seed = 9}, std::uint32_t(p))[0] < 0.03f ? 20.f : 0.2f;  // mean 0.794
        layer.light[p] = Vec3f(speck), layer.variance[p] = speck * speck * 0.5f;
        before += double(speck);
    }
    denoise(layer);
    for (const Vec3f& light : layer.light) after += double(light.x);
    EXPECT_NEAR(after / before, 1, 0.1);
}

TEST(denoise, light_does_not_cross_from_one_surface_to_another) {
    SurfaceLayer layer = floor_with_shadow(0);
    for (int y = 0; y < 60; ++y)
        for (int x = 0; x < 96; ++x) {
            const auto p = std::size_t(y * 96 + x);
            layer.light[p] = Vec3f(y < 20 ? 0.f : 1.f), layer.variance[p] = 10;  // so noisy that light tells nothing
        }
    denoise(layer);
    for (int x = 0; x < 96; ++x) {
        EXPECT_LT(layer.light[std::size_t(18 * 96 + x)].x, 0.01f);
        EXPECT_GT(layer.light[std::size_t(22 * 96 + x)].x, 0.99f);
    }
}

TEST(denoise, top_of_a_log_does_not_light_the_ground_far_behind_it) {
    SurfaceLayer layer(96, 60);
    for (int y = 0; y < 60; ++y)
        for (int x = 0; x < 96; ++x) {
            const auto p = std::size_t(y * 96 + x);
            const bool log = y >= 30;
            layer.place[p].normal = {0, 0, 1};
            layer.place[p].point = log ? Vec3f(0.005f * float(x), -0.02f * float(y), 0.2f) : Vec3f(0.1f * float(x), 20 - 0.5f * float(y), 0);
            layer.place[p].footprint = log ? 0.005f : 0.1f;
            layer.light[p] = Vec3f(log ? 1.f : 0.f), layer.variance[p] = 10;
        }
    denoise(layer);
    for (int y = 0; y < 60; ++y) EXPECT_NEAR(layer.light[std::size_t(y * 96 + 48)].x, y >= 30 ? 1 : 0, 1e-3f) << y;
}

TEST(denoise, an_edge_shows_each_surface_in_the_light_of_the_pixels_that_see_it_alone) {
    // A dark wall above a bright floor that touch: pixels of row 20 see both, and their own light is nothing but grain.
    SurfaceLayer layer = floor_with_shadow(0);
    for (std::size_t p = 0; p < layer.light.size(); ++p) {
        const int y = int(p) / 96, x = int(p) % 96;
        layer.weight[p] = Vec3f(1.f), layer.light[p] = Vec3f(y < 20 ? 0.1f : 0.8f), layer.variance[p] = 10;
        if (y != 20) continue;
        layer.weight[p] = Vec3f(), layer.place[p] = {};
        layer.edges[p] = {{Vec3f(0.75f), Vec3f(5.f), {{0, 0, 1}, {float(x), 20, 0}, 1}}, {Vec3f(0.25f), Vec3f(0.f), {{0, 1, 0}, {float(x), 20, 20}, 1}}};
    }
    denoise(layer);
    for (int x = 0; x < 96; ++x) EXPECT_NEAR(layer.seen(std::size_t(20 * 96 + x)).x, 0.75f * 0.1f + 0.25f * 0.8f, 0.01f) << x;
}
