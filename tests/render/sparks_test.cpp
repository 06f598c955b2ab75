// Sparks: how much light a small ball gives the picture, alone, behind gas, behind a body, and in flight.
#include "render/sparks.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "fixture.h"
#include "render/frame_render.h"

using namespace phlo;
using namespace phlo::render;

namespace {

field::Points spark(Vec3f velocity = {}) { return {.name = "ember", .position = {{0, 0, 0.5f}}, .velocity = {velocity}, .radius = {0.004f}}; }

RenderParams look(double streak = 0) {
    RenderParams params = test::dark(160, 120);
    params.camera.position = Curve<Vec3d>(Vec3d(0, -3, 0.5)), params.camera.target = Curve<Vec3d>(Vec3d(0, 0, 0.5));
    params.points = {{.points = "ember", .color = Vec3f(1, 0.5f, 0.25f), .size = 2, .kind = PointKind::spark, .brightness = 50, .streak = streak}};
    return params;
}

io::Image draw(const field::Frame& frame, const RenderParams& params) {
    const RenderScene scene(frame, params);
    io::Image image(params.width, params.height);
    add_sparks({.scene = scene, .look = params}, frame, image);
    return image;
}

double total(const io::Image& image) {
    double sum = 0;
    for (const Vec3f& p : image.pixels) sum += double(p.x);
    return sum;
}

/// Radiance times the pixels that a ball of 8 mm at 3 m covers.
double expected(const field::Frame& frame, const RenderParams& params) {
    const RenderScene scene(frame, params);
    const double pixels = 0.008 / 3 / double(scene.camera.projection().pixel);
    return 50 * std::numbers::pi * pixels * pixels;
}

field::Frame in_air(field::Points points) {
    field::Frame frame;
    frame.world = field::Bounds{{-0.5, -0.5, 0}, {0.5, 0.5, 1}};
    frame.points.push_back(std::move(points));
    return frame;
}

}  // namespace

TEST(sparks, give_the_picture_the_light_of_their_disc_in_their_colour) {
    const field::Frame frame = in_air(spark());
    const io::Image image = draw(frame, look());
    EXPECT_NEAR(total(image), expected(frame, look()), 0.01 * total(image));
    const Vec3f middle = image(79, 59);
    EXPECT_NEAR(middle.y / middle.x, 0.5, 1e-5);
    EXPECT_GT(double(middle.x), 50 * double(image(85, 59).x)) << "small and sharp";
}

TEST(sparks, in_flight_draw_a_line_with_the_same_light) {
    const field::Frame frame = in_air(spark({2, 0, 0}));
    const io::Image image = draw(frame, look(0.1));
    EXPECT_NEAR(total(image), expected(frame, look()), 0.01 * total(image));
    const RenderScene scene(frame, look());
    const int reach = int(0.08 / 3 / double(scene.camera.projection().pixel));
    EXPECT_NEAR(image(80 + reach, 59).x / image(80, 59).x, 1, 0.05) << "even along its way of 20 cm";
    EXPECT_LT(image(80, 59 + 5).x, 0.01f * image(80, 59).x) << "and thin";
}

TEST(sparks, are_dimmed_by_gas_before_them_and_hidden_by_bodies) {
    RenderParams params = look();
    params.smoke.extinction = 3;
    test::LatticeFrame frame = test::gas(32, [](const Vec3d& p) { return p.y < 0 ? 1 : 0; });
    frame.points.push_back(spark());
    EXPECT_NEAR(total(draw(frame, params)) / expected(frame, params), std::exp(-3 * 0.5), 0.02);
    frame.surfaces.push_back(test::sphere({0, -1, 0.5}, 0.1));
    EXPECT_EQ(total(draw(frame, params)), 0);
}

TEST(sparks, are_seen_in_every_quality_and_are_no_gas) {
    test::LatticeFrame frame = test::gas(16, [](const Vec3d&) { return 0; });
    frame.points.push_back(spark());
    const RenderParams params = look();
    for (const Quality quality : {Quality::draft, Quality::good, Quality::path})
        EXPECT_NEAR(total(render_frame(frame, params, quality)), expected(frame, params), 0.01 * expected(frame, params)) << int(quality);
    EXPECT_GT(total(render_frame(frame, params, Quality::live)), 0.2 * expected(frame, params));
}
