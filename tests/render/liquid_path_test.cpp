// What the path tracer says about clear and cloudy things, against formulas.
#include <gtest/gtest.h>

#include <cmath>

#include "liquid_fixture.h"
#include "render/path.h"

using namespace phlo;
using namespace phlo::render;

namespace {

/// Looks straight down on the middle of everything, with almost parallel rays.
RenderParams from_above(int size = 16) {
    RenderParams params = test::dark(size, size);
    params.camera.position = Curve<Vec3d>(Vec3d(0.1, 0.05, 100));
    params.camera.target = Curve<Vec3d>(Vec3d(0.1, 0.05, 0));
    params.camera.fov = 0.05;
    return params;
}

struct Seen {
    Vec3d mean, error;
};
Seen traced(const field::Frame& frame, const RenderParams& params, int samples) {
    const io::Image image = render_path(RenderScene(frame, params), {.samples = samples});
    Seen seen;
    const double n = double(image.pixels.size());
    for (const Vec3f& p : image.pixels) seen.mean += Vec3d(p) / n, seen.error += Vec3d(p * p) / n;
    for (int c = 0; c < 3; ++c) seen.error[c] = std::sqrt(std::max(0.0, seen.error[c] - seen.mean[c] * seen.mean[c]) / n);
    return seen;
}

field::Frame slab_frame(double thickness, double width = 2) {
    field::Frame frame{.world = field::Bounds{{-0.5 * width, -0.5 * width, 0}, {0.5 * width, 0.5 * width, 1}}};
    frame.surfaces.push_back(test::box("slab", {-0.5 * width, -0.5 * width, 0.5 - 0.5 * thickness}, {0.5 * width, 0.5 * width, 0.5 + 0.5 * thickness}));
    return frame;
}

/// Plane albedo of a half-space that scatters evenly, for light that falls straight on: 1 - sqrt(1 - a) H(1), with Chandrasekhar's H by iteration.
double half_space_albedo(double a) {
    constexpr int n = 400;
    std::vector<double> h(n + 1, 1.0), next(n + 1);
    for (int round = 0; round < 400; ++round) {
        for (int i = 0; i <= n; ++i) {
            const double mu = double(i) / n;
            double sum = 0;
            for (int j = 0; j < n; ++j) {
                const double at = (j + 0.5) / n;
                sum += at * 0.5 * (h[std::size_t(j)] + h[std::size_t(j) + 1]) / (mu + at) / n;
            }
            next[std::size_t(i)] = 1 / (std::sqrt(1 - a) + 0.5 * a * sum);
        }
        h = next;
    }
    return 1 - std::sqrt(1 - a) * h[n];
}

}  // namespace

TEST(liquid_path, a_clear_slab_passes_fresnel_times_beer_and_lambert) {
    // Light of one from below, none from straight above.
    RenderParams params = from_above();
    params.sky = {.zenith = Vec3f(), .horizon = Vec3f(1.f), .strength = 1};
    for (const double ior : {1.0, 1.333, 2.0}) {
        const Vec3d absorption(0, 2, 10);
        params.materials = {{.body = "slab", .surface = DielectricSurface{.ior = ior, .absorption = absorption}}};
        const Seen seen = traced(slab_frame(0.2), params, 64);
        const double r = std::pow((ior - 1) / (ior + 1), 2);
        for (int c = 0; c < 3; ++c) {
            const double a = std::exp(-0.2 * absorption[c]), expected = (1 - r) * (1 - r) * a / (1 - r * r * a * a);
            EXPECT_NEAR(seen.mean[c], expected, 4 * seen.error[c] + 2e-3) << ior << " " << c;
        }
    }
}

TEST(liquid_path, a_cloudy_half_space_sends_back_what_chandrasekhar_says) {
    // Under an even sky the radiance straight up is, the other way round, the share of light from straight above that comes back.
    RenderParams params = from_above();
    params.sky = {.zenith = Vec3f(1.f), .horizon = Vec3f(1.f), .strength = 1};
    const Vec3d albedo(0.5, 0.9, 0.97), extinction(60, 80, 100);
    params.materials = {{.body = "slab",
                         .surface = DielectricSurface{.ior = 1, .absorption = extinction * (Vec3d(1.0) - albedo), .scattering = extinction * albedo}}};
    const Seen seen = traced(slab_frame(0.9, 4), params, 64);
    for (int c = 0; c < 3; ++c) EXPECT_NEAR(seen.mean[c], half_space_albedo(albedo[c]), 4 * seen.error[c] + 3e-3) << c;
}

TEST(liquid_path, a_slab_that_scatters_forwards_agrees_with_van_de_hulst) {
    // Optical depth 2, albedo 0.9, g = 0.75, no borders: 0.09739 comes back and 0.66096 passes [vandehulst1980].
    RenderParams params = from_above(24);
    params.sky = {.zenith = Vec3f(1.f), .horizon = Vec3f(1.f), .strength = 1};
    params.materials = {{.body = "slab", .surface = DielectricSurface{.ior = 1, .absorption = Vec3d(2.0), .scattering = Vec3d(18.0), .anisotropy = 0.75}}};
    const Seen both = traced(slab_frame(0.1, 8), params, 64);
    EXPECT_NEAR(both.mean.x, 0.09739 + 0.66096, 4 * both.error.x + 2e-3);
    params.ground = {.visible = true, .height = 0.0, .color = Vec3f()};  // black: nothing comes from below
    const Seen back = traced(slab_frame(0.1, 8), params, 64);
    EXPECT_NEAR(back.mean.x, 0.09739, 4 * back.error.x + 1e-3);
}

TEST(liquid_path, milk_and_water_in_a_furnace_cannot_be_seen) {
    RenderParams params = test::dark(16, 16);
    params.sky = {.zenith = Vec3f(1.f), .horizon = Vec3f(1.f), .strength = 1};
    params.background = Vec3f(1.f);
    field::Frame frame = test::pool_frame(test::pool(16, 0.4, [](double x, double y) { return 0.05 * std::sin(9 * x + 4 * y); }));
    frame.surfaces.push_back(test::sphere({0.1, 0, 0.4}, 0.2, Vec3f(1.f)));
    for (const Vec3d& scattering : {Vec3d(), Vec3d(3, 9, 27)}) {
        params.materials = {{.body = "liquid", .surface = DielectricSurface{.ior = 1.333, .scattering = scattering}}};
        const Seen seen = traced(frame, params, 16);
        for (int c = 0; c < 3; ++c) EXPECT_NEAR(seen.mean[c], 1, 5 * seen.error[c] + 1e-3) << scattering[c];
    }
}
