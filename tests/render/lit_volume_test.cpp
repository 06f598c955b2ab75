#include "render/volumes/lit_volume.h"

#include <gtest/gtest.h>

#include <cmath>

#include "fixture.h"

using namespace phlo;
using namespace phlo::render;

namespace {

OpticalVolume smoke(const std::function<double(const Vec3d&)>& density) {
    RenderParams params = test::dark();
    params.smoke = {.color = Vec3f(1.f), .extinction = 1, .anisotropy = 0};
    return make_volume(test::gas(20, density), params);
}

}  // namespace

TEST(lit_volume, sharpening_keeps_the_amount_and_makes_nothing_negative) {
    // Specks, edges and empty bricks between.
    const OpticalVolume volume = smoke([](const Vec3d& p) {
        if (length(p - Vec3d(-0.3, -0.3, 0.2)) < 0.15) return 1.0;
        return std::sin(61 * p.x) * std::sin(57 * p.y) * std::sin(53 * p.z) > 0.9 ? 3.0 : 0.0;
    });
    const LitVolume lit(volume, [](const Vec3f&, const Vec3i& cell) { return Vec3f(float(cell.x)); });
    double before = 0, after = 0, light_before = 0, light_after = 0;
    for (int k = 0; k < 20; ++k)
        for (int j = 0; j < 20; ++j)
            for (int i = 0; i < 20; ++i) {
                const auto [light, sigma] = lit.cell({i, j, k});
                ASSERT_GE(sigma, 0);
                ASSERT_GE(light.x, 0);
                const double s = double(volume.extinction(i, j, k));
                before += s, after += double(sigma), light_before += s * i, light_after += double(light.x);
            }
    ASSERT_GT(before, 0);
    EXPECT_NEAR(after / before, 1, 1e-5);
    EXPECT_NEAR(light_after / light_before, 1, 1e-5);
}

TEST(lit_volume, depth_of_a_smooth_bump_is_that_of_linear_interpolation) {
    // Across the middle, over all places in a cell. A spline alone would be flatter: wider by a twelfth of a cell squared along each axis.
    const OpticalVolume volume = smoke([](const Vec3d& p) { return std::exp(-std::pow(length(p - Vec3d(0.025, 0.025, 0.525)) / 0.15, 2)); });
    const LitVolume lit(volume, [](const Vec3f&, const Vec3i&) { return Vec3f(); });
    double linear = 0, spline = 0;
    for (int n = 0; n < 64; ++n) {
        const float y = 0.05f * (float(n % 8) + 0.5f) / 8, z = 0.5f + 0.05f * (float(n / 8) + 0.5f) / 8;
        constexpr int steps = 2000;
        for (int s = 0; s < steps; ++s) linear += 4.0 / steps * double(volume.extinction_at({-2 + 4 * (float(s) + 0.5f) / steps, y, z}));
        for (int s = 0; s < 8; ++s)
            spline -=
                std::log(double(lit.march({{-2, y, z}, {1, 0, 0}}, 1e30f, {.step = 0.5f, .jitter = (float(s) + 0.5f) / 8}).transmittance)) /
                8;
    }
    EXPECT_NEAR(spline / linear, 1, 0.004);
}
