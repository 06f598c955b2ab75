// The light that a fire throws: how it falls off, how it flickers, and what shades it.
#include <gtest/gtest.h>

#include <numbers>

#include "live_fixture.h"
#include "render/live/fire_lamps.h"
#include "render/live/puff_light.h"
#include "render/live/sky_harmonics.h"

using namespace phlo;
using namespace phlo::render;

namespace {

std::vector<Glow> cloud(int count, float power = 1) {
    std::vector<Glow> glows;
    for (int n = 0; n < count; ++n) {
        const auto u = uniform4({.seed = 11}, std::uint32_t(n));
        glows.push_back({{0.2f * (u[0] - 0.5f), 0.2f * (u[1] - 0.5f), 0.6f * u[2]}, power * u[3]});
    }
    return glows;
}

Vec3f irradiance(const std::vector<FireLamp>& lamps, const Vec3f& point, const Vec3f& normal) {
    Vec3f sum;
    for (const FireLamp& lamp : lamps) sum += lamp.at(point, normal);
    return sum;
}

}  // namespace

TEST(live_light, lamps_have_the_power_of_all_points) {
    const auto glows = cloud(30000);
    double sum = 0;
    for (const Glow& g : glows) sum += double(g.power);
    for (const int count : {1, 2, 8}) {
        const auto lamps = gather_lamps(glows, {2, 1, 0.5f}, count);
        EXPECT_EQ(int(lamps.size()), count);
        Vec3d all;
        for (const FireLamp& lamp : lamps) all += Vec3d(lamp.intensity);
        EXPECT_NEAR(all.x, 2 * sum, 1e-5 * sum);
        EXPECT_NEAR(all.z, 0.5 * sum, 1e-5 * sum);
    }
}

TEST(live_light, falls_off_with_the_square_of_the_distance) {
    const auto lamps = gather_lamps(cloud(20000), Vec3f(1.f), 8);
    const auto at = [&](float x) { return double(irradiance(lamps, {x, 0, 0.3f}, {-1, 0, 0}).x); };
    EXPECT_NEAR(at(20) / at(40), 4, 0.01);
    EXPECT_NEAR(at(5) / at(10), 4, 0.05);
    EXPECT_LT(at(0.01f), 1e3 * at(1));   // inside the fire it stays finite
}

TEST(live_light, agrees_with_every_point_on_its_own) {
    const auto glows = cloud(20000);
    const auto lamps = gather_lamps(glows, Vec3f(1.f), 8);
    for (const Vec3f& p : {Vec3f(0.8f, 0, 0), Vec3f(0.5f, 0.5f, 0), Vec3f(-1, 0.2f, -0.2f)}) {
        double exact = 0;
        for (const Glow& g : glows) {
            const Vec3d way = Vec3d(g.position) - Vec3d(p);
            exact += double(g.power) * std::max(0.0, way.z) / std::pow(length(way), 3);
        }
        EXPECT_NEAR(double(irradiance(lamps, p, {0, 0, 1}).x), exact, 0.1 * exact);
    }
}

TEST(live_light, the_ground_flickers_with_the_fire) {
    RenderParams look = test::dark(96, 64);
    look.ground = {.visible = true, .height = -0.1, .color = Vec3f(0.5f)};
    look.live.glare = 0;
    look.camera.position = Curve<Vec3d>(Vec3d(0, -3, 1.5)), look.camera.target = Curve<Vec3d>(Vec3d(0, 0, 0.2));
    const auto lit_by = [&](float share) {
        field::Frame frame = test::torch_frame(4000);
        for (float& y : std::get<std::vector<float>>(frame.points[0].columns["composition"])) y *= share;
        const io::Image image = LiveRenderer(look).render(frame);
        return double(image(8, 58).x);   // ground in the corner of the picture, far from the flame
    };
    const double full = lit_by(1);
    EXPECT_GT(full, 0);
    EXPECT_NEAR(lit_by(0.5f) / full, 0.5, 1e-4);
    EXPECT_NEAR(lit_by(0.1f) / full, 0.1, 1e-4);
}

namespace {

/// A wall behind a torch, of so many squares along its side.
field::Surface wall(int squares) {
    field::Surface surface{.name = "wall", .color = Vec3f(0.5f), .mesh = {}};
    for (int j = 0; j <= squares; ++j)
        for (int i = 0; i <= squares; ++i) surface.mesh.points.push_back({-2 + 4 * float(i) / float(squares), 0.5f, -1.5f + 4 * float(j) / float(squares)});
    for (int j = 0; j < squares; ++j)
        for (int i = 0; i < squares; ++i) {
            const int a = j * (squares + 1) + i, b = a + 1, c = a + squares + 1, d = c + 1;
            surface.mesh.triangles.push_back({a, b, d}), surface.mesh.triangles.push_back({a, d, c});
        }
    return surface;
}

}  // namespace

TEST(live_light, a_wall_of_two_triangles_is_lit_as_one_of_thousands) {
    RenderParams look = test::dark(96, 64);
    look.live.glare = 0;
    look.camera.position = Curve<Vec3d>(Vec3d(0, -3, 0.8)), look.camera.target = Curve<Vec3d>(Vec3d(0, 0, 0.5));
    const auto picture = [&](int squares) {
        field::Frame frame = test::torch_frame(4000);
        frame.surfaces.push_back(wall(squares));
        return LiveRenderer(look).render(frame);
    };
    const io::Image coarse = picture(1), fine = picture(64);
    const float beside = fine(26, 40).x, far = fine(3, 3).x;   // of the flame
    EXPECT_GT(beside, 3 * far);
    EXPECT_NEAR(coarse(26, 40).x, beside, 0.05f * beside);
    EXPECT_NEAR(coarse(3, 3).x, far, 0.05f * far);
}

TEST(live_light, a_ball_shades_lamps_suns_and_skies) {
    const std::vector<SoftRod> ball{{{0, 0, 1}, {}, 0.5f, 0}};
    const Vec3f up(0, 0, 1);
    EXPECT_LT(lamp_seen(ball, {0, 0, 0}, -1, {0, 0, 2}, 0.05f), 1e-6f);
    EXPECT_EQ(lamp_seen(ball, {0, 0, 0}, 0, {0, 0, 2}, 0.05f), 1);          // its own body does not count
    EXPECT_EQ(lamp_seen(ball, {0, 0, 0}, -1, {0, 0, 0.4f}, 0.05f), 1);      // a lamp before it
    EXPECT_EQ(lamp_seen(ball, {1, 0, 0}, -1, {1, 0, 2}, 0.05f), 1);         // beside it
    EXPECT_LT(sun_seen(ball, {0, 0, 0}, -1, up, 0.02f), 1e-6f);
    EXPECT_EQ(sun_seen(ball, {1, 0, 0}, -1, up, 0.02f), 1);
    EXPECT_NEAR(sun_seen(ball, {0.5f, 0, 0}, -1, up, 0.02f), 0.5f, 0.01f);
    // Overhead the ball takes (r/d)^2 of a cosine-weighted sky.
    EXPECT_NEAR(sky_seen(ball, {0, 0, 0}, up, -1), 0.75f, 1e-5f);
    EXPECT_NEAR(sky_seen(ball, {0, 0, 0}, -up, -1), 1, 1e-5f);
}

TEST(live_light, a_rod_has_the_length_and_the_volume_of_its_body) {
    const SoftRod ball = soft_rod(smooth_mesh(test::sphere({1, 2, 3}, 0.4).mesh), 5);
    EXPECT_NEAR(ball.radius, 0.4f, 0.01f);
    EXPECT_LT(length(ball.half_axis), 0.02f);
    EXPECT_NEAR(length(ball.middle - Vec3f(1, 2, 3)), 0, 1e-3f);
    EXPECT_EQ(ball.body, 5);
    const geom::Body stick{.name = "stick", .shape = geom::Cylinder{.radius = 0.1, .height = 2}, .motion = {}};
    const SoftRod rod = soft_rod(smooth_mesh(stick.surface(0).mesh), 0);
    EXPECT_NEAR(rod.radius, 0.1f, 0.01f);
    EXPECT_NEAR(std::fabs(rod.half_axis.z), 0.9f, 0.02f);
    // Its shadow is as long as it is.
    const std::vector<SoftRod> lying{{{0, 0, 1}, {0.9f, 0, 0}, 0.1f, 0}};
    for (const float x : {0.f, 0.5f, 0.95f}) EXPECT_LT(sun_seen(lying, {x, 0, 0}, -1, {0, 0, 1}, 0.02f), 1e-3f) << x;
    EXPECT_EQ(sun_seen(lying, {1.1f, 0, 0}, -1, {0, 0, 1}, 0.02f), 1);
    EXPECT_EQ(sun_seen(lying, {0, 0.2f, 0}, -1, {0, 0, 1}, 0.02f), 1);
}

TEST(live_light, an_even_sky_is_even_on_every_surface) {
    Lights lights;
    lights.zenith = lights.horizon = Vec3f(0.7f);
    const SkyHarmonics sky(lights);
    for (int n = 0; n < 20; ++n) EXPECT_NEAR(sky(fibonacci_direction(n, 20)).y, 0.7f, 0.005f);
}

TEST(live_light, smoke_shades_itself_against_the_sun) {
    Lights lights;
    lights.to_sun = {0, 0, 1}, lights.sun = Vec3f(1.f);
    // An even block of 1 m^3 with an extinction of 2 / m.
    std::vector<Matter> matter;
    constexpr int n = 30;
    for (int c = 0; c < n * n * n; ++c)
        matter.push_back({Vec3f(float(c % n) + 0.5f, float(c / n % n) + 0.5f, float(c / (n * n)) + 0.5f) / float(n), 2.f / (n * n * n)});
    const PuffLight light(matter, lights, {}, {}, 1);
    for (const float z : {0.1f, 0.5f, 0.8f}) EXPECT_NEAR(light.depth_to_sun({0.5f, 0.5f, z}), 2 * (1 - z), 0.1f) << z;
    EXPECT_GT(light.at({0.5f, 0.5f, 0.95f}).x, 2 * light.at({0.5f, 0.5f, 0.05f}).x);
    const PuffLight open(matter, lights, {}, {}, 0);
    EXPECT_NEAR(open.at({0.5f, 0.5f, 0.05f}).x, open.at({0.5f, 0.5f, 0.95f}).x, 1e-5f);
}
