#include "render/preview.h"

#include <gtest/gtest.h>

#include <cmath>

#include "base/parallel.h"
#include "fixture.h"
#include "render/film/film.h"
#include "render/film/quick_film.h"
#include "render/surfaces/surfaces.h"

using namespace phlo;
using namespace phlo::render;

namespace {

test::LatticeFrame ball_of_gas(int n = 32) {
    return test::gas(n, [](const Vec3d& p) { return test::ball(p, {0, 0, 0.5}, 0.3); });
}

/// Where a pixel's middle meets the plane z = height.
Vec3d on_plane(const Camera& camera, int x, int y, double height) {
    const Ray ray = camera.ray(float(x) + 0.5f, float(y) + 0.5f);
    const Vec3d origin(ray.origin), direction(ray.direction);
    return origin + direction * ((height - origin.z) / direction.z);
}

}  // namespace

TEST(preview, bodies_leave_every_core_to_the_picture) {
    const int before = thread_count();
    const Surfaces surfaces({test::sphere({0, 0, 0.5}, 0.2)}, {Material()}, std::nullopt);
    EXPECT_EQ(thread_count(), before);  // Embree can take all but its own threads away from the whole program
}

TEST(preview, without_light_everything_is_black) {
    RenderParams params = test::dark();
    params.ground.visible = true;
    test::LatticeFrame frame = ball_of_gas();
    frame.surfaces.push_back(test::sphere({0.3, -0.3, 0.2}, 0.1));
    for (const Vec3f& pixel : test::picture(frame, params).pixels) ASSERT_EQ(pixel, Vec3f());
}

TEST(preview, white_gas_in_a_white_furnace_never_outshines_it) {
    RenderParams params = test::dark();
    params.sky = {.zenith = Vec3f(1.f), .horizon = Vec3f(1.f), .strength = 1};
    params.background = Vec3f(1.f);
    for (const double extinction : {0.02, 1.0, 30.0}) {
        params.smoke = {.color = Vec3f(1.f), .extinction = extinction, .anisotropy = 0};
        float least = 1;
        for (const Vec3f& pixel : test::picture(ball_of_gas(), params).pixels) {
            ASSERT_LE(pixel.x, 1.0005f);
            least = std::min(least, pixel.x);
        }
        EXPECT_GT(least, extinction < 0.1 ? 0.999f : 0.3f) << extinction;  // thin gas is invisible there, thick gas is not black
    }
}

TEST(preview, sun_and_furnace_give_no_more_than_they_have) {
    // All light scattered by a ball of white gas, seen from every side, cannot exceed what its cross-section takes from the sun.
    RenderParams params = test::dark(48, 48);
    params.sun.strength = 1;
    params.sun.color = Vec3f(1.f);
    params.smoke = {.color = Vec3f(1.f), .extinction = 20, .anisotropy = 0.3};
    double radiance = 0;
    constexpr int views = 24;
    for (int v = 0; v < views; ++v) {
        const Vec3d middle(0, 0, 0.5), from = middle + Vec3d(fibonacci_direction(v, views)) * 50.0;
        params.camera.position = Curve<Vec3d>(from);
        params.camera.target = Curve<Vec3d>(middle);
        params.camera.fov = 1.0;
        // Pixel area at the ball: (2 * 50 tan(0.5 deg) / 48)^2; projected-area integral of radiance = intensity.
        const double side = 2 * 50 * std::tan(0.5 * std::numbers::pi / 180) / 48;
        for (const Vec3f& pixel : test::picture(ball_of_gas(), params, {.samples = 1}).pixels) radiance += double(pixel.x) * side * side;
    }
    const double scattered = radiance / views * 4 * std::numbers::pi, taken = std::numbers::pi * 0.3 * 0.3;
    EXPECT_LT(scattered, 1.02 * taken);
    EXPECT_GT(scattered, 0.25 * taken);
}

TEST(preview, empty_gas_shows_the_background_exactly) {
    RenderParams params = test::dark();
    params.sun.strength = 3;
    params.background = {0.1f, 0.2f, 0.3f};
    for (const Vec3f& pixel : test::picture(test::gas(16, [](const Vec3d&) { return 0; }), params).pixels)
        ASSERT_EQ(pixel, params.background);
    test::LatticeFrame none = ball_of_gas();
    none.volumes.clear();
    for (const Vec3f& pixel : test::picture(none, params).pixels) ASSERT_EQ(pixel, params.background);
}

TEST(preview, shadows_fall_where_geometry_says) {
    const double radius = 0.2;
    const Vec3d center(0.05, -0.1, 0.6);
    RenderParams params = test::dark(120, 90);
    params.sun = {.azimuth = 30, .elevation = 50, .color = Vec3f(1.f), .strength = 3, .size = 0};
    params.ground.visible = true;
    params.ground.color = Vec3f(0.5f);
    params.smoke.extinction = 400;
    params.camera.position = Curve<Vec3d>(Vec3d(0, -4, 4));
    params.camera.target = Curve<Vec3d>(Vec3d(-0.3, -0.2, 0));
    params.camera.fov = 25.0;
    const Vec3d to_sun = direction_from_angles(30, 50);
    for (const bool solid : {true, false}) {
        test::LatticeFrame frame = test::gas(48, [&](const Vec3d& p) { return solid ? 0 : test::ball(p, center, radius); });
        if (solid) frame.surfaces.push_back(test::sphere(center, radius));
        const io::Image image = test::picture(frame, params, {.samples = 1});
        const Camera camera(params.camera, frame.domain.bounds(), 0, params.width, params.height);
        int dark = 0, lit = 0;
        for (int y = 0; y < params.height; ++y)
            for (int x = 0; x < params.width; ++x) {
                const Ray ray = camera.ray(float(x) + 0.5f, float(y) + 0.5f);
                const auto away = [&](const Vec3d& p, const Vec3d& d) { return length(cross(p - center, d)); };
                if (away(Vec3d(ray.origin), Vec3d(ray.direction)) < radius * 1.25) continue;  // the ball itself
                const Vec3d ground = on_plane(camera, x, y, 0);
                if (std::fabs(ground.x) > 1.2 || std::fabs(ground.y) > 1.2) continue;
                const double distance = away(ground, to_sun);
                if (distance < 0.85 * radius) {
                    ++dark;
                    ASSERT_LT(image(x, y).x, 0.02f) << x << " " << y << (solid ? " body" : " gas");
                } else if (distance > 1.2 * radius) {
                    ++lit;
                    ASSERT_GT(image(x, y).x, 0.1f) << x << " " << y << (solid ? " body" : " gas");
                }
            }
        EXPECT_GT(dark, 100);
        EXPECT_GT(lit, 1000);
    }
}

TEST(preview, gas_lies_in_front_of_bodies_and_behind_them) {
    RenderParams params = test::dark(33, 33);
    params.sky = {.zenith = Vec3f(1.f), .horizon = Vec3f(1.f), .strength = 1};
    params.smoke = {.color = Vec3f(0.f), .extinction = 100, .anisotropy = 0};  // black smoke
    params.camera.position = Curve<Vec3d>(Vec3d(0, -5, 0.5));
    params.camera.fov = 6.0;
    for (const double y : {-1.0, 1.0}) {
        test::LatticeFrame frame = ball_of_gas();
        frame.surfaces.push_back(test::sphere({0, y, 0.5}, 0.2, Vec3f(1.f)));
        const float middle = test::picture(frame, params)(16, 16).x;
        if (y < 0) EXPECT_GT(middle, 0.3f);  // white ball before black smoke
        else EXPECT_LT(middle, 0.01f);
    }
}

TEST(preview, number_of_threads_changes_no_bit) {
    test::LatticeFrame frame = ball_of_gas(40);
    frame.surfaces.push_back(test::sphere({0.3, -0.3, 0.2}, 0.1));
    RenderParams params;
    params.width = 80, params.height = 60;
    const io::Image all = test::picture(frame, params);
    const ThreadLimit limit(1);
    EXPECT_EQ(test::picture(frame, params).pixels, all.pixels);
}

TEST(preview, mirror_symmetric_gas_gives_a_mirror_symmetric_picture) {
    const test::LatticeFrame frame = test::gas(40, [](const Vec3d& p) {
        return test::ball({std::fabs(p.x), p.y, p.z}, {0.2, 0.05, 0.4}, 0.18) +
               0.5 * test::ball({std::fabs(p.x), p.y, p.z}, {0.1, 0, 0.7}, 0.12);
    });
    RenderParams params;
    params.width = 81, params.height = 60;
    params.camera.azimuth = -90;
    params.sun.azimuth = -90;
    const io::Image image = test::picture(frame, params, {.samples = 36, .step = 0.35f});
    double difference = 0, sum = 0;
    for (int y = 0; y < 60; ++y)
        for (int x = 0; x < 40; ++x) {
            difference += std::fabs(double(image(x, y).y - image(80 - x, y).y)), sum += double(image(x, y).y);
            EXPECT_NEAR(image(x, y).y, image(80 - x, y).y, 0.06) << x << " " << y;
        }
    EXPECT_LT(difference / sum, 0.01);
}

TEST(preview, finer_settings_converge_to_the_same_picture) {
    const test::LatticeFrame frame = ball_of_gas(40);
    RenderParams params;
    params.width = 64, params.height = 48;
    const io::Image draft = test::picture(frame, params, preview_settings(Quality::draft));
    const io::Image final = test::picture(frame, params, preview_settings(Quality::final));
    double difference = 0, sum = 0;
    for (std::size_t n = 0; n < draft.pixels.size(); ++n)
        difference += std::fabs(double(draft.pixels[n].y - final.pixels[n].y)), sum += double(final.pixels[n].y);
    EXPECT_LT(difference / sum, 0.03);
}

TEST(camera, automatic_camera_sees_the_whole_domain_and_wastes_little) {
    for (const Vec3i cells : {Vec3i(20, 20, 20), Vec3i(10, 12, 60), Vec3i(80, 20, 10)}) {
        const field::Domain domain{.cells = cells, .origin = {3, -2, 1}, .h = 0.1};
        const Camera camera({}, domain.bounds(), 0, 640, 360);
        const Vec3f right = normalized(camera.ray(640, 180).direction - camera.ray(0, 180).direction);
        double most = 0;
        for (int corner = 0; corner < 8; ++corner) {
            const Vec3f p(domain.origin + domain.size() * Vec3d(corner & 1, corner >> 1 & 1, corner >> 2));
            const Vec3f d = normalized(p - camera.position());
            const Vec3f up = cross(right, camera.forward());
            const double x = double(dot(d, right) / dot(d, camera.forward())), y = double(dot(d, up) / dot(d, camera.forward()));
            const double half = std::tan(15 * std::numbers::pi / 180);
            EXPECT_LT(std::fabs(x), half * 640 / 360);
            EXPECT_LT(std::fabs(y), half);
            most = std::max({most, std::fabs(x) / (half * 640 / 360), std::fabs(y) / half});
        }
        EXPECT_GT(most, 0.85);
    }
}

TEST(film, curve_rises_from_black_to_white) {
    EXPECT_EQ(filmic(0), 0);
    float last = 0;
    for (float x = 0.01f; x < 100; x *= 1.1f) {
        const float y = filmic(x);
        EXPECT_GE(y, last);
        EXPECT_LE(y, 1);
        last = y;
    }
    EXPECT_EQ(last, 1);
}

TEST(film, dither_hides_steps_and_keeps_the_mean) {
    io::Image image(256, 64);
    for (int y = 0; y < 64; ++y)
        for (int x = 0; x < 256; ++x) image(x, y) = Vec3f(0.1f);
    const io::DisplayImage picture = develop(image, {});
    double mean = 0;
    for (const std::uint8_t byte : picture.bytes) mean += byte;
    mean /= double(picture.bytes.size());
    EXPECT_NEAR(mean, 255 * io::srgb_from_linear(filmic(0.1f)), 0.02);
    EXPECT_NE(*std::min_element(picture.bytes.begin(), picture.bytes.end()), *std::max_element(picture.bytes.begin(), picture.bytes.end()));
}

TEST(film, the_quick_film_is_within_a_level_of_the_exact_one) {
    io::Image image(300, 100);
    for (int y = 0; y < 100; ++y)
        for (int x = 0; x < 300; ++x) image(x, y) = Vec3f(1, 0.3f, 2) * std::exp2(float(x) / 300 * 24 - 16 + 0.01f * float(y));
    image(0, 0) = {0, -1, 1e30f};
    for (const double exposure : {-2.0, 0.0, 1.5}) {
        const io::DisplayImage exact = develop(image, {.exposure = exposure, .dither = false}), quick = QuickFilm({.exposure = exposure, .dither = false}).develop(image);
        for (std::size_t n = 0; n < exact.bytes.size(); ++n) ASSERT_LE(std::abs(int(exact.bytes[n]) - int(quick.bytes[n])), 1) << n << ' ' << exposure;
        int differ = 0;
        for (std::size_t n = 0; n < exact.bytes.size(); ++n) differ += exact.bytes[n] != quick.bytes[n];
        EXPECT_LT(differ, int(exact.bytes.size()) / 200);
    }
    const io::DisplayImage black = QuickFilm({.dither = false}).develop(io::Image(4, 4));
    for (const std::uint8_t byte : black.bytes) EXPECT_EQ(byte, 0);
}

TEST(film, the_quick_film_dithers_without_changing_the_mean) {
    io::Image image(256, 64);
    for (Vec3f& p : image.pixels) p = Vec3f(0.1f);
    double mean = 0;
    const io::DisplayImage picture = QuickFilm({}).develop(image);
    for (const std::uint8_t byte : picture.bytes) mean += byte;
    EXPECT_NEAR(mean / double(picture.bytes.size()), 255 * io::srgb_from_linear(filmic(0.1f)), 0.02);
    EXPECT_NE(*std::min_element(picture.bytes.begin(), picture.bytes.end()), *std::max_element(picture.bytes.begin(), picture.bytes.end()));
}
