#include "render/volumes/flash.h"

#include <gtest/gtest.h>

#include <cmath>

#include "fixture.h"
#include "render/photons/photon_render.h"

using namespace phlo;
using namespace phlo::render;

namespace {

constexpr double brightness = 40;

/// A small hot ball in the middle; smoke of some density around it.
test::LatticeFrame spark(double density) {
    test::LatticeFrame frame = test::gas(32, [=](const Vec3d& p) { return density * test::ball(p, {0, 0, 0.5}, 0.3); });
    auto grid = std::make_shared<field::Grid>(field::Layout(frame.domain.cells), 300.f);
    for (int k = 0; k < 32; ++k)
        for (int j = 0; j < 32; ++j)
            for (int i = 0; i < 32; ++i)
                if (test::ball(frame.domain.cell_center(i, j, k), {0, 0, 0.5}, 0.08) > 0) (*grid)(i, j, k) = 1900;
    frame.add({.name = "temperature", .unit = "K", .background = 300, .grid = grid});
    return frame;
}

RenderParams look() {
    RenderParams params = test::dark(48, 48);
    params.fire.brightness = brightness;
    params.fire.absorption = 0.5;
    params.smoke = {.color = Vec3f(1.f), .extinction = 10, .anisotropy = 0};
    return params;
}

struct Parts {
    RenderScene scene;
    Medium medium;
    EmissionSampler fire;
    FlashMap flash;

    Parts(const field::Frame& frame, const RenderParams& params, const FlashLook& f)
        : scene(frame, params), medium(scene.volume), fire(scene.volume), flash(scene, medium, fire, f, brightness) {}
};

}  // namespace

TEST(flash, falls_off_by_distance_and_density_function_and_ends) {
    for (const double falloff : {0.0, 2.0}) {
        const Parts parts(spark(0), look(), {.strength = 1, .reach = 0.9, .loss = 0.3, .falloff = falloff});
        const double power = 4 * std::numbers::pi * parts.fire.total().y;
        for (const double r : {0.3, 0.45, 0.6}) {
            // Mean over a few directions: photons come by chance; coarse cells smooth what falls off steeply.
            double seen = 0;
            for (int d = 0; d < 64; ++d) seen += double(parts.flash.at(Vec3f(0, 0, 0.5f) + fibonacci_direction(d, 64) * float(r)).y) / 64;
            const double expected = power / std::pow(4 * std::numbers::pi * r, 2) * std::pow(1 - r / 0.9, falloff) * std::exp(-0.5 * 0.06);
            EXPECT_NEAR(seen / expected, 1, 0.2) << falloff << " " << r;
        }
        EXPECT_EQ(parts.flash.at({1.1f, 0, 0.5f}), Vec3f());  // beyond its reach, beside a cell that smoothing reaches
    }
}

TEST(flash, glares_the_same_on_every_side) {
    const Parts parts(spark(0), look(), {.strength = 1, .reach = 0.9, .loss = 0.3, .falloff = 1});
    for (int axis = 0; axis < 3; ++axis) {
        double sides[2] = {0, 0};
        for (const int side : {0, 1})
            for (int d = 0; d < 64; ++d) {  // over that half of a ball around the spark
                Vec3f way = fibonacci_direction(d, 64) * 0.4f;
                way[axis] = std::copysign(way[axis], side == 0 ? -1.f : 1.f);
                sides[side] += double(parts.flash.at(Vec3f(0, 0, 0.5f) + way).x);
            }
        EXPECT_NEAR(sides[1] / sides[0], 1, 0.05) << axis;
    }
}

TEST(flash, scattering_shortens_it) {
    const FlashLook f{.strength = 1, .reach = 1.0, .loss = 0.5, .falloff = 1};
    const Parts clear(spark(0), look(), f), smoky(spark(1), look(), f);
    const Vec3f far_point(0.75f, 0, 0.5f);
    EXPECT_GT(clear.flash.at(far_point).x, 2 * smoky.flash.at(far_point).x);
}

TEST(flash, adds_glare_to_the_air_and_none_when_off) {
    RenderParams params = look();
    const test::LatticeFrame frame = spark(0);
    const PhotonRenderSettings settings{.samples = 1, .map = {.photons = 5000, .cells = 16}};
    const RenderScene off(frame, params);
    const io::Image without = render_photons(off, settings);
    params.flash.strength = 0.5;
    const RenderScene on(frame, params);
    const io::Image with = render_photons(on, settings);
    EXPECT_EQ(without(4, 24), Vec3f());
    EXPECT_GT(with(8, 24).x, 0);  // beside the fire
    EXPECT_GT(with(16, 24).x, with(8, 24).x);
    // Along a ray through the glare: its integral.
    const Parts parts(frame, params, params.flash);
    const Ray ray = on.camera.ray(8.5f, 24.5f);
    double expected = 0;
    for (double t = 0; t < 10; t += 0.005) expected += 0.005 * 0.5 * double(parts.flash.at(ray.origin + ray.direction * float(t)).x);
    const Segment s = parts.flash.march(LitVolume(), ray, 1e30f, {});
    EXPECT_NEAR(double(s.radiance.x) / expected, 1, 0.05);
}

TEST(flash, its_density_may_be_any_expression_of_the_way_and_its_colour_is_the_users) {
    const FlashLook own{.strength = 1, .reach = 0.9, .loss = 0.3, .density = "if(s < 0.5, 1, 0.2)", .color = {0.5f, 1, 2}};
    const Parts parts(spark(0), look(), own), plain(spark(0), look(), {.strength = 1, .reach = 0.9, .loss = 0.3, .falloff = 0});
    const auto around = [](const Parts& p, float r) {
        Vec3f sum;
        for (int d = 0; d < 64; ++d) sum += p.flash.at(Vec3f(0, 0, 0.5f) + fibonacci_direction(d, 64) * r) / 64.f;
        return sum;
    };
    EXPECT_NEAR(around(parts, 0.3f).y / around(plain, 0.3f).y, 1, 0.03);
    EXPECT_NEAR(around(parts, 0.65f).y / around(plain, 0.65f).y, 0.2, 0.03);
    EXPECT_NEAR(around(parts, 0.3f).x / around(plain, 0.3f).x, 0.5, 0.02);
    EXPECT_NEAR(around(parts, 0.3f).z / around(plain, 0.3f).z, 2, 0.08);
}

TEST(flash, wrong_densities_are_refused_with_their_place) {
    for (const auto& [text, word] : {std::pair{"2*x", "x"}, std::pair{"s - 0.5", "negative"}, std::pair{"1/s", "negative"}, std::pair{"exp(", "density"}}) {
        config::Problems problems;
        config::Reader reader(problems);
        RenderParams read;
        render_table().read(config::parse_yaml(std::string("flash: {strength: 1, density: \"") + text + "\"}", "look.yaml"), reader, read);
        EXPECT_NE(problems.text().find("look.yaml:1"), std::string::npos) << text << ": " << problems.text();
        EXPECT_NE(problems.text().find(word), std::string::npos) << problems.text();
    }
}

TEST(flash, lights_a_surface_by_the_inverse_square_the_cosine_and_the_density) {
    test::LatticeFrame frame = spark(0);
    const Parts parts(frame, look(), {.strength = 1, .reach = 1.5, .loss = 0.3, .density = "1 - 0.5*s"});
    const double power = 4 * std::numbers::pi * parts.fire.total().y * std::exp(-0.5 * 0.06);
    for (const Vec3f normal : {Vec3f(-1, 0, 0), normalized(Vec3f(-1, 1, 0.5f))}) {
        const double cosine = -double(dot(normal, Vec3f(1, 0, 0)));
        const double expected = power / (4 * std::numbers::pi * 0.36) * cosine * (1 - 0.5 * 0.6 / 1.5) / std::numbers::pi;
        EXPECT_NEAR(double(parts.flash.on({0.6f, 0, 0.5f}, normal).y) / expected, 1, 0.12);
    }
    EXPECT_EQ(parts.flash.on({0.6f, 0, 0.5f}, {1, 0, 0}), Vec3f()) << "the far side of a wall";
    const Parts off(frame, look(), {.strength = 1, .reach = 1.5, .surfaces = 0});
    EXPECT_EQ(off.flash.on({0.6f, 0, 0.5f}, {-1, 0, 0}), Vec3f());
}

TEST(flash, in_smoke_its_light_and_the_gas_hide_each_other_as_the_formula_has_it) {
    RenderParams params = look();
    params.smoke = {.color = Vec3f(0.f), .extinction = 4, .anisotropy = 0};   // black: what it adds is its own glow
    params.flash = {.strength = 6, .reach = 1.0, .loss = 0.3, .falloff = 1};
    const test::LatticeFrame frame = spark(1);
    const Parts parts(frame, params, params.flash);
    const LitVolume lit(parts.scene.volume, [](const Vec3f&, const Vec3i&) { return Vec3f(); });
    const Ray ray = parts.scene.camera.ray(21.5f, 24.5f);
    // dL/dt = T (j + haze Phi), dT/dt = -T (sigma + opacity |Phi|), in small steps
    double light = 0, passes = 1, without = 1;
    const double longest = 1, dt = 0.002;
    for (double t = 0; t < 12; t += dt) {
        const Vec3f p = ray.origin + ray.direction * float(t + 0.5 * dt);
        const Medium::Point gas = parts.medium.at(p);
        const Vec3f phi = parts.flash.at(p);
        const double bright = 0.2126 * double(phi.x) + 0.7152 * double(phi.y) + 0.0722 * double(phi.z), haze = 6 / longest;
        light += passes * (double(gas.emission.y) + haze * double(phi.y)) * dt;
        passes *= std::exp(-(double(gas.extinction) + haze / brightness * bright) * dt);
        without *= std::exp(-double(gas.extinction) * dt);
    }
    Vec3f mean;
    double through = 0;
    for (int n = 0; n < 16; ++n) {
        const Segment s = parts.flash.march(lit, ray, 1e30f, {.step = 0.25f, .jitter = (float(n) + 0.5f) / 16});
        mean += s.radiance / 16.f, through += double(s.transmittance) / 16;
    }
    ASSERT_LT(without, 0.6) << "the gas is not empty";
    EXPECT_NEAR(double(mean.y) / light, 1, 0.06);
    EXPECT_NEAR(through / passes, 1, 0.05);
}
