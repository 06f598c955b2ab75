#include "render/volumes/appearance.h"

#include <gtest/gtest.h>

#include <numbers>

#include "fixture.h"
#include "render/light/fire_light.h"

namespace phlo::render {
namespace {

/// Of a ball of radius 1 around 0 below u: (2 + 3u - u^3) / 4.
double height_below(double share) {
    double low = -1, high = 1;
    for (int n = 0; n < 60; ++n) {
        const double u = 0.5 * (low + high);
        ((2 + 3 * u - u * u * u) / 4 < share ? low : high) = u;
    }
    return low;
}

TEST(appearance, a_ball_of_smoke_has_its_place_and_size) {
    const Vec3d center{0.05, -0.1, 0.45};
    for (const int cells : {40, 80}) {
        const Appearance seen = appearance(test::gas(cells, [&](const Vec3d& p) { return test::ball(p, center, 0.3); }), {.smoke = {.extinction = 2}});
        EXPECT_NEAR(seen.opacity, 2 * 4 / 3.0 * std::numbers::pi * 0.027, 6e-3 * 0.226);
        EXPECT_EQ(seen.luminous_power, 0);
        for (int axis = 0; axis < 3; ++axis) {
            EXPECT_NEAR(seen.centre[axis], center[axis], 1e-3);
            EXPECT_NEAR(seen.box.lower[axis], center[axis] + 0.3 * height_below(0.01), 4e-3);
            EXPECT_NEAR(seen.box.upper[axis], center[axis] + 0.3 * height_below(0.99), 4e-3);
        }
    }
}

TEST(appearance, light_is_what_fire_throws_on_its_surroundings) {
    test::LatticeFrame frame = test::gas(32, [](const Vec3d& p) { return test::ball(p, {0, 0, 0.5}, 0.3); });
    auto temperature = std::make_shared<field::Grid>(field::Layout(frame.domain.cells), 293.15f);
    for (int k = 8; k < 24; ++k)
        for (int j = 8; j < 24; ++j)
            for (int i = 8; i < 24; ++i) (*temperature)(i, j, k) = 900 + 40.f * float(k);
    frame.add({.name = "temperature", .unit = "K", .background = 293.15f, .grid = temperature});
    const OpticalVolume volume = make_volume(frame, {});
    const Vec3d power = FireLight(volume).power();
    const double luminous = 0.2126 * power.x + 0.7152 * power.y + 0.0722 * power.z;
    ASSERT_GT(luminous, 0);
    EXPECT_NEAR(appearance(volume).luminous_power / luminous, 1, 1e-4);
}

TEST(appearance, of_nothing_is_nothing) {
    const Appearance seen = appearance(test::gas(8, [](const Vec3d&) { return 0; }), {});
    EXPECT_TRUE(seen.box.empty());
    EXPECT_EQ(seen.opacity, 0);
}

}  // namespace
}  // namespace phlo::render
