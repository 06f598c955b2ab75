#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "base/parallel.h"
#include "complaint.h"
#include "fixture.h"
#include "optics/black_body.h"
#include "render/light/fire_light.h"
#include "render/volumes/particles.h"
#include "render/volumes/parts.h"

using namespace phlo;
using namespace phlo::render;

namespace {

void add_grid(test::LatticeFrame& frame, const std::string& name, const std::function<double(const Vec3d&)>& value) {
    const Vec3i n = frame.domain.cells;
    auto grid = std::make_shared<field::Grid>(field::Layout(n));
    for (int k = 0; k < n.z; ++k)
        for (int j = 0; j < n.y; ++j)
            for (int i = 0; i < n.x; ++i) (*grid)(i, j, k) = float(value(frame.domain.cell_center(i, j, k)));
    frame.add({.name = name, .unit = "", .background = 0, .grid = grid});
}

test::LatticeFrame empty_frame(int n) {
    test::LatticeFrame frame = test::gas(n, [](const Vec3d&) { return 0; });
    frame.volumes.clear();
    return frame;
}

/// A ball of hot gas, 300 K around it.
test::LatticeFrame hot_ball(double temperature, int n = 32, Vec3d center = {0, 0, 0.5}, double radius = 0.2) {
    test::LatticeFrame frame = empty_frame(n);
    add_grid(frame, "temperature", [=](const Vec3d& p) { return test::ball(p, center, radius) > 0 ? temperature : 300; });
    return frame;
}

Vec3f middle_of(const io::Image& image) { return image(image.width / 2, image.height / 2); }

/// Where the look names a temperature, a black body of its own brightness.
Vec3f expected_light(const FireLook& look, double temperature) {
    const optics::BlackBody light(
        {.white = look.temperature, .adaptation = look.adaptation, .contrast = look.contrast, .emissivity_slope = 1});
    return light(float(temperature)) * float(look.brightness);
}

}  // namespace

TEST(fire, thick_hot_gas_shines_as_a_black_body) {
    RenderParams params = test::dark(33, 33);
    params.fire.absorption = 400;
    for (const double temperature : {1300.0, 1900.0, 2600.0}) {
        const Vec3f seen = middle_of(test::picture(hot_ball(temperature), params)), expected = expected_light(params.fire, temperature);
        for (int c = 0; c < 3; ++c) EXPECT_NEAR(seen[c], expected[c], 0.02f * expected.x) << temperature;
    }
}

TEST(fire, thin_hot_gas_emits_what_it_absorbs) {
    RenderParams params = test::dark(33, 33);
    params.camera.position = Curve<Vec3d>(Vec3d(0, -20, 0.5));
    params.camera.fov = 1.0;
    const double absorption = 0.25;
    params.fire.absorption = absorption;
    const Vec3f seen = middle_of(test::picture(hot_ball(1900, 64), params)), expected = expected_light(params.fire, 1900);
    for (int c = 0; c < 3; ++c) EXPECT_NEAR(seen[c], double(expected[c]) * (1 - std::exp(-absorption * 0.4)), 0.03 * double(expected[c]));
}

TEST(fire, cold_gas_is_rendered_as_if_it_had_no_temperature) {
    test::LatticeFrame frame = test::gas(24, [](const Vec3d& p) { return test::ball(p, {0, 0, 0.5}, 0.3); });
    RenderParams params;
    params.width = 48, params.height = 32;
    const io::Image before = test::picture(frame, params);
    add_grid(frame, "temperature", [](const Vec3d& p) { return 300 + 499 * p.z; });
    EXPECT_TRUE(make_volume(frame, params).scattering.empty());
    EXPECT_EQ(test::picture(frame, params).pixels, before.pixels);
    params.fire.min_temperature = 600;
    EXPECT_NE(test::picture(frame, params).pixels, before.pixels);
    params.fire.brightness = 0;
    EXPECT_EQ(test::picture(frame, params).pixels, before.pixels);
}

TEST(fire, hotter_gas_is_brighter_and_less_red_at_the_defaults) {
    const RenderParams params = test::dark(33, 33);
    Vec3f last;
    for (const double temperature : {900.0, 1200.0, 1500.0, 1800.0, 2100.0}) {
        const Vec3f seen = middle_of(test::picture(hot_ball(temperature), params));
        EXPECT_GT(seen.x, 1.5f * last.x) << temperature;
        EXPECT_GT(seen.x, seen.y);
        EXPECT_GT(seen.y, seen.z);
        EXPECT_TRUE(last.x == 0 || seen.y / seen.x > last.y / last.x);
        last = seen;
    }
    EXPECT_GT(last.y, 1);  // in the core even green reaches white
}

TEST(fire, flame_grid_says_where_it_burns) {
    test::LatticeFrame frame = empty_frame(32);
    add_grid(frame, "temperature", [](const Vec3d&) { return 1900; });
    add_grid(frame, "flame", [](const Vec3d& p) { return p.x > 0 ? 1 : 0; });
    const OpticalVolume volume = make_volume(frame, test::dark());
    EXPECT_GT(volume.emission_of(20, 16, 16).x, 0);
    EXPECT_EQ(volume.emission_of(10, 16, 16), Vec3f());
    EXPECT_EQ(volume.extinction(10, 16, 16), 0);
}

TEST(fire, hot_smoke_glows_as_much_as_it_absorbs) {
    test::LatticeFrame frame = test::gas(16, [](const Vec3d&) { return 1; });
    add_grid(frame, "temperature", [](const Vec3d&) { return 1900; });
    RenderParams params = test::dark();
    params.fire.absorption = 0;
    params.smoke = {.color = {0.9f, 0.6f, 0.2f}, .extinction = 7};
    const Vec3f light = make_volume(frame, params).emission_of(8, 8, 8), black = expected_light(params.fire, 1900);
    for (int c = 0; c < 3; ++c) EXPECT_NEAR(light[c], 7 * (1 - params.smoke.color[c]) * black[c], 1e-3f * black.x);
}

TEST(fire, light_on_surfaces_carries_the_power_of_the_glowing_gas) {
    // A small hot ball high over the floor lights it as a lamp: E = P cos / (4 pi r^2), dimmed by the gas of the ball itself.
    const Vec3d center(0.1, -0.05, 0.6);
    const double radius = 0.12, absorption = 2;
    const test::LatticeFrame frame = hot_ball(1900, 48, center, radius);
    RenderParams params = test::dark();
    params.fire.absorption = absorption;
    const OpticalVolume volume = make_volume(frame, params);
    const FireLight fire(volume);
    double power = 0;
    int cells = 0;
    for (int k = 0; k < 48; ++k)
        for (int j = 0; j < 48; ++j)
            for (int i = 0; i < 48; ++i) power += double(volume.emission_of(i, j, k).y), cells += volume.extinction(i, j, k) > 0;
    power *= 4 * std::numbers::pi * std::pow(frame.domain.h, 3);
    EXPECT_NEAR(fire.power().y / power, 1, 1e-5);

    const SkyLight gas(volume, Lights(params), 48);
    const auto open = [](const Vec3f&, float) { return false; };
    for (const Vec3d point : {Vec3d(0.1, -0.05, 0), Vec3d(0.5, 0.2, 0), Vec3d(-1.5, 1, 0)}) {
        // Brute force: every cell for itself, with the true way through the ball.
        double expected = 0;
        for (int k = 0; k < 48; ++k)
            for (int j = 0; j < 48; ++j)
                for (int i = 0; i < 48; ++i) {
                    const double light = double(volume.emission_of(i, j, k).y);
                    if (!(light > 0)) continue;
                    const Vec3d p = frame.domain.cell_center(i, j, k), way = p - point, d = normalized(way);
                    const double b = dot(p - center, d),
                                 inside = b + std::sqrt(std::max(0.0, b * b - dot(p - center, p - center) + radius * radius));
                    expected += light * std::pow(frame.domain.h, 3) * d.z / dot(way, way) * std::exp(-absorption * inside);
                }
        const Vec3f seen = fire.arriving(Vec3f(point), {0, 0, 1}, gas, open);
        EXPECT_NEAR(double(seen.y) * std::numbers::pi / expected, 1, 0.07) << point.x;
    }
    EXPECT_EQ(fire.arriving({0, 0, 0}, {0, 0, -1}, gas, open), Vec3f());
    EXPECT_EQ(fire.arriving({0, 0, 0}, {0, 0, 1}, gas, [](const Vec3f&, float) { return true; }), Vec3f());
}

TEST(fire, smoke_near_a_fire_is_lit_by_it_as_by_a_lamp) {
    // Thin smoke everywhere, white, isotropic; source radiance at a point: P / (4 pi r)^2 (thin gas scatters once).
    test::LatticeFrame frame = hot_ball(1900, 48, {0, 0, 0.2}, 0.1);
    add_grid(frame, "density", [](const Vec3d&) { return 1; });
    RenderParams params = test::dark();
    params.fire.absorption = 0.5;
    params.smoke = {.color = Vec3f(1.f), .extinction = 0.02, .anisotropy = 0};
    const OpticalVolume volume = make_volume(frame, params);
    const FireLight fire(volume);
    SkyLight light(volume, Lights(params), 48);
    fire.shine_into(light, {0, -5, 0.5}, 0);
    for (const Vec3i cell : {Vec3i(24, 24, 30), Vec3i(40, 10, 20), Vec3i(24, 24, 46)}) {
        const Vec3d way = frame.domain.cell_center(cell.x, cell.y, cell.z) - Vec3d(0, 0, 0.2);
        const double expected = fire.power().x / (16 * std::numbers::pi * std::numbers::pi * dot(way, way)) * std::exp(-0.5 * 0.075);
        EXPECT_NEAR(double(light.at(Vec3f(cell)).x) / expected, 1, 0.07) << cell.z;
    }
    // In the middle of the ball: the mean of what its gas sends there, emission times radius.
    const Vec3d middle(0, 0, 0.2);
    const Vec3f cell(frame.domain.grid_from_world(middle));
    const Vec3f glow = volume.emission_of(24, 24, 9);
    EXPECT_NEAR(light.at(cell).x / (glow.x * 0.1f), 1, 0.3);  // lamps stand apart: a little less
}

TEST(fire, bodies_throw_shadows_in_its_light) {
    test::LatticeFrame frame = hot_ball(1900, 32, {0, 0, 0.8}, 0.1);
    RenderParams params = test::dark(61, 61);
    params.ground.visible = true;
    params.ground.color = Vec3f(0.5f);
    params.camera.position = Curve<Vec3d>(Vec3d(0, -4, 1.2));
    params.camera.target = Curve<Vec3d>(Vec3d(0, -0.3, 0));
    params.camera.fov = 12.0;
    const Vec3f open = middle_of(test::picture(frame, params));
    EXPECT_GT(open.x, 0.02f);
    EXPECT_GT(open.x, open.z);
    frame.surfaces.push_back(test::sphere({0, -0.15, 0.4}, 0.15));  // between the fire and the middle of the picture
    EXPECT_LT(middle_of(test::picture(frame, params)).x, 0.1f * open.x);
}

TEST(fire, number_of_threads_changes_no_bit) {
    test::LatticeFrame frame = hot_ball(1700, 32);
    add_grid(frame, "density", [](const Vec3d& p) { return test::ball(p, {0.1, 0, 0.6}, 0.25); });
    frame.surfaces.push_back(test::sphere({0.3, -0.3, 0.2}, 0.1));
    field::Points soot{.name = "soot", .position = {}, .radius = {}};
    for (int n = 0; n < 500; ++n) {
        soot.position.push_back(fibonacci_direction(n, 500) * 0.3f + Vec3f(0, 0, 0.5f));
        soot.radius.push_back(0.03f);
    }
    frame.points.push_back(soot);
    RenderParams params;
    params.width = 64, params.height = 48;
    const io::Image all = test::picture(frame, params);
    const ThreadLimit limit(1);
    EXPECT_EQ(test::picture(frame, params).pixels, all.pixels);
}

TEST(volumes, each_grid_has_its_colour_and_they_add_up) {
    test::LatticeFrame frame = empty_frame(16);
    add_grid(frame, "c_A", [](const Vec3d& p) { return p.x < 0.2 ? 2 : 0; });
    add_grid(frame, "c_B", [](const Vec3d& p) { return p.x > -0.2 ? 3 : 0; });
    RenderParams params = test::dark();
    params.volumes = {{.grid = "c_A", .color = {1, 0, 0}, .extinction = 5}, {.grid = "c_B", .color = {0, 0, 1}, .extinction = 1}};
    const OpticalVolume volume = make_volume(frame, params);
    EXPECT_NEAR(volume.extinction(1, 8, 8), 10, 1e-5);
    EXPECT_NEAR(volume.extinction(8, 8, 8), 13, 1e-5);
    EXPECT_NEAR(volume.extinction(14, 8, 8), 3, 1e-5);
    EXPECT_LT(length(volume.albedo_of(1, 8, 8) - Vec3f(1, 0, 0)), 1e-5f);
    EXPECT_LT(length(volume.albedo_of(8, 8, 8) - Vec3f(10 / 13.f, 0, 3 / 13.f)), 1e-5f);

    params.sky = {.zenith = Vec3f(1.f), .horizon = Vec3f(1.f), .strength = 1};
    params.camera.azimuth = -90;
    const io::Image image = test::picture(frame, params);
    const Vec3f left = image(24, 24), right = image(40, 24);
    EXPECT_GT(left.x, 3 * left.z);
    EXPECT_GT(right.z, 2 * right.x);
}

TEST(volumes, listed_grids_replace_the_density) {
    test::LatticeFrame frame = test::gas(8, [](const Vec3d&) { return 1; });
    add_grid(frame, "c_A", [](const Vec3d&) { return 1; });
    RenderParams params = test::dark();
    params.volumes = {{.grid = "c_A", .extinction = 3}};
    EXPECT_NEAR(make_volume(frame, params).extinction(4, 4, 4), 3, 1e-6);
    params.volumes.push_back({.grid = "density", .extinction = 1});
    EXPECT_NEAR(make_volume(frame, params).extinction(4, 4, 4), 4, 1e-6);
}

TEST(volumes, what_cannot_be_is_refused_by_name) {
    test::LatticeFrame frame = test::gas(8, [](const Vec3d&) { return 1; });
    RenderParams params = test::dark();
    params.volumes.push_back({.grid = "c_A", .color = {}, .extinction = {}});
    std::string message = test::complaint<InputError>([&] { make_volume(frame, params); });
    EXPECT_NE(message.find("no grid 'c_A' in frame 1; there is density"), std::string::npos) << message;
    params.volumes.clear();
    add_grid(frame, "temperature", [](const Vec3d& p) { return p.x > 0.4 ? std::numeric_limits<double>::quiet_NaN() : 300; });
    message = test::complaint<RunError>([&] { make_volume(frame, params); });
    EXPECT_NE(message.find("grid 'temperature' has the value nan at cell (7,"), std::string::npos) << message;
    frame = test::gas(8, [](const Vec3d& p) { return p.z < 0.1 ? -1 : 1; });
    message = test::complaint<RunError>([&] { make_volume(frame, params); });
    EXPECT_NE(message.find("grid 'density' has the value -1"), std::string::npos) << message;
}

TEST(soot, particles_keep_their_amount_at_any_size_and_place) {
    const field::Domain domain{.cells = {24, 24, 24}, .origin = {-1, 0, 2}, .h = 0.05};
    for (const float cells : {0.2f, 1.f, 2.f, 5.f})
        for (const Vec3f place : {Vec3f(12, 12, 12), Vec3f(11.3f, 12.7f, 12.45f)}) {
            const float radius = cells * float(domain.h), deviation = radius / 2;
            field::Grid grid{field::Layout(domain.cells)};
            const Vec3f world = Vec3f(domain.origin) + (place + Vec3f(0.5f)) * float(domain.h);
            add_particles({.domain = domain, .peak = 4}, {.name = "soot", .position = {world}, .radius = {radius}}, grid);
            const double expected = 4 * std::pow(2 * std::numbers::pi, 1.5) * std::pow(double(deviation), 3);
            EXPECT_NEAR(field::sum(grid) * std::pow(domain.h, 3) / expected, 1, 1e-4) << cells;
            EXPECT_NEAR(OpticalVolume::sample(grid, place), 4, cells > 4 ? 0.2 : cells > 1 ? 1.2 : 4) << cells;
        }
}

TEST(soot, particles_outside_are_not_seen_and_at_the_edge_partly) {
    const field::Domain domain{.cells = {8, 8, 8}, .origin = {}, .h = 1};
    field::Grid grid{field::Layout(domain.cells)};
    add_particles({.domain = domain, .peak = 1}, {.name = "soot", .position = {{-20, 4, 4}, {4, 4, 30}}, .radius = {2, 2}}, grid);
    EXPECT_EQ(field::sum(grid), 0);
    add_particles({.domain = domain, .peak = 1}, {.name = "soot", .position = {{0, 4, 4}}, .radius = {2}}, grid);
    EXPECT_NEAR(field::sum(grid) / std::pow(2 * std::numbers::pi, 1.5), 0.5, 0.01);
}
