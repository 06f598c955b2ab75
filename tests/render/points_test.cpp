// Sets of points in pictures: matter and light, by the list render.points.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "base/parallel.h"
#include "complaint.h"
#include "fixture.h"
#include "render/frame_render.h"
#include "render/volumes/parts.h"

using namespace phlo;
using namespace phlo::render;

namespace {

/// Without any volume, in a box of 1 m around (0, 0, 0.5).
field::Frame frame_of(field::Points points) {
    field::Frame frame;
    frame.world = field::Bounds{{-0.5, -0.5, 0}, {0.5, 0.5, 1}};
    frame.points.push_back(std::move(points));
    return frame;
}

field::Points two_points() {
    return {.name = "sparks",
            .position = {{-0.25f, 0, 0.5f}, {0.25f, 0, 0.5f}},
            .radius = {0.1f, 0.1f},
            .columns = {{"temperature", std::vector<float>{1900, 1200}}, {"kind", std::vector<std::int32_t>{0, 2}}}};
}

RenderParams look_of(const std::string& text) {
    config::Problems problems;
    config::Reader reader(problems);
    RenderParams look = test::dark();
    render_table().read(config::parse_yaml(text, "look.yaml"), reader, look);
    EXPECT_EQ(problems.text(), "");
    return look;
}

Vec3i cell_at(const OpticalVolume& volume, const Vec3f& world) {
    const Vec3f p = volume.grid_from_world(world);
    return {int(std::lround(p.x)), int(std::lround(p.y)), int(std::lround(p.z))};
}

double total(const OpticalVolume& volume, const field::Grid& grid) { return field::sum(grid) * std::pow(volume.domain.h, 3); }

Vec3d mean(const io::Image& image) {
    Vec3d sum;
    for (const Vec3f& p : image.pixels) sum += Vec3d(p);
    return sum / double(image.pixels.size());
}

}  // namespace

TEST(points_look, written_and_read_again_is_the_same) {
    const std::string text =
        "points: [{points: a, color: [0.1, 0.2, 0.3], size: 2, extinction: 5}, {points: b, kind: light, color: {column: temperature}, "
        "brightness: 7}, "
        "{points: c, color: {column: age, ramp: [[0, [1, 1, 1]], [2.5, [0, 0.5, 0]]]}}]";
    const RenderParams look = look_of(text);
    ASSERT_EQ(look.points.size(), 3u);
    EXPECT_EQ(std::get<Vec3f>(look.points[0].color), Vec3f(0.1f, 0.2f, 0.3f));
    EXPECT_EQ(look.points[1].kind, PointKind::light);
    EXPECT_TRUE(std::get<ColumnColour>(look.points[1].color).ramp.empty());
    EXPECT_EQ(std::get<ColumnColour>(look.points[2].color).ramp[1].color, Vec3f(0, 0.5f, 0));
    const std::string once = config::to_line(render_table().write(look));
    const RenderParams again = look_of(once);
    EXPECT_EQ(config::to_line(render_table().write(again)), once);
    EXPECT_EQ(std::get<ColumnColour>(again.points[2].color).ramp[1].value, 2.5);
    EXPECT_NE(look_hash(look), look_hash(test::dark()));
}

TEST(points, soot_is_one_case_of_them) {
    test::LatticeFrame frame = test::gas(24, [](const Vec3d& p) { return 0.1 * test::ball(p, {0, 0, 0.5}, 0.3); });
    field::Points soot = two_points();
    soot.name = "soot";
    frame.points.push_back(soot);
    RenderParams by_soot, by_points;
    by_soot.width = by_points.width = 48, by_soot.height = by_points.height = 36;
    by_soot.soot.color = {0.3f, 0.2f, 0.1f}, by_soot.soot.extinction = 50;
    by_points.points.push_back({.points = "soot", .color = Vec3f(0.3f, 0.2f, 0.1f), .extinction = 50});
    const io::Image seen = test::picture(frame, by_soot);
    EXPECT_EQ(test::picture(frame, by_points).pixels, seen.pixels);
    by_points.points[0].color = ColumnColour{.column = "kind", .ramp = {{0, {0.3f, 0.2f, 0.1f}}, {1, {0.3f, 0.2f, 0.1f}}}};
    const io::Image columns = test::picture(frame, by_points);  // the same colours by another way
    for (std::size_t p = 0; p < seen.pixels.size(); ++p) ASSERT_LT(length(columns.pixels[p] - seen.pixels[p]), 1e-4f);
    // Others are seen when they are asked for.
    frame.points[0].name = "material";
    const io::Image without = test::picture(frame, by_soot);
    EXPECT_NE(without.pixels, seen.pixels);
    frame.points.clear();
    EXPECT_EQ(test::picture(frame, by_soot).pixels, without.pixels);
}

TEST(points, spray_foam_and_bubbles_are_white_if_the_look_does_not_speak_of_them) {
    for (const char* name : {"spray", "foam", "bubbles"}) {
        field::Points set = two_points();
        set.name = name;
        const OpticalVolume volume = make_volume(frame_of(set), {});
        const Vec3i at = cell_at(volume, {-0.25f, 0, 0.5f});
        EXPECT_GT(total(volume, volume.extinction), 0);
        EXPECT_NEAR(length(volume.albedo_of(at.x, at.y, at.z) - Vec3f(1, 1, 1)), 0, 0.06) << name;
    }
}

TEST(points, matter_has_the_colour_of_its_column_and_size_by_its_radius) {
    const RenderParams look =
        look_of("points: [{points: sparks, extinction: 8, size: 0.5, color: {column: kind, ramp: [[0, [1, 0, 0]], [4, [0, 0, 1]]]}}]");
    const OpticalVolume volume = make_volume(frame_of(two_points()), look);
    const Vec3i a = cell_at(volume, {-0.25f, 0, 0.5f}), b = cell_at(volume, {0.25f, 0, 0.5f});
    EXPECT_NEAR(length(volume.albedo_of(a.x, a.y, a.z) - Vec3f(1, 0, 0)), 0, 1e-5);
    EXPECT_NEAR(length(volume.albedo_of(b.x, b.y, b.z) - Vec3f(0.5f, 0, 0.5f)), 0, 1e-5);  // half way between the stops
    EXPECT_FALSE(volume.glows());
    const double each = 8 * std::pow(2 * std::numbers::pi, 1.5) * std::pow(0.5 * 0.5 * 0.1, 3);
    EXPECT_NEAR(total(volume, volume.extinction), 2 * each, 0.01 * each);
}

TEST(points, light_sends_out_what_it_absorbs_times_colour_and_brightness) {
    const RenderParams look = look_of("points: [{points: sparks, kind: light, extinction: 8, color: [1, 0.5, 0], brightness: 30}]");
    const OpticalVolume volume = make_volume(frame_of(two_points()), look);
    ASSERT_TRUE(volume.glows());
    const double all = total(volume, volume.extinction);
    EXPECT_NEAR(total(volume, volume.emission[0]), 30 * all, 1e-3 * 30 * all);
    EXPECT_NEAR(total(volume, volume.emission[1]), 15 * all, 1e-3 * 15 * all);
    EXPECT_EQ(total(volume, volume.emission[2]), 0);
    EXPECT_EQ(total(volume, volume.scattering[0]), 0);

    RenderParams hot = look_of("points: [{points: sparks, kind: light, extinction: 8, color: {column: temperature, ramp: blackbody}}]");
    const OpticalVolume fire = make_volume(frame_of(two_points()), hot);
    const optics::BlackBody colours = fire_colours(hot.fire, 1);
    for (const auto& [world, kelvin] : {std::pair(Vec3f(-0.25f, 0, 0.5f), 1900.f), std::pair(Vec3f(0.25f, 0, 0.5f), 1200.f)}) {
        const Vec3i c = cell_at(fire, world);
        const Vec3f expected = colours(kelvin) * (float(hot.fire.brightness) * fire.extinction(c.x, c.y, c.z));
        EXPECT_LT(length(fire.emission_of(c.x, c.y, c.z) - expected), 1e-4f * length(expected));
    }
}

TEST(points, light_is_as_bright_as_it_should_be_in_every_quality) {
    // Thin: every ray gathers what lies along it. A camera far away sees all of it, spread over its field of view.
    const double distance = 20, fov = 3, size = 0.1, extinction = 0.5, brightness = 100;
    RenderParams look = look_of("points: [{points: sparks, kind: light, extinction: 0.5, color: [1, 0.5, 0.25], brightness: 100}]");
    look.width = look.height = 32;
    look.camera.position = Curve<Vec3d>(Vec3d(0, -distance, 0.5)), look.camera.target = Curve<Vec3d>(Vec3d(0, 0, 0.5)),
    look.camera.fov = fov;
    const double cloud = extinction * std::pow(2 * std::numbers::pi, 1.5) * std::pow(0.5 * size, 3);
    const double side = 2 * distance * std::tan(0.5 * fov * std::numbers::pi / 180), expected = brightness * 2 * cloud / (side * side);
    for (const Quality quality : {Quality::draft, Quality::good, Quality::path}) {
        const Vec3d light = mean(render_frame(frame_of(two_points()), look, quality));
        EXPECT_NEAR(light.x / expected, 1, 0.05) << int(quality);
        EXPECT_NEAR(light.y / light.x, 0.5, 0.01) << int(quality);
        EXPECT_NEAR(light.z / light.x, 0.25, 0.01) << int(quality);
    }
}

/// What a hybrid gas shows of itself: a particle of each of two species, one with eight times the amount of the other, a vortex particle and one of soot.
field::Frame particles_of_a_gas() {
    field::Frame frame = frame_of({.name = "material",
                                   .position = {{-0.3f, 0, 0.7f}, {0.3f, 0, 0.7f}},
                                   .radius = {0.12f, 0.06f},   // the cube root of the amount
                                   .columns = {{"species", std::vector<std::int32_t>{0, 3}}, {"left", std::vector<float>{1, 0.125f}}}});
    frame.points.push_back({.name = "vortices", .position = {{-0.3f, 0, 0.3f}}, .radius = {0.08f}});
    frame.points.push_back({.name = "soot", .position = {{0.3f, 0, 0.3f}}, .radius = {0.08f}});
    return frame;
}

TEST(points, particles_of_a_gas_are_seen_by_species_and_amount_in_every_quality) {
    RenderParams look = look_of("points: [{points: material, extinction: 1, color: {column: species, ramp: [[0, [0.9, 0, 0]], [3, [0, 0.9, 0]]]}}, "
                                "{points: vortices, kind: light, extinction: 1, color: [1, 1, 1], brightness: 2}, {points: soot, extinction: 1, color: [0, 0, 0.9]}]");
    look.width = look.height = 24;
    look.sky = {.zenith = Vec3f(1.f), .horizon = Vec3f(1.f), .strength = 1};   // from everywhere: a thin cloud sends back its albedo times its depth
    look.camera.position = Curve<Vec3d>(Vec3d(0, -20, 0.5)), look.camera.target = Curve<Vec3d>(Vec3d(0, 0, 0.5)), look.camera.fov = 2.9;
    for (const Quality quality : {Quality::live, Quality::draft, Quality::good, Quality::final, Quality::path}) {
        const io::Image image = render_frame(particles_of_a_gas(), look, quality);
        const auto corner = [&](int right, int below) {
            Vec3d sum;
            for (int y = 12 * below; y < 12 * below + 12; ++y)
                for (int x = 12 * right; x < 12 * right + 12; ++x) sum += Vec3d(image(x, y));
            return sum;
        };
        const Vec3d large = corner(0, 0), small = corner(1, 0), vortex = corner(0, 1), soot = corner(1, 1);
        EXPECT_GT(large.x, 0) << int(quality);
        if (quality == Quality::live) {
            EXPECT_GT(large.x, 2.5 * small.y) << "sprites, whose light is an estimate";
        } else {
            EXPECT_NEAR(large.x / small.y, 8, quality == Quality::path ? 1.6 : 0.6) << int(quality) << ": as the amounts";
        }
        EXPECT_LT(large.y + large.z, 0.1 * large.x) << int(quality) << ": the first species is red";
        EXPECT_LT(small.x + small.z, 0.1 * small.y) << int(quality) << ": the other one green";
        EXPECT_NEAR(vortex.x / vortex.z, 1, 0.02) << int(quality);
        EXPECT_GT(vortex.x, 0.05 * large.x) << int(quality);
        EXPECT_GT(soot.z, 1.3 * small.y) << int(quality);
        EXPECT_LT(soot.x + soot.y, 0.1 * soot.z) << int(quality);
    }
}

TEST(points, number_of_threads_changes_no_bit_of_their_light) {
    field::Points points = two_points();
    std::vector<float> temperature;
    points.position.clear(), points.radius.clear();
    for (int n = 0; n < 800; ++n) {
        points.position.push_back(Vec3f(std::sin(float(n)), std::cos(1.7f * float(n)), std::sin(2.3f * float(n))) * 0.3f +
                                  Vec3f(0, 0, 0.5f));
        points.radius.push_back(0.02f);
        temperature.push_back(900 + float(n));
    }
    points.columns = {{"temperature", temperature}};
    RenderParams look = look_of("points: [{points: sparks, kind: light, color: {column: temperature}}]");
    look.ground.visible = true, look.width = 48, look.height = 36;
    for (const Quality quality : {Quality::draft, Quality::good}) {
        const io::Image all = render_frame(frame_of(points), look, quality);
        const ThreadLimit limit(1);
        EXPECT_EQ(render_frame(frame_of(points), look, quality).pixels, all.pixels) << int(quality);
    }
}

TEST(points, one_set_can_be_matter_and_light_at_once) {
    const RenderParams look = look_of(
        "points: [{points: sparks, extinction: 4, color: [0.5, 0.5, 0.5]}, {points: sparks, kind: light, extinction: 4, brightness: 2}]");
    const OpticalVolume volume = make_volume(frame_of(two_points()), look);
    EXPECT_NEAR(total(volume, volume.scattering[0]) / total(volume, volume.extinction), 0.25, 1e-4);
    EXPECT_TRUE(volume.glows());
}

TEST(points, a_column_that_is_not_there_is_told_by_name) {
    const RenderParams look = look_of("points: [{points: sparks, kind: light, color: {column: heat}}]");
    const std::string message = test::complaint<InputError>([&] { make_volume(frame_of(two_points()), look); });
    EXPECT_NE(message.find("the points 'sparks' have no column of numbers 'heat'"), std::string::npos) << message;
}
