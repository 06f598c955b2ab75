#include "render/film/camera.h"

#include <gtest/gtest.h>

#include <cmath>

#include "fixture.h"
#include "render/frame_render.h"
#include "render/film/shutter.h"

using namespace phlo;
using namespace phlo::render;

namespace {

const field::Domain domain{.cells = {8, 8, 8}, .origin = {-0.5, -0.5, 0}, .h = 0.125};

CameraParams looking() {
    CameraParams params;
    params.position = Curve<Vec3d>(Vec3d(0, -4, 1));
    params.target = Curve<Vec3d>(Vec3d(0, 0, 1));
    return params;
}

/// A hot, thin ball that moves along x by `way` metres a frame.
test::LatticeFrame flying(double way) {
    constexpr int n = 48;
    test::LatticeFrame frame = test::gas(n, [](const Vec3d&) { return 0; });
    auto grid = std::make_shared<field::Grid>(field::Layout(frame.domain.cells), 300.f);
    auto velocity = std::make_shared<field::MacGrid>(field::Layout(frame.domain.cells));
    for (int k = 0; k < n; ++k)
        for (int j = 0; j < n; ++j)
            for (int i = 0; i < n; ++i) {
                const double r = length(frame.domain.cell_center(i, j, k) - Vec3d(0, 0, 0.5)) / 0.15;
                if (r < 1) (*grid)(i, j, k) = float(300 + 1600 * (1 - r * r));
            }
    for (int k = 0; k <= n; ++k)
        for (int j = 0; j <= n; ++j)
            for (int i = 0; i <= n; ++i) velocity->x(i, j, k) = float(way * frame.fps);
    frame.add({.name = "temperature", .unit = "K", .background = 300, .grid = grid});
    frame.add(velocity);
    return frame;
}

/// All light of a picture, and where it is along x: mean and variance [pixels].
struct Spread {
    double sum = 0, mean = 0, variance = 0;
};
Spread spread_of(const io::Image& image) {
    Spread s;
    double squares = 0;
    for (int y = 0; y < image.height; ++y)
        for (int x = 0; x < image.width; ++x) {
            const double light = double(image(x, y).x);
            s.sum += light, s.mean += light * x, squares += light * x * x;
        }
    s.mean /= s.sum, s.variance = squares / s.sum - s.mean * s.mean;
    return s;
}

}  // namespace

TEST(camera, rays_through_a_lens_meet_at_the_focus_and_part_beyond) {
    CameraParams params = looking();
    params.f_number = 2.0, params.focus = 3.0;
    const Camera lens(params, domain.bounds(), 0, 64, 48);
    const double focal_length = 0.012 / std::tan(15 * std::numbers::pi / 180), aperture = focal_length / 2;
    for (const float x : {3.f, 32.f, 60.f}) {
        const Ray middle = lens.ray(x, 20);
        const Vec3f sharp = middle.origin + middle.direction * (3 / middle.direction.y);
        float widest = 0;
        for (int s = 0; s < 200; ++s) {
            const SamplePlace place = lens_place(s, 0.3f);
            const Ray ray = lens.ray(x, 20, place.x, place.y);
            const Vec3f there = ray.origin + ray.direction * ((3 - (ray.origin.y + 4)) / ray.direction.y);
            EXPECT_LT(length(there - sharp), 2e-5f);
            const Vec3f beyond = ray.origin + ray.direction * (6 / ray.direction.y),
                        straight = middle.origin + middle.direction * (6 / middle.direction.y);
            widest = std::max(widest, length(beyond - straight));
        }
        EXPECT_NEAR(widest, 0.5 * aperture, 0.02 * aperture);  // twice as far as the focus: as wide as the lens again
    }
    // Without an f-number it is a pinhole; without a focus the target is sharp.
    const Camera pinhole(looking(), domain.bounds(), 0, 64, 48);
    EXPECT_EQ(pinhole.ray(10, 20, 0.3f, 0.9f).origin, pinhole.position());
    params.focus = {};
    const Ray ray = Camera(params, domain.bounds(), 0, 64, 48).ray(32, 24, 0.7f, 0.2f);
    EXPECT_LT(length(ray.origin + ray.direction * ((4 - (ray.origin.y + 4)) / ray.direction.y) - Vec3f(0, 0, 1)), 2e-5f);
}

TEST(camera, moving_ball_smears_by_its_way_and_keeps_its_light) {
    RenderParams params = test::dark(48, 32);
    params.fire.absorption = 1;
    params.camera.position = Curve<Vec3d>(Vec3d(0, -40, 0.5));
    params.camera.target = Curve<Vec3d>(Vec3d(0, 0, 0.5));
    params.camera.fov = 1.2;
    const double way = 0.2, pixels_per_metre = 32 / (2 * 40 * std::tan(0.6 * std::numbers::pi / 180));
    const test::LatticeFrame frame = flying(way);
    for (const Quality quality : {Quality::draft, Quality::good, Quality::path}) {
        params.camera.shutter = 0;
        const Spread sharp = spread_of(render_frame(frame, params, quality));
        params.camera.shutter = 1;
        const Spread blurred = spread_of(render_frame(frame, params, quality));
        const double noise = quality == Quality::path ? 3 : 1;
        EXPECT_NEAR(blurred.sum / sharp.sum, 1, 0.01 * noise) << int(quality);
        EXPECT_NEAR(blurred.mean, sharp.mean, 0.1 * noise) << int(quality);  // the frame is the middle of the shutter's time
        // Light spread evenly over a way adds its square over 12 to the variance.
        EXPECT_NEAR(std::sqrt(12 * (blurred.variance - sharp.variance)) / (way * pixels_per_metre), 1, 0.03 * noise) << int(quality);
    }
    EXPECT_EQ(shutter_moments(frame, params), 10);
    EXPECT_EQ(shutter_moments(flying(0), params), 1);
}

TEST(camera, bodies_and_points_smear_by_their_own_velocities) {
    RenderParams params = test::dark(48, 32);
    params.camera.position = Curve<Vec3d>(Vec3d(0, -40, 0.5));
    params.camera.target = Curve<Vec3d>(Vec3d(0, 0, 0.5));
    params.camera.fov = 1.2;
    params.materials.push_back({.body = "ball", .radiance = Curve<double>(1.0)});
    params.points.push_back({.points = "sparks", .color = Vec3f(1.f), .kind = PointKind::light, .brightness = 10});
    const double way = 0.2, pixels_per_metre = 32 / (2 * 40 * std::tan(0.6 * std::numbers::pi / 180));
    for (const bool body : {true, false}) {
        field::Frame frame;
        frame.world = field::Bounds{{-0.5, -0.5, 0}, {0.5, 0.5, 1}};
        const Vec3f velocity(float(way * frame.fps), 0, 0);
        if (body) {
            frame.surfaces.push_back(test::sphere({0, 0, 0.5}, 0.1));
            frame.surfaces[0].velocity.assign(frame.surfaces[0].mesh.points.size(), velocity);
        } else {
            params.materials.clear();
            frame.points.push_back({.name = "sparks", .position = {{0, 0, 0.5f}}, .velocity = {velocity}, .radius = {0.1f}});
        }
        params.camera.shutter = 0;
        const Spread sharp = spread_of(render_frame(frame, params, Quality::draft));
        params.camera.shutter = 1;
        const Spread blurred = spread_of(render_frame(frame, params, Quality::draft));
        EXPECT_NEAR(blurred.sum / sharp.sum, 1, 0.02) << body;
        EXPECT_NEAR(blurred.mean, sharp.mean, 0.1) << body;
        EXPECT_NEAR(std::sqrt(12 * (blurred.variance - sharp.variance)) / (way * pixels_per_metre), 1, 0.04) << body;
        EXPECT_EQ(shutter_moments(frame, params), 12) << body;
    }
}

TEST(camera, shutter_blurs_what_a_moving_camera_sees) {
    test::LatticeFrame frame = flying(0);
    RenderParams params = test::dark();
    params.camera.shutter = 0.5;
    EXPECT_EQ(shutter_moments(frame, params), 1);
    params.camera.position = Curve<Vec3d>({{-1, {0, -4, 1}}, {1, {1, -4, 1}}});
    EXPECT_EQ(shutter_moments(frame, params), 8);
    EXPECT_NEAR(RenderScene(frame, params, 0.5).camera.position().x, 0.75, 1e-5);
}
