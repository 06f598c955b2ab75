// Clouds of points: blending, adding, and what hides them.
#include "render/live/sprites.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "base/random.h"
#include "render/live/glare.h"

using namespace phlo;
using namespace phlo::render;

namespace {

constexpr int width = 160, height = 120;
constexpr float infinity = std::numeric_limits<float>::infinity();

Projection front(int scale = 1) {
    CameraParams params;
    params.position = Curve<Vec3d>(Vec3d(0, -10, 0)), params.target = Curve<Vec3d>(Vec3d(0, 0, 0));
    params.fov = 15.3;
    return Camera(params, {{-1, -1, -1}, {1, 1, 1}}, 0, width * scale, height * scale).projection();
}

Picture drawn(const std::vector<Sprite>& sprites, float background = 0, float surface = infinity, int scale = 1, float texture = 0) {
    Picture picture;
    picture.resize(width * scale, height * scale);
    for (Plane& plane : picture.channels) std::fill(plane.values.begin(), plane.values.end(), background);
    const Plane surfaces(width * scale, height * scale, surface);
    Sprites().draw(sprites, front(scale), surfaces, texture, picture);
    return picture;
}

double mean_of(const Plane& plane) {
    double sum = 0;
    for (int y = 0; y < plane.height; ++y)
        for (int x = 0; x < plane.width; ++x) sum += double(plane(x, y));
    return sum / (plane.width * plane.height);
}

}  // namespace

TEST(live_sprites, two_clouds_are_blended_front_to_back) {
    // The picture's middle lies between four pixels, each half a pixel from it both ways.
    const Sprite near{{0, -1, 0}, 0.06f, {0.2f, 0, 0}, 0.4f, 1}, far{{0, 1, 0}, 0.06f, {0, 0.5f, 0}, 0.7f, 2};
    const Projection p = front();
    const auto w = [&](const Sprite& s) {
        const float d = 0.70710678f, radius = s.radius / (p.pixel * p.depth(s.position)), q = 1 - d * d / (radius * radius);
        return q * q;
    };
    for (const bool swapped : {false, true}) {
        const Picture picture = drawn(swapped ? std::vector{near, far} : std::vector{far, near}, 0.1f);
        const float n = w(near), f = w(far), passed = (1 - 0.4f * n) * (1 - 0.7f * f);
        EXPECT_NEAR(picture.channels[0](80, 60), 0.2f * n + 0.1f * passed, 2e-4f);
        EXPECT_NEAR(picture.channels[1](80, 60), 0.5f * f * (1 - 0.4f * n) + 0.1f * passed, 2e-4f);
        EXPECT_NEAR(picture.channels[2](80, 60), 0.1f * passed, 2e-4f);
    }
}

TEST(live_sprites, light_that_is_added_does_not_depend_on_the_order) {
    std::vector<Sprite> sprites;
    for (int n = 0; n < 3000; ++n) {
        const auto u = uniform4({.seed = 5}, std::uint32_t(n));
        sprites.push_back({{u[0] - 0.5f, u[1] - 0.5f, u[2] - 0.5f}, 0.02f + 0.05f * u[3], {u[3], 0.5f * u[2], 0.1f}, 0, std::uint32_t(n)});
    }
    const Picture one = drawn(sprites);
    std::reverse(sprites.begin(), sprites.end());
    const Picture other = drawn(sprites);
    EXPECT_GT(mean_of(one.channels[0]), 0.1);
    for (std::size_t c = 0; c < 3; ++c)
        for (std::size_t n = 0; n < one.channels[c].values.size(); ++n)
            ASSERT_NEAR(one.channels[c].values[n], other.channels[c].values[n], 1e-5f * (1 + one.channels[c].values[n]));
}

TEST(live_sprites, a_cloud_behind_a_surface_is_hidden_and_fades_where_it_touches_one) {
    const std::vector<Sprite> sprites{{{0, 0, 0}, 0.3f, {1, 1, 1}, 0.5f, 0}};
    EXPECT_EQ(mean_of(drawn(sprites, 0, 9.9f).channels[0]), 0);
    const double open = mean_of(drawn(sprites).channels[0]);
    EXPECT_NEAR(mean_of(drawn(sprites, 0, 10.2f).channels[0]), open, 1e-6);
    EXPECT_NEAR(mean_of(drawn(sprites, 0, 10.075f).channels[0]), 0.5 * open, 0.01 * open);
}

TEST(live_sprites, an_opaque_cloud_hides_the_background) {
    const std::vector<Sprite> sprites(40, {{0, 0, 0}, 0.5f, {}, 0.9f, 0});
    EXPECT_NEAR(drawn(sprites, 1).channels[0](80, 60), 0, 1e-6);
    EXPECT_EQ(drawn(sprites, 1).channels[0](2, 2), 1);
}

TEST(live_sprites, larger_pictures_are_as_bright_at_every_coarseness) {
    // Radii of 1 to 60 pixels are drawn at full, half and a quarter of the resolution.
    for (const float radius : {0.01f, 0.04f, 0.1f, 0.25f}) {
        const std::vector<Sprite> sprites{{{0.05f, 0, -0.1f}, radius, {1, 0.5f, 0.2f}, 0, 0}, {{-0.2f, 1, 0.1f}, radius, {0.3f, 0.5f, 0.2f}, 0, 0}};
        const double small = mean_of(drawn(sprites).channels[0]);
        EXPECT_NEAR(mean_of(drawn(sprites, 0, infinity, 2).channels[0]), small, 0.03 * small) << radius;
        EXPECT_NEAR(mean_of(drawn(sprites, 0, infinity, 4).channels[0]), small, 0.03 * small) << radius;
    }
}

TEST(live_sprites, glare_spreads_light_and_keeps_it) {
    Picture picture;
    picture.resize(201, 119);
    for (Plane& plane : picture.channels) plane.fill(0.25f);
    picture.channels[1](100, 60) = 1000;
    const double before = mean_of(picture.channels[1]);
    Glare glare;
    glare.find(picture, 0.1f);
    for (int c = 0; c < 3; ++c)
        for (int y = 0; y < 119; ++y) glare.add_to_row(picture, c, y, picture.channels[std::size_t(c)].row(y));
    EXPECT_NEAR(picture.channels[1](100, 60), 900, 10);
    EXPECT_GT(picture.channels[1](104, 60), 0.26f);
    EXPECT_NEAR(mean_of(picture.channels[1]), before, 0.01 * before);
    for (int y = 0; y < 119; ++y)
        for (int x = 0; x < 201; ++x) ASSERT_NEAR(picture.channels[0](x, y), 0.25f, 1e-5f);
}

TEST(live_sprites, clouds_inside_puffs_leave_the_mean_as_it_is) {
    std::vector<Sprite> sprites;
    for (int n = 0; n < 400; ++n) {
        const auto u = uniform4({.seed = 6}, std::uint32_t(n));
        sprites.push_back({{1.2f * (u[0] - 0.5f), 0, u[1] - 0.5f}, 0.25f, Vec3f(0.01f), 0.01f, std::uint32_t(n)});
    }
    const double plain = mean_of(drawn(sprites, 0, infinity, 4).channels[0]), clouded = mean_of(drawn(sprites, 0, infinity, 4, 0.8f).channels[0]);
    EXPECT_NEAR(clouded, plain, 0.05 * plain);
}
