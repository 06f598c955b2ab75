#include "render/path.h"

#include <gtest/gtest.h>

#include <cmath>

#include "base/parallel.h"
#include "fixture.h"
#include "render/light/emitters.h"
#include "render/volumes/medium.h"

using namespace phlo;
using namespace phlo::render;

namespace {

io::Image traced(const field::Frame& frame, const RenderParams& params, int samples, std::uint64_t seed = 1) {
    const RenderScene scene(frame, params);
    return render_path(scene, {.samples = samples, .seed = seed});
}

/// The mean of a channel over all pixels, and its standard error.
struct Mean {
    double value = 0, error = 0;
};
Mean mean_of(const io::Image& image, int channel = 0) {
    double sum = 0, squares = 0;
    for (const Vec3f& pixel : image.pixels) sum += double(pixel[channel]), squares += double(pixel[channel]) * double(pixel[channel]);
    const double n = double(image.pixels.size()), mean = sum / n;
    return {mean, std::sqrt(std::max(0.0, squares / n - mean * mean) / n)};
}

test::LatticeFrame slab(int n = 32) {
    return test::gas(n, [](const Vec3d& p) { return p.z > 0.25 && p.z < 0.75 ? 1 : 0; });
}

/// Looks straight down on the middle of the slab, with almost parallel rays.
RenderParams from_above(int size = 24) {
    RenderParams params = test::dark(size, size);
    params.camera.position = Curve<Vec3d>(Vec3d(0, 0, 100));
    params.camera.target = Curve<Vec3d>(Vec3d(0, 0, 0));
    params.camera.fov = 0.1;
    return params;
}

test::LatticeFrame burning(int n, const std::function<double(const Vec3d&)>& temperature, double density = 0) {
    test::LatticeFrame frame = test::gas(n, [=](const Vec3d&) { return density; });
    auto grid = std::make_shared<field::Grid>(field::Layout(frame.domain.cells));
    for (int k = 0; k < n; ++k)
        for (int j = 0; j < n; ++j)
            for (int i = 0; i < n; ++i) (*grid)(i, j, k) = float(temperature(frame.domain.cell_center(i, j, k)));
    frame.add({.name = "temperature", .unit = "K", .background = 300, .grid = grid});
    return frame;
}

}  // namespace

TEST(path, furnace_radiance_is_one) {
    // White gas and white bodies in light of one from everywhere: nothing can be told apart from the light itself.
    RenderParams params = test::dark(24, 24);
    params.sky = {.zenith = Vec3f(1.f), .horizon = Vec3f(1.f), .strength = 1};
    params.background = Vec3f(1.f);
    for (const double g : {0.0, 0.6}) {
        params.smoke = {.color = Vec3f(1.f), .extinction = 20, .anisotropy = g};
        test::LatticeFrame frame = test::gas(24, [](const Vec3d& p) { return test::ball(p, {0, 0, 0.5}, 0.35) * (0.2 + p.x + 0.5); });
        frame.surfaces.push_back(test::sphere({0.1, -0.2, 0.3}, 0.15, Vec3f(1.f)));
        for (const Vec3f& pixel : traced(frame, params, 4).pixels)
            for (int c = 0; c < 3; ++c) ASSERT_NEAR(pixel[c], 1, 1e-4);
    }
}

TEST(path, black_slab_dims_light_by_beer_and_lambert) {
    RenderParams params = from_above();
    params.background = Vec3f(1.f);
    for (const double depth : {0.3, 1.0, 3.0}) {
        params.smoke = {.color = Vec3f(), .extinction = depth / 0.5, .anisotropy = 0};
        const Mean seen = mean_of(traced(slab(), params, 64));
        EXPECT_NEAR(seen.value, std::exp(-depth), 4 * seen.error + 1e-4) << depth;
        EXPECT_LT(seen.error, 0.01);
    }
}

TEST(path, thin_slab_scatters_sunlight_once_as_the_formula_says) {
    // L = a E p mu0 / (mu + mu0) (1 - exp(-tau (1/mu + 1/mu0))), with so little albedo that nothing scatters twice [chandrasekhar1960].
    RenderParams params = from_above();
    params.sun = {.azimuth = 0, .elevation = 60, .color = Vec3f(1.f), .strength = 1000, .size = 0};
    const double tau = 0.8, albedo = 0.01, mu0 = std::sin(60 * std::numbers::pi / 180);
    // A slab as wide as the sun's slanted rays need.
    test::LatticeFrame frame;
    frame.set({.cells = {64, 16, 16}, .origin = {-2, -0.5, 0}, .h = 1.0 / 16});
    auto grid = std::make_shared<field::Grid>(field::Layout(frame.domain.cells));
    for (int k = 4; k < 12; ++k)
        for (int j = 0; j < 16; ++j)
            for (int i = 0; i < 64; ++i) (*grid)(i, j, k) = 1;
    frame.add({.name = "density", .unit = "", .background = 0, .grid = grid});
    for (const double g : {0.0, 0.5}) {
        params.smoke = {.color = Vec3f(float(albedo)), .extinction = tau / 0.5, .anisotropy = g};
        const double phase =
            (1 - g * g) / (4 * std::numbers::pi * std::pow(1 + g * g + 2 * g * mu0, 1.5));  // light turns by 180 - 30 degrees
        const double expected = albedo * 1000 * phase * mu0 / (1 + mu0) * (1 - std::exp(-tau * (1 + 1 / mu0)));
        const Mean seen = mean_of(traced(frame, params, 400));
        EXPECT_NEAR(seen.value / expected, 1, 4 * seen.error / expected + 0.012) << g;  // 1 % is scattered again
    }
}

TEST(path, glowing_slab_shines_as_much_as_it_hides) {
    const test::LatticeFrame frame = burning(32, [](const Vec3d& p) { return p.z > 0.25 && p.z < 0.75 ? 1900 : 300; });
    RenderParams params = from_above();
    for (const double depth : {0.2, 2.0}) {
        params.fire.absorption = depth / 0.5;
        const OpticalVolume volume = make_volume(frame, params);
        const double source = double(volume.emission_of(16, 16, 16).y / volume.extinction(16, 16, 16));
        const Mean seen = mean_of(traced(frame, params, 64), 1);
        EXPECT_NEAR(seen.value, source * (1 - std::exp(-depth)), 4 * seen.error + 0.002 * source) << depth;
    }
}

TEST(path, fire_lights_a_floor_as_every_cell_together) {
    const Vec3d center(0, 0, 0.6);
    const test::LatticeFrame frame = burning(32, [=](const Vec3d& p) { return test::ball(p, center, 0.15) > 0 ? 1900 : 300; });
    RenderParams params = test::dark(16, 16);
    params.fire.absorption = 1.5;
    params.ground = {.visible = true, .height = 0.0, .color = Vec3f(0.5f)};
    params.camera.position = Curve<Vec3d>(Vec3d(1.5, 0, 0.3));
    params.camera.target = Curve<Vec3d>(Vec3d(0.4, 0, 0));
    params.camera.fov = 0.5;
    const RenderScene scene(frame, params);
    double expected = 0;  // in the middle of the picture
    const Vec3d point(0.4, 0, 0);
    for (int k = 0; k < 32; ++k)
        for (int j = 0; j < 32; ++j)
            for (int i = 0; i < 32; ++i) {
                const Vec3d p = frame.domain.cell_center(i, j, k), way = p - point, d = normalized(way);
                const double b = dot(p - center, d);
                const double inside = b + std::sqrt(std::max(0.0, b * b - dot(p - center, p - center) + 0.15 * 0.15));
                expected += double(scene.volume.emission_of(i, j, k).y) * std::pow(frame.domain.h, 3) * d.z / dot(way, way) *
                            std::exp(-1.5 * inside);
            }
    const Hit hit = *scene.surfaces.hit(scene.camera.ray(8, 8));
    expected *= 0.5 / std::numbers::pi * double(scene.kept_of(hit));
    const Mean seen = mean_of(render_path(scene, {.samples = 64}), 1);
    EXPECT_NEAR(seen.value / expected, 1, 4 * seen.error / expected + 0.02);
    EXPECT_LT(seen.error / expected, 0.02);
}

TEST(path, number_of_threads_changes_no_bit_and_seeds_change_the_noise) {
    test::LatticeFrame frame = burning(
        24,
        [](const Vec3d& p) {
            return test::ball(p, {0, 0, 0.4}, 0.2) > 0 ? 1700 : 300;
        },
        0.3);
    frame.surfaces.push_back(test::sphere({0.3, -0.3, 0.2}, 0.1));
    RenderParams params;
    params.width = 40, params.height = 32;
    const io::Image all = traced(frame, params, 2);
    EXPECT_NE(traced(frame, params, 2, 7).pixels, all.pixels);
    const ThreadLimit limit(1);
    EXPECT_EQ(traced(frame, params, 2).pixels, all.pixels);
}

TEST(medium, transmittance_is_right_on_the_average) {
    const test::LatticeFrame frame = test::gas(24, [](const Vec3d& p) { return 2 + std::sin(9 * p.x) + std::cos(7 * p.z); });
    RenderParams params = test::dark();
    params.smoke.extinction = 0.7;
    const OpticalVolume volume = make_volume(frame, params);
    const Medium medium(volume);
    const Vec3f from(-0.9f, 0.1f, 0.2f), direction = normalized(Vec3f(1, 0.1f, 0.3f));
    double depth = 0;
    for (double t = 0.0005; t < 3; t += 0.001) {
        const Vec3f p = from + direction * float(t);
        depth += 0.001 * double(medium.at(p).extinction);
        const Vec3f q = volume.grid_from_world(p) + Vec3f(0.5f);
        const bool inside = std::min({q.x, q.y, q.z}) > 0 && std::max({q.x, q.y, q.z}) < 24;
        ASSERT_NEAR(medium.at(p).extinction, inside ? volume.extinction_at(p) : 0, 2e-3);
    }
    double sum = 0, squares = 0;
    constexpr int n = 40000;
    for (int i = 0; i < n; ++i) {
        RandomStream random({.seed = 5}, std::uint32_t(i));
        const double t = double(medium.transmittance({from, direction}, 3, random));
        sum += t, squares += t * t;
    }
    const double mean = sum / n, error = std::sqrt((squares / n - mean * mean) / n);
    EXPECT_NEAR(mean, std::exp(-depth), 4 * error);
}

TEST(medium, points_of_the_fire_are_drawn_by_its_emission) {
    const test::LatticeFrame frame = burning(16, [](const Vec3d& p) { return p.z > 0.3 ? 1000 + 900 * p.x : 300; });
    const OpticalVolume volume = make_volume(frame, test::dark());
    const EmissionSampler fire(volume);
    // The integral of emission times x, by sampling and by summing cells; trilinear interpolation keeps both.
    double expected = 0, sum = 0, squares = 0;
    for (int k = 0; k < 16; ++k)
        for (int j = 0; j < 16; ++j)
            for (int i = 0; i < 16; ++i)
                expected += double(volume.emission_of(i, j, k).y) * std::pow(frame.domain.h, 3) * (1 + frame.domain.cell_center(i, j, k).x);
    constexpr int n = 40000;
    for (int i = 0; i < n; ++i) {
        RandomStream random({.seed = 6}, std::uint32_t(i));
        const auto [position, light] = fire.sample(random);
        const double value = double(light.y) * (1 + double(position.x));
        sum += value, squares += value * value;
    }
    const double mean = sum / n, error = std::sqrt((squares / n - mean * mean) / n);
    EXPECT_NEAR(mean, expected, 4 * error);
}
