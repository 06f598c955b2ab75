#include "render/light/lamps.h"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <numbers>

#include "complaint.h"
#include "fixture.h"
#include "render/light/environment.h"
#include "render/path.h"
#include "render/photons/photon_render.h"
#include "scratch_dir.h"

using namespace phlo;
using namespace phlo::render;

namespace {

constexpr double pi = std::numbers::pi;

Lamp lamp_of(LampShape shape, Vec3d position = {0, 0, 1}, double strength = 2) {
    LampParams params{.shape = shape, .position = Curve<Vec3d>(position), .strength = strength};
    return make_lamps({params}, 0).at(0);
}

/// Irradiance of a horizontal surface, by the mean of many points of a lamp.
double irradiance(const Lamp& lamp, const Vec3f& point) {
    double sum = 0;
    constexpr int n = 20000;
    for (int i = 0; i < n; ++i) {
        RandomStream random({.seed = 3}, std::uint32_t(i));
        const float u = random.next(), v = random.next();
        const LightSample s = sample_lamp(lamp, point, u, v);
        sum += double(s.light.x * std::max(0.f, s.direction.z)) / n;
    }
    return sum;
}

const LampShape every_shape[] = {PointShape{}, RectangleShape{0.6, 0.3}, DiskShape{0.3}, BallShape{0.25}};

/// Light of a lamp in fog, scattered once towards a camera that looks along a straight line: the airlight integral
///   L = albedo sigma I  integral  p(theta) exp(-sigma (t - t0)) exp(-sigma d) / d^2  dt,   d: from the lamp to the point at t,
/// by quadrature between t0 and t1, where the line enters and leaves the fog. The lamp stands in the fog. [sun2005, eq. 3]
double airlight(const Vec3d& eye, const Vec3d& direction, double t0, double t1, const Vec3d& lamp, double intensity, double sigma,
                double albedo, double g) {
    double sum = 0;
    constexpr int n = 20000;
    for (int i = 0; i < n; ++i) {
        const double t = t0 + (t1 - t0) * (i + 0.5) / n;
        const Vec3d way = lamp - (eye + direction * t);
        const double d = length(way), cosine = dot(direction, way) / d;
        const double phase = (1 - g * g) / (4 * pi * std::pow(1 + g * g - 2 * g * cosine, 1.5));
        sum += phase * std::exp(-sigma * (t - t0 + d)) / (d * d) * (t1 - t0) / n;
    }
    return albedo * sigma * intensity * sum;
}

}  // namespace

TEST(lamps, light_a_surface_as_their_shapes_say) {
    EXPECT_NEAR(irradiance(lamp_of(PointShape{}), {0, 0, 0}), 2, 1e-5);
    EXPECT_NEAR(irradiance(lamp_of(PointShape{}), {1, 0, 0}), 2 * std::pow(0.5, 1.5), 1e-5);
    // A disk on its axis: pi L sin^2; its radiance is the intensity over its area.
    const double disk = 2 / (pi * 0.09) * pi * 0.09 / (1 + 0.09);
    EXPECT_NEAR(irradiance(lamp_of(DiskShape{0.3}), {0, 0, 0}), disk, 0.005 * disk);
    // A ball: as a point in its middle, exactly, for a surface that faces it.
    EXPECT_NEAR(irradiance(lamp_of(BallShape{0.25}), {0, 0, 0}), 2, 0.01);
    // A large rectangle parallel to a surface under one of its corners, by the form factor of [siegel2002, configuration B-3], four times.
    const double a = 0.6 / 2, b = 0.3 / 2;
    const double factor =
        (a / std::hypot(1, a) * std::atan(b / std::hypot(1, a)) + b / std::hypot(1, b) * std::atan(a / std::hypot(1, b))) / (2 * pi);
    EXPECT_NEAR(irradiance(lamp_of(RectangleShape{0.6, 0.3}), {0, 0, 0}), 4 * factor * pi * 2 / (0.6 * 0.3), 0.01);
    // Flat lamps shine to one side.
    EXPECT_EQ(irradiance(lamp_of(DiskShape{0.3}, {0, 0, -1}), {0, 0, 0}), 0);
}

TEST(lamps, are_met_where_they_are_drawn) {
    for (const LampShape& shape : every_shape) {
        const Lamp lamp = lamp_of(shape);
        for (int i = 0; i < 200; ++i) {
            RandomStream random({.seed = 8}, std::uint32_t(i));
            const Vec3f point(0.7f * random.next(), 0.2f, 0.3f * random.next());
            const float u = random.next(), v = random.next();
            const LightSample s = sample_lamp(lamp, point, u, v);
            const auto met = hit_lamp(lamp, {point, s.direction});
            if (lamp.kind == Lamp::Kind::point) {
                EXPECT_FALSE(met);
                continue;
            }
            ASSERT_TRUE(met);
            EXPECT_NEAR(met->distance, s.distance, 1e-3);
            EXPECT_NEAR(met->density / s.density, 1, 1e-3);
            EXPECT_NEAR(s.light.x * s.density / lamp.radiance.x, 1, 1e-4);
        }
        EXPECT_FALSE(hit_lamp(lamp, {{0, 0, 0}, {0, 0, -1}}));
    }
}

TEST(lamps, emit_as_much_light_as_falls_on_a_floor) {
    for (const LampShape& shape : every_shape) {
        const Lamp lamp = lamp_of(shape);
        constexpr int n = 200000;
        double caught = 0, expected = 0;
        for (int i = 0; i < n; ++i) {
            RandomStream random({.seed = 4}, std::uint32_t(i));
            const Emission e = emit(lamp, random);
            const float t = -e.ray.origin.z / e.ray.direction.z;
            const Vec3f at = e.ray.origin + e.ray.direction * t;
            if (t > 0 && std::hypot(at.x, at.y) < 0.5f) caught += double(e.power.x) / n;
        }
        for (int ring = 0; ring < 8; ++ring) {
            const double r = (ring + 0.5) / 16, area = pi * (std::pow((ring + 1) / 16.0, 2) - std::pow(ring / 16.0, 2));
            for (int turn = 0; turn < 4; ++turn)
                expected +=
                    area / 4 * irradiance(lamp, Vec3f(Vec3d(r * std::cos(turn * pi / 2 + 0.4), r * std::sin(turn * pi / 2 + 0.4), 0)));
        }
        EXPECT_NEAR(caught / expected, 1, 0.02) << int(lamp.kind);
    }
}

TEST(lamps, follow_their_keyframes_and_take_power_for_strength) {
    RenderParams look;
    config::Problems problems;
    config::Reader reader(problems);
    render_table().read(config::parse_yaml("lights:\n"
                                           "  - {position: {keys: [[0, [0, 0, 1]], [1, [1, 0, 1]]]}, strength: {keys: [[0, 1], [1, 3]]}}\n"
                                           "  - {shape: {disk: {radius: 10 cm}}, position: [0, 0, 2], power: 3.14159265}\n"
                                           "  - {shape: {sphere: {radius: 10 cm}}, power: 12.5663706, temperature: 2800 K}\n",
                                           "look.yaml"),
                        reader, look);
    ASSERT_EQ(problems.text(), "");
    const auto lamps = make_lamps(look.lights, 0.5);
    EXPECT_NEAR(lamps[0].position.x, 0.5, 1e-6);
    EXPECT_NEAR(lamps[0].intensity.x, 2, 1e-6);
    EXPECT_NEAR(lamps[1].intensity.x, 1, 1e-6);
    EXPECT_NEAR(lamps[1].power().x, pi, 1e-5);
    EXPECT_NEAR(0.2126 * lamps[2].power().x + 0.7152 * lamps[2].power().y + 0.0722 * lamps[2].power().z, 4 * pi, 3e-3);
    EXPECT_GT(lamps[2].intensity.x, 2 * lamps[2].intensity.z);
    // What is written reads back the same.
    const std::string dump = config::to_yaml(render_table().write(look));
    RenderParams again;
    render_table().read(config::parse_yaml(dump, "dump.yaml"), reader, again);
    EXPECT_EQ(problems.text(), "") << dump;
    EXPECT_EQ(look_hash(again), look_hash(look));
    const auto complaint = [&](const char* text) {
        config::Problems found;
        config::Reader r(found);
        render_table().read(config::parse_yaml(text, "look.yaml"), r, look);
        return found.text();
    };
    EXPECT_NE(complaint("lights: [{power: 1, strength: 1}]").find("look.yaml:1:"), std::string::npos);
    EXPECT_NE(complaint("lights: [{shape: {disk: {radius: 0}}}]").find("lights.0.shape.disk.radius"), std::string::npos);
}

TEST(lamps, single_scattering_of_a_point_light_in_fog_agrees_with_the_airlight_integral) {
    const double sigma = 2, albedo = 0.01, intensity = 1000;
    // Fog in a box that ends between cells: trilinear interpolation keeps its thickness.
    test::LatticeFrame frame = test::gas(40, [](const Vec3d& p) {
        return std::max({std::fabs(p.x), std::fabs(p.y), std::fabs(p.z - 0.5)}) < 0.4 ? 1 : 0;
    });
    const Vec3d lamp(0.02, 0.03, 0.48);
    for (const double g : {0.0, 0.5})
        for (const double aside : {0.1, 0.25}) {
            RenderParams params = test::dark(16, 16);
            params.smoke = {.color = Vec3f(float(albedo)), .extinction = sigma, .anisotropy = g};
            params.lights.push_back({.shape = PointShape{}, .position = Curve<Vec3d>(lamp), .strength = intensity});
            const Vec3d eye(lamp.x + aside, -20, lamp.z), direction(0, 1, 0);
            params.camera.position = Curve<Vec3d>(eye);
            params.camera.target = Curve<Vec3d>(eye + direction);
            params.camera.fov = 0.02;
            const double expected = airlight(eye, direction, 19.6, 20.4, lamp, intensity, sigma, albedo, g);
            const RenderScene scene(frame, params);
            const io::Image path = render_path(scene, {.samples = 256});
            double sum = 0, squares = 0;
            for (const Vec3f& p : path.pixels) sum += double(p.x), squares += double(p.x) * double(p.x);
            const double n = double(path.pixels.size()), mean = sum / n, error = std::sqrt((squares / n - mean * mean) / n);
            EXPECT_NEAR(mean / expected, 1, 4 * error / expected + 0.012) << g << " " << aside;  // 1 % scatters again
            EXPECT_LT(error / expected, 0.01);
            const io::Image photons = render_photons(scene, {.samples = 4, .map = {.photons = 50'000, .cells = 40}});
            double all = 0;
            for (const Vec3f& p : photons.pixels) all += double(p.x) / n;
            EXPECT_NEAR(all / expected, 1, 0.025) << g << " " << aside;
        }
}

TEST(lamps, light_a_floor_in_every_integrator_and_throw_shadows) {
    test::LatticeFrame frame = test::gas(16, [](const Vec3d&) { return 0; });
    RenderParams params = test::dark(8, 8);
    params.ground = {.visible = true, .height = 0.0, .color = Vec3f(0.5f)};
    params.lights.push_back({.shape = BallShape{0.05}, .position = Curve<Vec3d>(Vec3d(0, 0, 1)), .strength = 3.0});
    params.camera.position = Curve<Vec3d>(Vec3d(2, 0, 1));
    params.camera.target = Curve<Vec3d>(Vec3d(0.3, 0, 0));
    params.camera.fov = 0.1;
    const auto seen = [&](int integrator) {
        RenderScene scene(frame, params);
        const io::Image image = integrator == 0   ? render_preview(scene, {})
                                : integrator == 1 ? render_photons(scene, {.samples = 16, .map = {.photons = 1000}})
                                                  : render_path(scene, {.samples = 256});
        double sum = 0;
        for (const Vec3f& p : image.pixels) sum += double(p.x) / 64;
        return sum;
    };
    const RenderScene scene(frame, params);
    const double expected = 0.5 / pi * 3 / std::pow(1.09, 1.5) * double(scene.kept_of(*scene.surfaces.hit(scene.camera.ray(4, 4))));
    for (const int integrator : {0, 1, 2}) EXPECT_NEAR(seen(integrator) / expected, 1, 0.01) << integrator;
    frame.surfaces.push_back(test::sphere({0.15, 0, 0.5}, 0.1));
    for (const int integrator : {0, 1, 2}) EXPECT_LT(seen(integrator), 0.25 * expected) << integrator;  // what the ball passes on is left
}

TEST(environment, draws_directions_by_their_brightness) {
    io::Image image(32, 16);
    for (int y = 0; y < 16; ++y)
        for (int x = 0; x < 32; ++x) image(x, y) = Vec3f(float(x == 5 && y == 4 ? 200 : y < 8 ? 1 : 0));
    const EnvironmentMap map(image);
    double sum = 0, squares = 0, whole = 0;
    for (const auto& patch : map.patches()) whole += patch.light.x;
    constexpr int n = 100000;
    for (int i = 0; i < n; ++i) {
        RandomStream random({.seed = 2}, std::uint32_t(i));
        const float u = random.next(), v = random.next();
        const auto [direction, density] = map.sample(u, v);
        ASSERT_NEAR(length(direction), 1, 1e-4);
        const double value = double(map.radiance(direction).x / density);
        sum += value / n, squares += value * value / n;
    }
    EXPECT_NEAR(sum / whole, 1, 0.01);
    EXPECT_LT(std::sqrt(squares - sum * sum) / sum, 1.0);  // evenly drawn directions would have 4
    double densities = 0;
    for (int i = 0; i < n; ++i) densities += double(map.density(fibonacci_direction(i, n))) * 4 * pi / n;
    EXPECT_NEAR(densities, 1, 0.01);
}

TEST(environment, rays_of_a_map_carry_all_its_light_and_turn_with_it) {
    const test::ScratchDir dir;
    io::Image image(64, 32);
    image(10, 9) = Vec3f(500.f);
    for (Vec3f& pixel : image.pixels) pixel += Vec3f(0.5f);
    io::write_exr(dir.path / "sky.exr", image);
    RenderParams params = test::dark();
    params.sky.map = (dir.path / "sky.exr").string(), params.sky.strength = 2;
    for (const double rotation : {0.0, 90.0}) {
        params.sky.rotation = rotation;
        const Lights lights(params);
        double sum = 0, expected = 0;
        for (const auto& ray : lights.rays(96)) sum += double(ray.radiance.x) * 4 * pi / 96;
        for (const auto& patch : lights.map->patches()) expected += 2 * patch.light.x;
        EXPECT_NEAR(sum / expected, 1, 1e-4);
        const double polar = pi * 9.5 / 32, turn = 2 * pi * 10.5 / 64 + rotation * pi / 180;
        const Vec3f bright(Vec3d(std::sin(polar) * std::cos(turn), std::sin(polar) * std::sin(turn), std::cos(polar)));
        EXPECT_NEAR(lights.radiance(bright).x, 1001, 10);
        const auto rays = lights.rays(96);
        const auto most = std::max_element(rays.begin(), rays.end(), [](auto& a, auto& b) { return a.radiance.x < b.radiance.x; });
        EXPECT_GT(dot(most->direction, bright), 0.95f);
    }
}

TEST(environment, white_map_is_a_furnace) {
    const test::ScratchDir dir;
    io::Image image(16, 8);
    for (Vec3f& pixel : image.pixels) pixel = Vec3f(1.f);
    io::write_exr(dir.path / "white.exr", image);
    RenderParams params = test::dark(16, 16);
    params.sky = {.strength = 1, .map = (dir.path / "white.exr").string(), .visible = true};
    params.smoke = {.color = Vec3f(1.f), .extinction = 12, .anisotropy = 0.3};
    test::LatticeFrame frame = test::gas(24, [](const Vec3d& p) { return test::ball(p, {0, 0, 0.5}, 0.35); });
    frame.surfaces.push_back(test::sphere({0.1, -0.2, 0.3}, 0.15, Vec3f(1.f)));
    const RenderScene scene(frame, params);
    double path = 0, photons = 0;
    for (const Vec3f& p : render_path(scene, {.samples = 64}).pixels) path += double(p.x) / 256;
    for (const Vec3f& p : render_photons(scene, {.samples = 16, .map = {.photons = 400'000, .cells = 24}}).pixels)
        photons += double(p.x) / 256;
    EXPECT_NEAR(path, 1, 0.01);
    EXPECT_NEAR(photons, 1, 0.01);
}

TEST(environment, what_is_wrong_with_a_map_is_told_with_its_file) {
    const test::ScratchDir dir;
    EXPECT_NE(test::complaint<InputError>([&] { load_environment(dir.path / "none.exr"); }).find("none.exr"), std::string::npos);
    io::Image image(8, 4);
    image(3, 2).y = std::numeric_limits<float>::quiet_NaN();
    io::write_exr(dir.path / "nan.exr", image);
    EXPECT_NE(test::complaint<InputError>([&] { load_environment(dir.path / "nan.exr"); }).find("nan.exr: the pixel (3, 2)"),
              std::string::npos);
    std::ofstream(dir.path / "text.exr") << "no picture";
    EXPECT_NE(test::complaint<InputError>([&] { load_environment(dir.path / "text.exr"); }).find("text.exr"), std::string::npos);
}
