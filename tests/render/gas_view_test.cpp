#include "render/volumes/gas_view.h"

#include <gtest/gtest.h>

#include <cmath>

#include "fixture.h"
#include "render/light/lights.h"
#include "render/film/pixels.h"

using namespace phlo;
using namespace phlo::render;

namespace {

/// Smoke that sends radiance `source(cell)` per scattering.
struct Smoke {
    OpticalVolume volume;
    LitVolume lit;

    Smoke(int n, double extinction, const std::function<double(const Vec3d&)>& density, const std::function<float(const Vec3i&)>& source) {
        RenderParams params = test::dark();
        params.smoke = {.color = Vec3f(1.f), .extinction = extinction, .anisotropy = 0};
        volume = make_volume(test::gas(n, density), params);
        lit = LitVolume(volume, [&](const Vec3f&, const Vec3i& cell) { return Vec3f(source(cell)); });
    }
};

}  // namespace

TEST(gas_view, rays_dim_and_gather_light_as_beer_and_lambert_say) {
    const Smoke smoke(
        32, 3, [](const Vec3d& p) { return p.x < 0 ? 1 : 0; }, [](const Vec3i&) { return 2.f; });
    for (const int cells : {32, 16, 8}) {
        const GasView view(smoke.volume, smoke.lit, cells);
        const Ray ray{{-2, 0.1f, 0.52f}, {1, 0, 0}};
        const GasView::Seen all = view.look(ray, 1e30f), half = view.look(ray, 1.75f);
        EXPECT_NEAR(all.transmittance, std::exp(-1.5), 1e-5);
        EXPECT_NEAR(all.radiance.y, 2 * (1 - std::exp(-1.5)), 1e-5);
        EXPECT_NEAR(half.transmittance, std::exp(-0.75), 1e-5);
        EXPECT_NEAR(half.radiance.y, 2 * (1 - std::exp(-0.75)), 1e-5);
        EXPECT_EQ(half.density, all.density);  // a body on the way does not change what is drawn
        EXPECT_EQ(view.look({{-2, 0, 3}, {1, 0, 0}}, 1e30f).transmittance, 1);
    }
}

TEST(gas_view, drawn_directions_have_the_density_that_rays_find) {
    // Uneven light in a half of the cube. The mean of f / density over drawn directions is the integral of f over those that meet light,
    // from outside and from inside the gas alike.
    const Smoke smoke(
        24, 8, [](const Vec3d& p) { return p.z > 0.3 && p.z < 0.8 ? 1 + p.x : 0; },
        [](const Vec3i& c) { return c.y > 8 ? float(c.x) : 0.f; });
    const GasView view(smoke.volume, smoke.lit, 12);
    ASSERT_FALSE(view.dark());
    for (const Vec3f point : {Vec3f(0.2f, -1.5f, 0), Vec3f(0.1f, 0.1f, 0.5f)}) {
        constexpr int n = 20000;
        double expected = 0, whole = 0, sum = 0, squares = 0;
        for (int i = 0; i < n; ++i) {
            const Vec3f d = fibonacci_direction(i, n);
            const float density = view.look({point, d}, 1e30f).density;
            whole += double(density) * 4 * std::numbers::pi / n;
            if (density > 0) expected += (1 + double(d.x)) * 4 * std::numbers::pi / n;
        }
        EXPECT_NEAR(whole, 1, 0.02);
        for (int i = 0; i < n; ++i) {
            RandomStream random({.seed = 3}, std::uint32_t(i));
            const Vec3f d = normalized(view.draw((i + 0.5) / n, random) - point);
            const double value = (1 + double(d.x)) / double(view.look({point, d}, 1e30f).density);
            sum += value, squares += value * value;
        }
        const double mean = sum / n, error = std::sqrt((squares / n - mean * mean) / n);
        EXPECT_NEAR(mean / expected, 1, 4 * error / expected + 0.01);
        EXPECT_LT(error / expected, 0.03);
    }
}

TEST(gas_view, dark_gas_draws_nothing) {
    const Smoke smoke(
        8, 3, [](const Vec3d&) { return 1; }, [](const Vec3i&) { return 0.f; });
    EXPECT_TRUE(GasView(smoke.volume, smoke.lit, 8).dark());
    EXPECT_TRUE(GasView().dark());
    EXPECT_EQ(GasView().look({{0, 0, 0}, {0, 0, 1}}, 1).transmittance, 1);
}

TEST(pixels, places_in_a_pixel_lie_around_its_middle) {
    for (const int count : {1, 4, 9, 16, 64}) {
        const SamplePlaces places(count);
        double x = 0, y = 0;
        for (int s = 0; s < count; ++s) x += double(places[s].x), y += double(places[s].y);
        EXPECT_NEAR(x / count, 0.5, 1e-5);
        EXPECT_NEAR(y / count, 0.5, 1e-5);
    }
}
