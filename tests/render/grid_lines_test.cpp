// The cells of a grid as lines on a surface.
#include "render/grid_lines.h"

#include <gtest/gtest.h>

#include "fixture.h"
#include "render/frame_render.h"

using namespace phlo;
using namespace phlo::render;

namespace {

/// A plate at z = 0.5 under a cube a metre wide, cut into `cells` along each side, and another one beside it that is whole.
field::Frame plate(int cells) {
    field::Frame frame;
    frame.world = field::Bounds{{-2, -2, 0}, {2, 2, 1}};
    frame.surfaces.push_back({.name = "plate", .mesh = {{{-2, -2, 0.5f}, {2, -2, 0.5f}, {2, 2, 0.5f}, {-2, 2, 0.5f}}, {{0, 1, 2}, {0, 2, 3}}}});
    frame.points.push_back({.name = "blocks", .position = {{-0.5f, 0, 0.5f}, {0.5f, 0, 0.5f}}, .radius = {0.5f, 0.5f}, .columns = {{"cells", std::vector<std::int32_t>{cells, 1}}}});
    return frame;
}

/// From 10 m above, so that a pixel is a hundredth of a metre; x runs right.
RenderParams from_above() {
    RenderParams look = test::dark(201, 51);
    look.camera.position = Curve<Vec3d>(Vec3d(0, 0, 10.5)), look.camera.target = Curve<Vec3d>(Vec3d(0, 0, 0.5));
    look.camera.fov = Curve<double>(2 * std::atan(0.255 / 10) * 180 / 3.14159265358979);
    look.points = {{.points = "blocks", .color = Vec3f(1, 0.5f, 0), .kind = PointKind::grid}};
    return look;
}

io::Image drawn(const field::Frame& frame, const RenderParams& look) {
    const RenderScene scene(frame, look);
    io::Image image(look.width, look.height);
    for (Vec3f& p : image.pixels) p = Vec3f(0.25f);
    add_grid_lines(scene, look, frame, image);
    return image;
}

/// Pixels of the middle row where lines are, a run of several as its middle one.
std::vector<int> lines(const io::Image& image) {
    std::vector<int> found;
    for (int x = 1; x + 1 < image.width; ++x) {
        const auto light = [&](int at) { return image(at, image.height / 2 - 9).x; };
        if (light(x) > 0.4f && light(x) >= light(x - 1) && light(x) > light(x + 1)) found.push_back(x);
    }
    return found;
}

}  // namespace

TEST(grid_lines, lie_where_the_walls_of_cells_cross_the_surface) {
    const std::vector<int> found = lines(drawn(plate(4), from_above()));
    // From -1 m in steps of a quarter to 0, then nothing in the whole cube: at 0.5 (100 + 100 x) pixels. Lines at the picture's edges are not counted.
    ASSERT_EQ(found.size(), 4u);
    for (int n = 0; n < 4; ++n) EXPECT_NEAR(found[std::size_t(n)], 100.5 + 100 * (-0.75 + 0.25 * n), 1.1);
}

TEST(grid_lines, have_their_colour_and_leave_the_rest_alone) {
    const io::Image image = drawn(plate(4), from_above());
    const Vec3f on = image(100, 16), off = image(87, 16);
    EXPECT_NEAR(off.x, 0.25f, 1e-6f);
    EXPECT_GT(on.x, 2 * on.y - 0.3f);
    EXPECT_LT(on.z, 0.2f);
}

TEST(grid_lines, of_cells_smaller_than_three_pixels_are_those_of_their_cubes) { EXPECT_EQ(lines(drawn(plate(64), from_above())).size(), 1u); }

TEST(grid_lines, are_part_of_every_picture_but_no_matter) {
    const RenderParams look = from_above();
    field::Frame frame = plate(4);
    const io::Image with = render_frame(frame, look, Quality::draft);
    frame.points.clear();
    const io::Image without = render_frame(frame, look, Quality::draft);
    EXPECT_GT(with(100, 16).x, without(100, 16).x + 0.3f);
    EXPECT_EQ(with(87, 16).x, without(87, 16).x);
}
