// The halo: what it carries upwards, and that nothing is lost on the way.
#include "render/live/halo.h"

#include <gtest/gtest.h>

#include <cmath>

using namespace phlo::render;

namespace {

struct Moments {
    double sum = 0, x = 0, y = 0;
};

Moments moments_of(const Plane& plane) {
    Moments m;
    for (int y = 0; y < plane.height; ++y)
        for (int x = 0; x < plane.width; ++x) {
            const double v = double(plane(x, y));
            m.sum += v, m.x += v * x, m.y += v * y;
        }
    m.x /= m.sum, m.y /= m.sum;
    return m;
}

Plane dot(int width = 200, int height = 160, int x = 100, int y = 140) {
    Plane plane(width, height);
    plane(x, y) = 5;
    return plane;
}

}  // namespace

TEST(live_halo, keeps_the_sum_however_it_wavers) {
    for (const float jitter : {0.f, 0.5f, 1.f}) {
        Plane plane = dot();
        blur_upwards(plane, {.height = 8, .jitter = jitter, .wavelength = 12, .phase = 3.7f});
        EXPECT_NEAR(moments_of(plane).sum, 5, 1e-4) << jitter;
    }
}

TEST(live_halo, carries_upwards_by_its_height_on_average) {
    Plane plane = dot();
    blur_upwards(plane, {.height = 8, .jitter = 0});
    const Moments m = moments_of(plane);
    EXPECT_NEAR(m.y, 140 - 8, 0.05);
    EXPECT_NEAR(m.x, 100, 1e-3);
    for (int y = 141; y < plane.height; ++y)
        for (int x = 0; x < plane.width; ++x) ASSERT_EQ(plane(x, y), 0);
}

TEST(live_halo, follows_the_worlds_up_on_the_picture) {
    // Rolled cameras: up may point anywhere. Steps along the longer axis are as long as a pixel there.
    for (const double degrees : {20.0, 70.0, 110.0, 160.0, 200.0, 290.0, 340.0}) {
        const float a = float(degrees * 3.14159265 / 180), up_x = std::sin(a), up_y = -std::cos(a);
        Plane plane = dot(240, 240, 120, 120);
        blur_upwards(plane, {.height = 10, .up_x = up_x, .up_y = up_y, .jitter = 0});
        const Moments m = moments_of(plane);
        const double dx = m.x - 120, dy = m.y - 120, way = std::hypot(dx, dy);
        EXPECT_NEAR(way, 10, 4.2) << degrees;
        EXPECT_GT((dx * double(up_x) + dy * double(up_y)) / way, 0.995) << degrees;
        EXPECT_NEAR(m.sum, 5, 1e-3) << degrees;
    }
}

TEST(live_halo, wavers_to_both_sides) {
    int left = 0, right = 0;
    for (int n = 0; n < 16; ++n) {
        Plane plane = dot();
        blur_upwards(plane, {.height = 12, .jitter = 1, .wavelength = 16, .phase = 5.3f * float(n)});
        const double x = moments_of(plane).x;
        left += x < 99, right += x > 101;
    }
    EXPECT_GT(left, 1);
    EXPECT_GT(right, 1);
}
