#include "render/flipbook/flipbook.h"

#include <gtest/gtest.h>

#include <cmath>

#include "base/parallel.h"
#include "complaint.h"
#include "fixture.h"
#include "io/cache.h"
#include "render/flipbook/fill.h"
#include "scratch_dir.h"

using namespace phlo;
using namespace phlo::render;

namespace {

constexpr int pixels = 32;

/// The unit cube of test::gas, seen along +y.
const ParallelView front{.center = {0, -0.6, 0.5}, .width = 1, .height = 1};

double cloud(const Vec3d& p) { return std::exp(-30 * dot(p - Vec3d(0, 0, 0.5), p - Vec3d(0, 0, 0.5))); }

RenderParams thick(double extinction) {
    RenderParams look = test::dark();
    look.smoke.extinction = extinction;
    return look;
}

void set_velocity(test::LatticeFrame& frame, const Vec3d& v) {
    auto faces = std::make_shared<field::MacGrid>(field::Layout(frame.domain.cells));
    for (int axis = 0; axis < 3; ++axis) (*faces)[axis].fill(float(v[axis]));
    frame.add(faces);
}

FlipbookCell cell_of(const field::Frame& frame, const RenderParams& look, double seconds = 1.0 / 24) {
    return render_cell(frame, look, front, {.width = pixels, .height = pixels, .seconds = seconds, .settings = {.step = 0.25f}});
}

float alpha_at(const FlipbookCell& cell, int x, int y) { return cell.alpha[std::size_t(y * cell.width + x)]; }

/// Mean of a channel over columns first <= x < last.
double mean(const io::Image& image, int channel, int first, int last) {
    double sum = 0;
    for (int y = 0; y < image.height; ++y)
        for (int x = first; x < last; ++x) sum += double(image(x, y)[channel]);
    return sum / (image.height * (last - first));
}

}  // namespace

TEST(flipbook, alpha_of_a_slab_is_one_minus_its_transmittance) {
    // 16 of 64 cells deep: a quarter of a metre.
    const auto frame = test::gas(64, [](const Vec3d& p) { return std::fabs(p.y) < 0.125 ? 1 : 0; });
    for (const double extinction : {0.5, 4.0, 12.0}) {
        const FlipbookCell cell = cell_of(frame, thick(extinction));
        for (const int at : {8, 16, 24}) EXPECT_NEAR(alpha_at(cell, at, at), 1 - std::exp(-0.25 * extinction), 1e-3) << extinction;
    }
}

TEST(flipbook, two_slabs_let_through_what_each_lets_through_of_the_other) {
    const auto both = test::gas(64, [](const Vec3d& p) { return std::fabs(p.y) < 0.125 ? 1.0 : p.y > 0.25 && p.y < 0.375 ? 2.0 : 0.0; });
    EXPECT_NEAR(1 - alpha_at(cell_of(both, thick(3)), 16, 16), std::exp(-3 * 0.25) * std::exp(-2 * 3 * 0.125), 1e-3);
}

TEST(flipbook, emission_adds_and_hides_nothing_more_than_it_absorbs) {
    auto frame = test::gas(48, [](const Vec3d&) { return 0; });
    auto heat = std::make_shared<field::Grid>(field::Layout(frame.domain.cells), 300.f);
    for (int k = 16; k < 32; ++k)
        for (int j = 16; j < 32; ++j)
            for (int i = 16; i < 32; ++i) (*heat)(i, j, k) = 1900;
    frame.add({.name = "temperature", .unit = "K", .background = 300, .grid = heat});
    RenderParams look = test::dark();
    look.fire.absorption = 0.3, look.fire.brightness = 40;
    const FlipbookCell cell = cell_of(frame, look);
    const float alpha = alpha_at(cell, 16, 16);
    EXPECT_NEAR(alpha, 1 - std::exp(-0.3 / 3), 2e-3);
    // A thick fire at this temperature has radiance 40 times its colour; a thin one its absorbed share of that.
    EXPECT_GT(cell.light(16, 16).x, 10 * alpha);
    EXPECT_EQ(cell.light(16, 16), cell.emission(16, 16)) << "in the dark there is no other light";
}

TEST(flipbook, gas_that_moves_evenly_moves_on_the_screen_as_far_as_it_does) {
    auto frame = test::gas(48, cloud);
    set_velocity(frame, {0.9, 5, -0.3});
    const ParallelView wide{.center = {0, -0.6, 0.5}, .width = 2, .height = 1};
    RenderParams look;   // lit by sun and sky: what is shown counts as well
    const FlipbookCell cell = render_cell(frame, look, wide, {.width = pixels, .height = pixels, .seconds = 0.1});
    int seen = 0;
    for (const Vec3f& m : cell.motion.pixels) {
        if (!(m.z > 0.02f)) continue;
        ++seen;
        EXPECT_NEAR(m.x / m.z, 0.9 * 0.1 / 2, 1e-4);
        EXPECT_NEAR(m.y / m.z, 0.3 * 0.1 / 1, 1e-4) << "down is positive";
    }
    EXPECT_GT(seen, 50);
}

TEST(flipbook, gas_in_front_hides_the_motion_behind_it) {
    auto frame = test::gas(48, [](const Vec3d& p) { return std::fabs(p.y) > 0.1 ? 1 : 0; });
    auto faces = std::make_shared<field::MacGrid>(field::Layout(frame.domain.cells));
    for (int k = -1; k < 49; ++k)
        for (int j = 0; j < 48; ++j)
            for (int i = -1; i < 50; ++i) faces->x(i, j, k) = j < 24 ? 1.f : -1.f;
    frame.add(faces);
    const double depth = 0.4 * 10;   // of the front slab
    const Vec3f m = cell_of(frame, thick(10), 1).motion(16, 16);
    const double near = 1 - std::exp(-depth), far = std::exp(-depth) * (1 - std::exp(-depth));
    EXPECT_NEAR(m.x / m.z, (near - far) / (near + far), 5e-3);
}

TEST(flipbook, points_without_gas_move_by_their_own_velocity) {
    field::Frame frame{.world = field::Bounds{{-0.5, -0.5, 0}, {0.5, 0.5, 1}}};
    frame.points.push_back({.name = "soot", .position = {{0, 0, 0.5f}}, .velocity = {{0, 0, 2}}, .radius = {0.1f}});
    const FlipbookCell cell = cell_of(frame, test::dark(), 0.05);
    const Vec3f m = cell.motion(16, 16);
    ASSERT_GT(m.z, 0.1f);
    EXPECT_NEAR(m.x / m.z, 0, 1e-4);
    EXPECT_NEAR(m.y / m.z, -2 * 0.05, 1e-4);
}

TEST(flipbook, opposite_lights_mirror_each_other_in_a_symmetric_cloud) {
    const FlipbookCell cell = cell_of(test::gas(48, cloud), thick(30));
    for (int y = 2; y < pixels - 2; ++y)
        for (int x = 2; x < pixels - 2; ++x) {
            const float right = cell.positive(x, y).x, left = cell.negative(pixels - 1 - x, y).x;
            EXPECT_NEAR(right, left, 0.01f) << x << ' ' << y;
            EXPECT_NEAR(cell.positive(x, y).y, cell.negative(x, pixels - 1 - y).y, 0.01f);
        }
    // Both sides together light it evenly.
    for (int n = 0; n < 3; ++n) {
        const double left = mean(cell.positive, n, 0, 16) + mean(cell.negative, n, 0, 16), right = mean(cell.positive, n, 16, 32) + mean(cell.negative, n, 16, 32);
        EXPECT_NEAR(left, right, 0.01 * left);
    }
}

TEST(flipbook, each_light_brightens_its_own_side) {
    const FlipbookCell cell = cell_of(test::gas(48, cloud), thick(30));
    EXPECT_GT(mean(cell.negative, 0, 0, 16), 1.3 * mean(cell.negative, 0, 16, 32)) << "from the left";
    EXPECT_GT(mean(cell.positive, 0, 16, 32), 1.3 * mean(cell.positive, 0, 0, 16)) << "from the right";
    const auto half = [](const io::Image& image, int channel, int first) {
        double sum = 0;
        for (int y = first; y < first + 16; ++y)
            for (int x = 0; x < pixels; ++x) sum += double(image(x, y)[channel]);
        return sum;
    };
    EXPECT_GT(half(cell.positive, 1, 0), 1.3 * half(cell.positive, 1, 16)) << "from above";
    EXPECT_GT(half(cell.negative, 1, 16), 1.3 * half(cell.negative, 1, 0)) << "from below";
    // The camera's side is lit from the front; from behind light only comes through, and most where there is little gas.
    EXPECT_GT(cell.negative(16, 16).z, 3 * cell.positive(16, 16).z);
    EXPECT_GT(cell.positive(8, 16).z, 3 * cell.positive(16, 16).z);
}

TEST(flipbook, a_cell_is_the_same_for_any_number_of_threads) {
    auto frame = test::gas(32, cloud);
    set_velocity(frame, {0.2, 0.1, 1});
    const FlipbookCell many = cell_of(frame, RenderParams());
    const ThreadLimit one(1);
    const FlipbookCell alone = cell_of(frame, RenderParams());
    EXPECT_EQ(many.light.pixels, alone.light.pixels);
    EXPECT_EQ(many.motion.pixels, alone.motion.pixels);
    EXPECT_EQ(many.positive.pixels, alone.positive.pixels);
    EXPECT_EQ(many.alpha, alone.alpha);
}

TEST(flipbook, bodies_and_ground_are_left_to_the_engine) {
    auto frame = test::gas(32, [](const Vec3d&) { return 0; });
    frame.surfaces.push_back(test::sphere({0, 0, 0.5}, 0.3));
    RenderParams look;
    look.materials.push_back({.body = "ball"});
    const FlipbookCell cell = cell_of(frame, look);
    for (const float alpha : cell.alpha) EXPECT_EQ(alpha, 0);
}

TEST(flipbook, the_card_holds_all_that_is_seen_with_a_margin) {
    const CardAxes axes = card_axes(-90, 0);   // from -y: x is right
    EXPECT_NEAR(axes.right.x, 1, 1e-12);
    EXPECT_NEAR(axes.forward().y, 1, 1e-12);
    CardBox box;
    for (const double x : {-0.2, 0.25})
        box.include(seen_on_card(test::gas(64, [&](const Vec3d& p) { return test::ball(p, {x, 0.1, 0.4}, 0.1); }), thick(50), axes));
    EXPECT_NEAR(box.lower.x, -0.3, 0.02);
    EXPECT_NEAR(box.upper.x, 0.35, 0.02);
    EXPECT_NEAR(box.lower.y, 0.3, 0.02);
    EXPECT_NEAR(box.upper.y, 0.5, 0.02);
    const ParallelView view = view_around(box, axes, 2, 0.05);
    EXPECT_NEAR(view.width, (box.upper.x - box.lower.x) / 0.9, 1e-9);
    EXPECT_NEAR(view.width, 2 * view.height, 1e-9);
    EXPECT_NEAR(dot(view.center, view.right), 0.025, 0.02);
    EXPECT_LT(view.center.y, 0) << "all of it lies before the window";
}

TEST(flipbook, numbers_go_on_beyond_what_is_known) {
    io::Image sums(9, 6);
    std::vector<float> weights(9 * 6);
    sums(4, 2) = Vec3f(0.5f, 1, 0) * 0.4f, weights[2 * 9 + 4] = 0.4f;
    const io::Image all = filled(sums, weights);
    for (const Vec3f& v : all.pixels) EXPECT_LT(length(v - Vec3f(0.5f, 1, 0)), 1e-5f);
    sums(0, 0) = Vec3f(0.9f), weights[0] = 0.9f;
    const io::Image two = filled(sums, weights);
    EXPECT_NEAR(two(0, 0).z, 1, 1e-6f);
    EXPECT_NEAR(two(4, 2).z, 0, 1e-6f);
    EXPECT_GT(two(1, 1).z, two(5, 3).z);
    for (const Vec3f& v : filled(io::Image(5, 3), std::vector<float>(15)).pixels) EXPECT_EQ(v, Vec3f());
}

TEST(flipbook, light_on_a_screen_is_linear_until_it_is_bright_and_never_clips) {
    for (const float dark : {0.f, 0.01f, 0.3f, 0.7f}) EXPECT_EQ(shoulder(dark), dark);
    float before = 0;
    for (float x = 0.1f; x < 4; x *= 1.2f) {
        EXPECT_GT(shoulder(x), before);
        before = shoulder(x);
    }
    EXPECT_LE(shoulder(1e6f), 1);
}
