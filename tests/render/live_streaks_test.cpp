// Streaks: what they hold, and what hides them.
#include "render/live/streaks.h"

#include <gtest/gtest.h>

#include <limits>
#include <numbers>

#include "live_fixture.h"

using namespace phlo;
using namespace phlo::render;

namespace {

constexpr int width = 320, height = 240;
constexpr float infinity = std::numeric_limits<float>::infinity();

/// Looks along +y from ten metres away; a pixel at the origin is 0.0112 m.
Projection front(int w = width, int h = height) {
    CameraParams params;
    params.position = Curve<Vec3d>(Vec3d(0, -10, 0)), params.target = Curve<Vec3d>(Vec3d(0, 0, 0));
    params.fov = 15.3;
    return Camera(params, {{-1, -1, -1}, {1, 1, 1}}, 0, w, h).projection();
}

field::Points one(const Vec3f& position, const Vec3f& velocity, float radius, float now, float before) {
    field::Points points{.name = "fire", .position = {position}, .velocity = {velocity}, .radius = {radius}};
    points.columns = {{"composition", std::vector<float>{now}}, {"composition_before", std::vector<float>{before}}};
    return points;
}

const std::vector<Torch> unit_weight{{.id = 0, .count = 1, .weight = 1}};

double sum_of(const Plane& plane) {
    double sum = 0;
    for (int y = 0; y < plane.height; ++y)
        for (int x = 0; x < plane.width; ++x) sum += double(plane(x, y));
    return sum;
}

Plane drawn(const field::Points& points, const std::vector<Torch>& torches, const StreakLook& look = {}, float surface = infinity) {
    const Plane surfaces(width, height, surface);
    Plane amount(width, height);
    Streaks().draw(points, torches, look, front(), {surfaces}, amount);
    return amount;
}

}  // namespace

TEST(live_streaks, a_streak_holds_the_same_amount_whatever_its_direction_length_and_thickness) {
    const Projection camera = front();
    const double pixel = double(camera.pixel) * 10;
    for (const double degrees : {0.0, 17.0, 45.0, 90.0, 133.0, 268.0})
        for (const double metres : {0.0, 0.01, 0.07, 0.4, 1.1})
            for (const float radius : {0.001f, 0.02f, 0.05f, 0.2f}) {
                const double a = degrees * std::numbers::pi / 180;
                const Vec3f velocity(float(60 * metres * std::cos(a)), 0, float(60 * metres * std::sin(a)));
                // Pixels sample it: by a little more or less, as it lies between them.
                double mean = 0;
                constexpr int places = 9;
                for (int n = 0; n < places; ++n) {
                    const Vec3f at(float(pixel) * (float(n % 3) / 3 + 0.1f), 0, float(pixel) * (float(n / 3) / 3 + 0.1f));
                    const double amount = sum_of(drawn(one(at, velocity, radius, 0.8f, 0.4f), unit_weight)) * pixel * pixel;
                    EXPECT_NEAR(amount, 0.6, 0.6 * 0.025) << degrees << " deg, " << metres << " m, radius " << radius;
                    mean += amount / places;
                }
                EXPECT_NEAR(mean, 0.6, 0.6 * 0.005) << degrees << " deg, " << metres << " m, radius " << radius;
            }
}

TEST(live_streaks, composition_runs_from_the_tail_to_the_head) {
    const Plane amount = drawn(one({0.5f, 0, 0}, {60, 0, 0}, 0.05f, 0.9f, 0.3f), unit_weight);   // from x = -0.5 to 0.5
    const float tail = amount(width / 2 - 40, height / 2), middle = amount(width / 2, height / 2), head = amount(width / 2 + 40, height / 2);
    EXPECT_NEAR(head / middle, (0.6 + 0.6 * 40 * 0.0112) / 0.6, 0.02);
    EXPECT_NEAR(tail / middle, (0.6 - 0.6 * 40 * 0.0112) / 0.6, 0.02);
}

TEST(live_streaks, half_the_particles_with_twice_the_composition_are_the_same_picture) {
    field::Points all, half;
    std::vector<float> once, twice;
    for (int n = 0; n < 500; ++n) {
        const auto u = uniform4({.seed = 3}, std::uint32_t(n));
        const Vec3f at(u[0] - 0.5f, u[1] - 0.5f, u[2] - 0.5f);
        for (int copy = 0; copy < 2; ++copy) all.position.push_back(at), all.radius.push_back(0.03f), once.push_back(0.4f * u[3]);
        half.position.push_back(at), half.radius.push_back(0.03f), twice.push_back(0.8f * u[3]);
    }
    all.columns["composition"] = once, half.columns["composition"] = twice;
    const Plane a = drawn(all, unit_weight), b = drawn(half, unit_weight);
    EXPECT_GT(sum_of(a), 1);
    for (std::size_t n = 0; n < a.values.size(); ++n) ASSERT_NEAR(a.values[n], b.values[n], 1e-4f * (1 + a.values[n]));
}

TEST(live_streaks, a_torch_looks_as_thick_with_fewer_particles) {
    const field::Points many = test::torch(40000), few = test::torch(20000);
    const Plane a = drawn(many, find_torches(many)), b = drawn(few, find_torches(few));
    EXPECT_NEAR(sum_of(b) / sum_of(a), 1, 0.03);
}

TEST(live_streaks, each_torch_of_a_set_has_its_own_size) {
    field::Points both = test::torch(4000), far = test::torch(4000, 0, {30, 0, 0});
    both.position.insert(both.position.end(), far.position.begin(), far.position.end());
    std::vector<std::int32_t> torch(8000, 3);
    std::fill(torch.begin() + 4000, torch.end(), 7);
    both.columns["torch"] = torch;
    const auto torches = find_torches(both);
    const Torch alone = find_torches(test::torch(4000)).front();
    ASSERT_EQ(torches.size(), 2u);
    EXPECT_EQ(torches[1].id, 7);
    for (const Torch& t : torches) EXPECT_NEAR(t.weight, alone.weight, 1e-3f * alone.weight);
}

TEST(live_streaks, what_lies_behind_a_surface_is_not_drawn) {
    const auto points = one({0, 0, 0}, {0, 0, 6}, 0.05f, 1, 1);
    EXPECT_EQ(sum_of(drawn(points, unit_weight, {}, 9.9f)), 0);
    EXPECT_EQ(sum_of(drawn(points, unit_weight, {}, 10.1f)), sum_of(drawn(points, unit_weight)));
}

TEST(live_streaks, nothing_is_drawn_behind_the_camera_or_from_far_aside) {
    EXPECT_EQ(sum_of(drawn(one({0, -11, 0}, {0, 0, 6}, 0.05f, 1, 1), unit_weight)), 0);
    EXPECT_EQ(sum_of(drawn(one({1e7f, 0, 0}, {0, 0, 6}, 0.05f, 1, 1), unit_weight)), 0);
    EXPECT_EQ(sum_of(drawn(one({0, 0, 0}, {0, 1e9f, 0}, 0.05f, 1, 1), unit_weight)), 0);
}
