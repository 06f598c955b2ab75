// Cells of fires of particles.
#include <gtest/gtest.h>

#include "live_fixture.h"
#include "render/flipbook/framing.h"
#include "render/flipbook/live_cell.h"

using namespace phlo;
using namespace phlo::render;

namespace {

constexpr int pixels = 48;
const ParallelView front{.center = {0, -1, 0.5}, .width = 1.6, .height = 1.6};

FlipbookCell live_cell(const field::Frame& frame, const RenderParams& look, double seconds = 1.0 / 24) {
    return render_live_cell(frame, look, front, {.width = pixels, .height = pixels, .seconds = seconds});
}

/// A ball of smoke at a place; it moves as one.
field::Frame smoke(const Vec3f& center, const Vec3f& velocity, float opacity = 0.3f) {
    field::Frame frame;
    field::Points points{.name = "smoke"};
    for (int n = 0; n < 2000; ++n) {
        const auto u = uniform4({.seed = 3}, std::uint32_t(n));
        const Vec3f at = (Vec3f(u[0], u[1], u[2]) * 2.f - Vec3f(1.f)) * 0.35f;
        if (length(at) > 0.35f) continue;
        points.position.push_back(center + at), points.velocity.push_back(velocity), points.radius.push_back(0.05f), points.id.push_back(std::uint64_t(n));
    }
    points.columns = {{"opacity", std::vector<float>(points.size(), opacity)}};
    frame.points.push_back(std::move(points));
    return frame;
}

double sum(const io::Image& image, int channel, int first, int last) {
    double total = 0;
    for (int y = 0; y < image.height; ++y)
        for (int x = first; x < last; ++x) total += double(image(x, y)[channel]);
    return total;
}

}  // namespace

TEST(flipbook_live, fire_adds_its_light_and_hides_nothing) {
    const FlipbookCell cell = live_cell(test::torch_frame(4000), test::dark());
    EXPECT_GT(sum(cell.light, 0, 0, pixels), 10);
    for (const float alpha : cell.alpha) EXPECT_NEAR(alpha, 0, 1e-5f);
    EXPECT_EQ(cell.emission.pixels, cell.light.pixels) << "in the dark there is no other light";
    EXPECT_TRUE(drawn_from_points(test::torch_frame(10)));
    EXPECT_FALSE(drawn_from_points(test::gas(8, [](const Vec3d&) { return 1; })));
}

TEST(flipbook_live, smoke_hides_what_is_behind_and_alpha_says_how_much) {
    RenderParams look = test::dark(pixels, pixels);
    look.live.texture = 0;
    const field::Frame frame = smoke({0, 0, 0.5f}, {});
    const FlipbookCell cell = live_cell(frame, look);
    const float middle = cell.alpha[std::size_t(pixels / 2 * pixels + pixels / 2)];
    EXPECT_GT(middle, 0.5f);
    EXPECT_EQ(cell.alpha[0], 0);
    // Thinner puffs hide less, each the same share less.
    const float thin = live_cell(smoke({0, 0, 0.5f}, {}, 0.03f), look).alpha[std::size_t(pixels / 2 * pixels + pixels / 2)];
    EXPECT_NEAR(std::log(1 - thin), std::log(1 - 0.03) / std::log(1 - 0.3) * double(std::log(1 - middle)), 0.15 * double(-std::log(1 - thin)) + 0.02);
}

TEST(flipbook_live, points_that_move_together_move_on_the_screen_as_far_as_they_do) {
    const FlipbookCell cell = live_cell(smoke({0, 0, 0.5f}, {0.8f, 3, 1.6f}), test::dark(), 0.1);
    int seen = 0;
    for (const Vec3f& m : cell.motion.pixels) {
        if (!(m.z > 0)) continue;
        ++seen;
        EXPECT_NEAR(m.x / m.z, 0.08 / 1.6, 1e-5);
        EXPECT_NEAR(m.y / m.z, -0.16 / 1.6, 1e-5);
    }
    EXPECT_GT(seen, 200);
}

TEST(flipbook_live, a_light_from_the_left_brightens_the_left_side_of_smoke) {
    const FlipbookCell cell = live_cell(smoke({0, 0, 0.5f}, {}, 0.6f), test::dark());
    const int half = pixels / 2;
    EXPECT_GT(sum(cell.negative, 0, 0, half), 1.2 * sum(cell.negative, 0, half, pixels)) << "from the left";
    EXPECT_GT(sum(cell.positive, 0, half, pixels), 1.2 * sum(cell.positive, 0, 0, half)) << "from the right";
    EXPECT_GT(cell.negative(half, half).z, cell.positive(half, half).z) << "from the front more than from behind";
}

TEST(flipbook_live, the_card_holds_the_flame) {
    const field::Frame frame = test::torch_frame(4000);
    const CardAxes axes = card_axes(-90, 0);
    const CardBox box = seen_on_card(frame, test::dark(), axes);
    EXPECT_LT(box.lower.y, 0.05);
    EXPECT_GT(box.upper.y, 0.4);
    EXPECT_LT(box.upper.y, 1.4);
    // Nothing is cut off: the rim of the card is dark.
    const FlipbookCell cell = render_live_cell(frame, test::dark(), view_around(box, axes, 1), {.width = pixels, .height = pixels});
    for (int n = 0; n < pixels; ++n)
        for (const Vec3f& rim : {cell.light(n, 0), cell.light(n, pixels - 1), cell.light(0, n), cell.light(pixels - 1, n)}) EXPECT_LT(rim.x, 0.02f);
}
