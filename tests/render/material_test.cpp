#include "render/look/material.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "complaint.h"
#include "fixture.h"
#include "render/path.h"
#include "render/photons/photon_render.h"

using namespace phlo;
using namespace phlo::render;

namespace {

constexpr double pi = std::numbers::pi;

const SurfaceKind every_kind[] = {DiffuseSurface{},   GlossySurface{0.0}, GlossySurface{0.1},     GlossySurface{0.35},
                                  GlossySurface{0.7}, GlossySurface{1.0}, DielectricSurface{1.5}, DielectricSurface{1.1}};

io::Image seen(const field::Frame& frame, const RenderParams& params, int integrator, int samples = 64) {
    RenderScene scene(frame, params);
    if (integrator == 0) return render_preview(scene, {.samples = std::max(4, samples / 8)});
    if (integrator == 1)
        return render_photons(scene, {.samples = samples / 2, .shaded = samples / 2, .map = {.photons = 100'000, .cells = 24}});
    return render_path(scene, {.samples = samples});
}

double mean_of(const io::Image& image) {
    double sum = 0;
    for (const Vec3f& p : image.pixels) sum += double(p.x) / double(image.pixels.size());
    return sum;
}

}  // namespace

TEST(material, every_white_one_is_a_furnace) {
    // A white ball in light of one from everywhere cannot be seen, whatever it is made of.
    RenderParams params = test::dark(24, 24);
    params.sky = {.zenith = Vec3f(1.f), .horizon = Vec3f(1.f), .strength = 1};
    params.background = Vec3f(1.f);
    params.camera.position = Curve<Vec3d>(Vec3d(0, -3, 0.5));
    params.camera.target = Curve<Vec3d>(Vec3d(0, 0, 0.5));
    params.camera.fov = 14.0;
    test::LatticeFrame frame = test::gas(16, [](const Vec3d&) { return 0; });
    frame.surfaces.push_back(test::sphere({0, 0, 0.5}, 0.35, Vec3f(1.f)));
    for (const SurfaceKind& kind : every_kind) {
        params.materials = {{.body = "ball", .surface = kind}};
        const Material material = make_material(kind, Vec3f(1.f));
        for (const int integrator : {1, 2}) {
            const io::Image image = seen(frame, params, integrator, 256);
            EXPECT_NEAR(mean_of(image), 1, integrator == 1 ? 0.01 : 0.005)
                << int(material.kind) << " " << material.roughness << " " << integrator;
            for (const Vec3f& p : image.pixels) ASSERT_NEAR(p.x, 1, 0.35);
        }
    }
}

TEST(material, reflection_is_the_same_both_ways_and_bounces_follow_its_density) {
    const Vec3f normal = normalized(Vec3f(0.3f, -0.2f, 0.9f));
    for (const SurfaceKind& kind : every_kind) {
        const Material material = make_material(kind, {0.9f, 0.5f, 0.2f});
        if (material.clear() || material.roughness == 0.1f) continue;  // too sharp for the sum over directions
        for (const float cosine : {0.95f, 0.5f, 0.15f}) {
            const Vec3f eye = direction_around(normal, cosine, 0.3f);
            Vec3d sum;
            double density = 0;
            constexpr int n = 400000;
            for (int i = 0; i < n; ++i) {
                const Vec3f light = fibonacci_direction(i, n);
                const Turn on = turn(material, normal, eye, light);
                sum += Vec3d(on.value) * (4 * pi / n), density += double(on.density) * 4 * pi / n;
                if (i % 4001 || !(dot(light, normal) > 0.05f)) continue;
                const Turn back = turn(material, normal, light, eye);
                EXPECT_NEAR(on.value.y * dot(eye, normal), back.value.y * dot(light, normal), 5e-3 * on.value.y + 1e-6);
            }
            Vec3d mean;
            double lost = 0;  // facets that reflect into the surface have no direction
            constexpr int draws = 100000;
            for (int i = 0; i < draws; ++i) {
                RandomStream random({.seed = 5}, std::uint32_t(i));
                const Bounce b = bounce(material, normal, 1.f, -eye, random);
                mean += Vec3d(b.weight) / double(draws), lost += (b.weight == Vec3f()) / double(draws);
                ASSERT_LT(b.weight.x, 8);
            }
            for (int c = 0; c < 3; ++c) EXPECT_NEAR(mean[c] / sum[c], 1, 0.015) << material.roughness << " " << cosine;
            EXPECT_NEAR(density, 1 - lost, 0.006) << material.roughness << " " << cosine;
        }
    }
}

TEST(material, glass_obeys_snell_and_fresnel) {
    EXPECT_NEAR(fresnel(1, 1.5f), 0.04, 1e-6);
    EXPECT_NEAR(fresnel(1, 1 / 1.5f), 0.04, 1e-6);
    EXPECT_EQ(fresnel(0.5f, 1 / 1.5f), 1);  // 60 degrees from inside: beyond the critical angle of 41.8 degrees
    const float brewster = std::cos(std::atan(1.5f)), s = (brewster - 1.5f * std::sqrt(1 - (1 - brewster * brewster) / 2.25f)) /
                                                          (brewster + 1.5f * std::sqrt(1 - (1 - brewster * brewster) / 2.25f));
    EXPECT_NEAR(fresnel(brewster, 1.5f), 0.5f * s * s, 1e-6);  // one polarisation passes whole
    const Material glass = make_material(DielectricSurface{1.5}, Vec3f(1.f));
    const Vec3f in = normalized(Vec3f(0.8f, 0, -0.6f));
    int reflected = 0;
    for (int i = 0; i < 20000; ++i) {
        RandomStream random({.seed = 1}, std::uint32_t(i));
        const Bounce b = bounce(glass, {0, 0, 1}, 1.5f, in, random);
        if (b.direction.z > 0) {
            ++reflected;
            ASSERT_NEAR(b.direction.x, 0.8, 1e-5);
            continue;
        }
        ASSERT_NEAR(b.direction.x, 0.8 / 1.5, 1e-5);
    }
    EXPECT_NEAR(reflected / 20000.0, double(fresnel(0.6f, 1.5f)), 0.005);
}

TEST(material, glowing_ball_lights_a_floor_in_every_integrator) {
    test::LatticeFrame frame = test::gas(16, [](const Vec3d&) { return 0; });
    frame.surfaces.push_back(test::sphere({0, 0, 0.6}, 0.1, Vec3f(1.f)));
    RenderParams params = test::dark(8, 8);
    params.ground = {.visible = true, .height = 0.0, .color = Vec3f(0.3f)};
    params.materials = {{.body = "ball", .surface = DiffuseSurface{}, .radiance = 20.0}};
    params.camera.position = Curve<Vec3d>(Vec3d(2, 0, 1));
    params.camera.target = Curve<Vec3d>(Vec3d(0.2, 0, 0));
    params.camera.fov = 0.1;
    const RenderScene scene(frame, params);
    const double d2 = 0.6 * 0.6 + 0.2 * 0.2, kept = double(scene.kept_of(*scene.surfaces.hit(scene.camera.ray(4, 4))));
    const double expected = 0.3 * 20 * 0.01 / d2 * 0.6 / std::sqrt(d2) * kept;
    for (const int integrator : {0, 1, 2}) EXPECT_NEAR(mean_of(seen(frame, params, integrator, 512)) / expected, 1, 0.03) << integrator;
    // And is seen itself.
    params.camera.target = Curve<Vec3d>(Vec3d(0, 0, 0.6));
    for (const int integrator : {0, 1, 2}) EXPECT_NEAR(mean_of(seen(frame, params, integrator)), 20, 0.2) << integrator;
    // By temperature it is as bright as the fire's look says.
    params.materials[0].radiance = 0.0;
    params.materials[0].temperature = Curve<double>(1900.0);
    params.fire.adaptation = 1;
    EXPECT_NEAR(mean_of(seen(frame, params, 2)), params.fire.brightness, 0.05 * params.fire.brightness);
}

TEST(material, mirror_shows_what_it_faces) {
    test::LatticeFrame frame = test::gas(16, [](const Vec3d&) { return 0; });
    RenderParams params = test::dark(8, 8);
    params.ground = {.visible = true, .height = 0.0, .color = Vec3f(1.f), .surface = GlossySurface{0}};
    params.sky = {.zenith = Vec3f(0.f), .horizon = {0.f, 1.f, 0.f}, .strength = 3};
    params.camera.position = Curve<Vec3d>(Vec3d(0.3, 0, 0.3));
    params.camera.target = Curve<Vec3d>(Vec3d(0, 0, 0));
    params.camera.fov = 0.2;
    for (const int integrator : {0, 1, 2}) {
        const RenderScene scene(frame, params);
        const double kept = double(scene.kept_of(*scene.surfaces.hit(scene.camera.ray(4, 4))));
        const io::Image image = seen(frame, params, integrator);
        EXPECT_NEAR(image(4, 4).y, 3 * (1 - std::sqrt(std::sqrt(0.5))) * kept, 0.01) << integrator;
    }
}

TEST(material, of_a_body_that_is_not_there_is_an_error_with_the_names_that_are) {
    test::LatticeFrame frame = test::gas(8, [](const Vec3d&) { return 0; });
    frame.surfaces.push_back(test::sphere({0, 0, 0.5}, 0.1));
    RenderParams params = test::dark();
    params.materials = {{.body = "bal"}};
    EXPECT_NE(test::complaint<InputError>([&] { RenderScene(frame, params); }).find("no body 'bal' in frame 1; there are ball"),
              std::string::npos);
}
