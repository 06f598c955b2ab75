#include "render/film/picture_watch.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "fixture.h"
#include "render/film/shutter.h"
#include "render/frame_render.h"

using namespace phlo;
using namespace phlo::render;

namespace {

test::LatticeFrame ball() {
    return test::gas(16, [](const Vec3d& p) { return length(p - Vec3d(0, 0, 0.5)) < 0.3 ? 2.0 : 0.0; });
}

RenderParams small_look() {
    RenderParams look;
    look.width = 80, look.height = 48;   // 15 tiles
    return look;
}

}  // namespace

TEST(picture_watch, tiles_appear_one_after_the_other_and_the_picture_is_the_same) {
    const test::LatticeFrame frame = ball();
    for (const Quality quality : {Quality::draft, Quality::good}) {
        std::vector<PictureSoFar> seen;
        const PictureWatch watch{.every = 0, .show = [&](const PictureSoFar& so_far) { return seen.push_back(so_far), true; }};
        const io::Image alone = render_frame(frame, small_look(), quality), watched = render_frame(frame, small_look(), quality, &watch);
        EXPECT_EQ(watched.pixels, alone.pixels) << int(quality);
        ASSERT_GT(seen.size(), 1u);
        for (std::size_t n = 1; n < seen.size(); ++n) {
            EXPECT_GE(seen[n].share, seen[n - 1].share);
            for (std::size_t p = 0; p < alone.pixels.size(); ++p) EXPECT_GE(seen[n].finished[p], seen[n - 1].finished[p]);
        }
        const auto count = std::ranges::count(seen.front().finished, std::uint8_t(1));
        EXPECT_GT(count, 0);
        EXPECT_LT(count, std::ptrdiff_t(alone.pixels.size())) << "the first look is not the whole picture";
        if (quality != Quality::draft) continue;   // the others are filtered at the end
        for (const PictureSoFar& so_far : seen)
            for (std::size_t p = 0; p < alone.pixels.size(); ++p) EXPECT_EQ(so_far.radiance.pixels[p], so_far.finished[p] ? alone.pixels[p] : Vec3f());
    }
}

TEST(picture_watch, a_picture_that_is_not_wanted_any_more_ends_early) {
    int looks = 0;
    const PictureWatch watch{.every = 0, .show = [&](const PictureSoFar&) { return ++looks, false; }};
    EXPECT_THROW(render_frame(ball(), small_look(), Quality::draft, &watch), RunError);
    EXPECT_EQ(looks, 1);
}

TEST(picture_watch, a_picture_of_several_moments_is_their_mean_so_far) {
    test::LatticeFrame frame = ball();
    auto velocity = std::make_shared<field::MacGrid>(field::Layout(frame.domain.cells));
    for (int k = 0; k < 16; ++k)
        for (int j = 0; j < 16; ++j)
            for (int i = 0; i <= 16; ++i) velocity->x(i, j, k) = 6;
    frame.add(velocity);
    RenderParams look = small_look();
    look.camera.shutter = 0.5;
    ASSERT_GT(shutter_moments(frame, look), 1);
    std::vector<PictureSoFar> seen;
    const PictureWatch watch{.every = 0, .show = [&](const PictureSoFar& so_far) { return seen.push_back(so_far), true; }};
    const io::Image picture = render_frame(frame, look, Quality::draft, &watch);
    ASSERT_FALSE(seen.empty());
    const PictureSoFar& last = seen.back();
    EXPECT_EQ(std::ranges::count(last.finished, std::uint8_t(1)), std::ptrdiff_t(picture.pixels.size()));
    EXPECT_GT(last.share, 0.5);
    // The last look may come a few tiles before the end.
    std::size_t same = 0;
    for (std::size_t p = 0; p < picture.pixels.size(); ++p) same += length(last.radiance.pixels[p] - picture.pixels[p]) < 1e-5f;
    EXPECT_GT(same, picture.pixels.size() * 7 / 10);
}
