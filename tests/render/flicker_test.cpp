// Light on the scene follows the fire from frame to frame.
#include <gtest/gtest.h>

#include <cmath>

#include "fixture.h"
#include "render/frame_render.h"

using namespace phlo;
using namespace phlo::render;

namespace {

constexpr int n = 32;

void add_grid(test::LatticeFrame& frame, const char* name, float background, const std::function<double(const Vec3d&)>& value) {
    auto grid = std::make_shared<field::Grid>(field::Layout(frame.domain.cells), background);
    for (int k = 0; k < n; ++k)
        for (int j = 0; j < n; ++j)
            for (int i = 0; i < n; ++i) (*grid)(i, j, k) = float(value(frame.domain.cell_center(i, j, k)));
    frame.add({.name = name, .unit = name[0] == 't' ? "K" : "1", .background = background, .grid = grid});
}

/// A thin flame: how much of it there is, and where.
test::LatticeFrame flame(double amount, const Vec3d& center = {0, 0, 0.3}, double temperature = 1900) {
    test::LatticeFrame frame = test::gas(n, [](const Vec3d&) { return 0; });
    const auto inside = [&](const Vec3d& p) { return test::ball(p, center, 0.12) > 0; };
    add_grid(frame, "temperature", 300, [&](const Vec3d& p) { return inside(p) ? temperature : 300; });
    add_grid(frame, "flame", 0, [&](const Vec3d& p) { return inside(p) ? amount : 0; });
    return frame;
}

/// From above, on a floor at night.
RenderParams night() {
    RenderParams look = test::dark(40, 40);
    look.ground = {.visible = true, .height = 0.0, .color = Vec3f(0.5f)};
    look.camera.position = Curve<Vec3d>(Vec3d(0, -0.01, 3));
    look.camera.target = Curve<Vec3d>(Vec3d(0, 0, 0));
    look.camera.fov = 30.0;
    look.fire.absorption = 0.5;
    return look;
}

double mean(const io::Image& image, int left, int right, int low, int high) {
    double sum = 0;
    for (int y = low; y < high; ++y)
        for (int x = left; x < right; ++x) sum += double(image(x, y).x);
    return sum / ((right - left) * (high - low));
}

}  // namespace

TEST(flicker, floor_is_as_bright_as_the_flame_is_strong) {
    const RenderParams look = night();
    std::vector<double> seen;
    const std::vector<double> amounts{1, 0.6, 1.3, 0.2};
    for (const double amount : amounts) seen.push_back(mean(render_frame(flame(amount), look, Quality::good), 2, 12, 2, 38));
    EXPECT_GT(seen[0], 0.001);
    // Proportional, but for what thicker flame hides of itself: 0.5 / m x 24 cm.
    for (std::size_t f = 1; f < amounts.size(); ++f) EXPECT_NEAR(seen[f] / seen[0], amounts[f], 0.06 * amounts[f]);
}

TEST(flicker, shadow_moves_away_from_a_flame_that_moves) {
    const RenderParams look = night();
    double sides[2];
    for (const int side : {0, 1}) {
        test::LatticeFrame frame = flame(1, {side == 0 ? -0.25 : 0.25, 0, 0.25});
        frame.surfaces.push_back(test::sphere({0, 0, 0.1}, 0.1));
        const io::Image image = render_frame(frame, look, Quality::good);
        sides[side] = mean(image, 25, 30, 17, 23) / mean(image, 10, 15, 17, 23);  // right of the ball over left of it
    }
    EXPECT_LT(sides[0], 0.7);
    EXPECT_GT(sides[1], 1 / 0.7);
    EXPECT_NEAR(sides[0] * sides[1], 1, 0.2);  // each is the other's mirror image, but for the chance of photons
}

TEST(flicker, flash_lights_floor_and_air_and_fades) {
    RenderParams look = night();
    look.flash = {.strength = 0.6, .reach = 1.2, .loss = 0.3, .falloff = 1};
    std::vector<double> floor, glare;
    for (const double temperature : {300.0, 1300.0, 1900.0, 1300.0, 1000.0}) {
        const test::LatticeFrame frame = flame(1, {0, 0, 0.5}, temperature);
        look.ground.visible = true, look.flash.strength = 0;
        floor.push_back(mean(render_frame(frame, look, Quality::good), 2, 10, 2, 38));
        look.ground.visible = false, look.flash.strength = 0.6;
        glare.push_back(mean(render_frame(frame, look, Quality::good), 8, 12, 15, 25));
    }
    for (const std::vector<double>& light : {floor, glare}) {
        EXPECT_EQ(light[0], 0);
        EXPECT_GT(light[1], 0);
        EXPECT_GT(light[2], 1.5 * light[1]);
        EXPECT_NEAR(light[3] / light[1], 1, 1e-5);  // the same gas, the same light, rising or fading
        EXPECT_LT(light[4], 0.5 * light[3]);
    }
}

TEST(flicker, a_fire_that_stands_still_does_not_flicker) {
    const RenderParams look = night();
    test::LatticeFrame frame = flame(1);
    const io::Image first = render_frame(frame, look, Quality::good);
    frame.number = 2, frame.time = 1;
    EXPECT_EQ(first.pixels, render_frame(frame, look, Quality::good).pixels);
}
