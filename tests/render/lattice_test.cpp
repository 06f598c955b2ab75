// Frames whose volumes lie on lattices of their own, or that have none.
#include "render/volumes/lattice.h"

#include <gtest/gtest.h>

#include <cmath>

#include "complaint.h"
#include "fixture.h"
#include "render/frame_render.h"
#include "render/film/shutter.h"

using namespace phlo;
using namespace phlo::render;

namespace {

field::Volume volume_of(const std::string& name, const field::Domain& domain, const std::function<double(const Vec3d&)>& value,
                        float background = 0) {
    auto grid = std::make_shared<field::Grid>(field::Layout(domain.cells));
    for (int k = 0; k < domain.cells.z; ++k)
        for (int j = 0; j < domain.cells.y; ++j)
            for (int i = 0; i < domain.cells.x; ++i) (*grid)(i, j, k) = float(value(domain.cell_center(i, j, k)));
    return {.name = name, .background = background, .domain = domain, .room = domain, .grid = grid};
}

field::Domain cube(int n) { return {.cells = {n, n, n}, .origin = {-0.5, -0.5, 0}, .h = 1.0 / n}; }

double smooth_ball(const Vec3d& p, const Vec3d& center, double radius) {
    const double x = length(p - center) / radius;
    return x < 1 ? (1 - x * x) * (1 - x * x) : 0;
}

double difference(const io::Image& a, const io::Image& b) {
    double squares = 0, mean = 0;
    for (std::size_t p = 0; p < a.pixels.size(); ++p)
        squares += std::pow(double(length(a.pixels[p] - b.pixels[p])), 2), mean += double(length(a.pixels[p]));
    return std::sqrt(squares / double(a.pixels.size())) / (mean / double(a.pixels.size()));
}

RenderParams small_look() {
    RenderParams look;
    look.width = 64, look.height = 48;
    return look;
}

}  // namespace

TEST(lattice, a_volume_that_lies_there_is_not_copied) {
    const field::Volume volume = volume_of("density", cube(16), [](const Vec3d& p) { return p.x; });
    EXPECT_EQ(on_lattice(volume, cube(16)), volume.grid);
}

TEST(lattice, a_linear_field_comes_exactly_to_other_cells_and_the_background_lies_beyond) {
    const auto value = [](const Vec3d& p) { return 3 + p.x - 2 * p.y + 0.5 * p.z; };
    const field::Volume coarse = volume_of("density", cube(10), value, -7);
    const field::Domain fine{.cells = {44, 40, 37}, .origin = {-0.61, -0.5, 0.03}, .h = 0.0271};
    const auto grid = on_lattice(coarse, fine);
    for (int k = 0; k < fine.cells.z; ++k)
        for (int j = 0; j < fine.cells.y; ++j)
            for (int i = 0; i < fine.cells.x; ++i) {
                const Vec3d p = fine.cell_center(i, j, k), wall = max(max(Vec3d(-0.5, -0.5, 0) - p, p - Vec3d(0.5, 0.5, 1)), Vec3d(-1));
                const double outside = std::max({wall.x, wall.y, wall.z});
                if (outside > 1e-9) {
                    ASSERT_EQ((*grid)(i, j, k), -7);
                } else if (outside < -0.05) {  // between cell centres
                    ASSERT_NEAR((*grid)(i, j, k), value(p), 2e-6);
                }
            }
}

TEST(lattice, what_is_stored_in_part_is_empty_elsewhere) {
    field::Volume part = volume_of(
        "density", {.cells = {8, 8, 8}, .origin = {0, 0, 0}, .h = 0.1}, [](const Vec3d&) { return 1; }, 0.25f);
    part.room = {.cells = {24, 24, 24}, .origin = {-0.8, -0.8, -0.8}, .h = 0.1};
    const field::Domain whole = part.room, shifted{.cells = {9, 8, 8}, .origin = {-0.1, 0, 0}, .h = 0.1},
                        between{.cells = {4, 1, 1}, .origin = {-0.1, 0.4, 0.4}, .h = 0.05};
    const auto all = on_lattice(part, whole);
    EXPECT_EQ((*all)(7, 8, 8), 0.25f);
    EXPECT_EQ((*all)(8, 8, 8), 1);
    EXPECT_EQ((*all)(16, 15, 15), 0.25f);
    EXPECT_EQ((*on_lattice(part, shifted))(0, 3, 3), 0.25f);
    EXPECT_EQ((*on_lattice(part, shifted))(1, 3, 3), 1);
    EXPECT_NEAR((*on_lattice(part, between))(1, 0, 0), 0.25 + 0.75 * 0.25, 1e-6);  // a quarter of the way from the empty cell
}

TEST(lattice, the_finest_volume_that_is_seen_decides) {
    field::Frame frame;
    frame.world = cube(1).bounds();
    frame.volumes = {volume_of("density", cube(24),
                               [](const Vec3d& p) {
                                   return smooth_ball(p, {0, 0, 0.5}, 0.3);
                               }),
                     volume_of(
                         "temperature", cube(48),
                         [](const Vec3d& p) {
                             return 300 + 1500 * smooth_ball(p, {0, 0, 0.4}, 0.2);
                         },
                         300),
                     volume_of("pressure", cube(96), [](const Vec3d&) { return 1; })};
    EXPECT_EQ(make_volume(frame, small_look()).domain, cube(48));
    RenderParams no_fire = small_look();
    no_fire.fire.brightness = 0;
    EXPECT_EQ(make_volume(frame, no_fire).domain, cube(24));
    frame.volumes[0].kind = field::VolumeClass::level_set;  // no gas
    EXPECT_TRUE(make_volume(frame, no_fire).empty());
}

TEST(lattice, picture_of_volumes_on_two_lattices_is_that_of_one) {
    const auto density = [](const Vec3d& p) { return smooth_ball(p, {0, 0, 0.55}, 0.35); };
    const auto heat = [](const Vec3d& p) { return 300 + 1600 * smooth_ball(p, {0, 0, 0.4}, 0.25); };
    field::Frame same, mixed;
    same.world = mixed.world = cube(1).bounds();
    same.volumes = {volume_of("density", cube(48), density), volume_of("temperature", cube(48), heat, 300)};
    // The smoke on coarser cells of a smaller box, which are not even in step with the others.
    const field::Domain other{.cells = {42, 42, 42}, .origin = {-0.45, -0.46, 0.08}, .h = 0.0217};
    mixed.volumes = {volume_of("density", other, density), volume_of("temperature", cube(48), heat, 300)};
    for (const Quality quality : {Quality::draft, Quality::good})  // the chance of photons adds its own
        EXPECT_LT(difference(render_frame(same, small_look(), quality), render_frame(mixed, small_look(), quality)),
                  quality == Quality::draft ? 0.02 : 0.06)
            << int(quality);
}

TEST(lattice, volumes_side_by_side_are_both_seen) {
    field::Frame frame;
    const field::Domain left{.cells = {16, 16, 16}, .origin = {-2, 0, 0}, .h = 0.05},
        right{.cells = {10, 10, 10}, .origin = {1, 0, 0}, .h = 0.08};
    frame.volumes = {volume_of("a", left, [](const Vec3d&) { return 1; }), volume_of("b", right, [](const Vec3d&) { return 1; })};
    RenderParams look = small_look();
    look.volumes = {{.grid = "a", .extinction = 3}, {.grid = "b", .extinction = 5}};
    const OpticalVolume volume = make_volume(frame, look);
    EXPECT_NEAR(volume.extinction_at({-1.5f, 0.4f, 0.4f}), 3, 1e-5);
    EXPECT_NEAR(volume.extinction_at({1.4f, 0.4f, 0.4f}), 5, 1e-5);
    EXPECT_EQ(volume.extinction_at({0, 0.4f, 0.4f}), 0);
    frame.volumes[1].domain.origin.x = frame.volumes[1].room.origin.x = 1e6;
    const std::string message = test::complaint<RunError>([&] { make_volume(frame, look); });
    EXPECT_NE(message.find("render.volumes"), std::string::npos) << message;
}

TEST(lattice, points_beyond_the_volumes_part_are_seen_all_the_same) {
    // What Gas::show() gives: the part where gas is, and soot that has drifted out of it.
    field::Frame frame;
    frame.world = cube(1).bounds();
    field::Volume density =
        volume_of("density", {.cells = {16, 16, 16}, .origin = {-0.5, -0.5, 0}, .h = 1.0 / 64}, [](const Vec3d&) { return 1; });
    density.room = cube(64);
    frame.volumes = {density};
    frame.points.push_back({.name = "soot", .position = {{0.3f, 0.2f, 0.7f}}, .radius = {0.05f}});
    const OpticalVolume volume = make_volume(frame, small_look());
    EXPECT_EQ(volume.room, cube(64));
    EXPECT_GT(volume.extinction_at({0.3f, 0.2f, 0.7f}), 25);
    EXPECT_EQ(volume.extinction_at({-0.3f, -0.3f, 0.2f}), 45);
    // A world is the end of it; without one they are seen wherever they are.
    frame.points[0].position[0].x = 0.8f;
    EXPECT_EQ(make_volume(frame, small_look()).extinction_at({0.8f, 0.2f, 0.7f}), 0);
    frame.world.reset();
    EXPECT_GT(make_volume(frame, small_look()).extinction_at({0.8f, 0.2f, 0.7f}), 10);
}

TEST(scenes, without_volumes_show_bodies_points_and_ground) {
    field::Frame frame;
    frame.surfaces.push_back(test::sphere({0, 0, 3}, 0.5));
    const RenderScene scene(frame, small_look());
    EXPECT_TRUE(scene.volume.empty());
    EXPECT_NEAR(scene.surfaces.ground()->height, 2.5, 1e-3);  // under what there is
    for (const Quality quality : {Quality::draft, Quality::good}) {
        RenderParams look = test::dark(64, 48);
        look.sky.strength = 1;
        const io::Image image = render_frame(frame, look, quality);
        EXPECT_GT(image(32, 24).x, 0.05f) << int(quality);  // the ball in the middle, lit by the sky
        int lit = 0;
        for (const Vec3f& p : image.pixels) lit += p.x > 0.05f;
        EXPECT_NEAR(lit / (64.0 * 48), 0.4, 0.2) << int(quality);  // it fills the picture
    }
    const io::Image nothing = render_frame(field::Frame(), small_look(), Quality::draft);
    for (const Vec3f& p : nothing.pixels) ASSERT_TRUE(std::isfinite(p.x));
}

TEST(scenes, rays_leave_surfaces_by_a_share_of_the_bounds_whatever_the_cells_are) {
    const auto empty = [](const Vec3d&) { return 0; };
    const float offset = RenderScene(test::gas(16, empty), small_look()).surface_offset();
    EXPECT_EQ(RenderScene(test::gas(64, empty), small_look()).surface_offset(), offset);
    EXPECT_NEAR(offset, 0.05 / 128, 1e-6);
    field::Frame far;  // where a float knows a place to half a millimetre
    far.surfaces.push_back(test::sphere({8000, 0, 0}, 0.5));
    EXPECT_GT(RenderScene(far, small_look()).surface_offset(), 2 * (std::nextafter(8000.f, 9000.f) - 8000.f));
}

TEST(shutter, a_velocity_on_other_cells_carries_the_gas_as_well) {
    const auto density = [](const Vec3d& p) { return smooth_ball(p, {0, 0, 0.5}, 0.3); };
    const auto wind = [](const field::Domain& domain) {
        auto faces = std::make_shared<field::MacGrid>(field::Layout(domain.cells));
        faces->x.fill(1.5f), faces->z.fill(-0.75f);
        return field::FaceVelocity{.domain = domain, .room = domain, .faces = faces};
    };
    OpticalVolume same = make_volume(test::gas(32, density), test::dark()), other = same;
    carry(same, wind(cube(32)), 0.1);
    carry(other, wind(cube(12)), 0.1);
    for (int k = 0; k < 32; ++k)
        for (int j = 0; j < 32; ++j)
            for (int i = 0; i < 32; ++i) ASSERT_NEAR(other.extinction(i, j, k), same.extinction(i, j, k), 1e-4);
    EXPECT_NEAR(same.extinction_at({0.15f, 0, 0.425f}), 45, 1);  // its middle has gone with the wind
}
