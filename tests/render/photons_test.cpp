#include "render/photons/photon_render.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include "base/parallel.h"
#include "fixture.h"
#include "render/film/film.h"
#include "render/path.h"
#include "scratch_dir.h"

using namespace phlo;
using namespace phlo::render;

namespace {

void add_temperature(test::LatticeFrame& frame, const std::function<double(const Vec3d&)>& temperature) {
    const Vec3i n = frame.domain.cells;
    auto grid = std::make_shared<field::Grid>(field::Layout(n));
    for (int k = 0; k < n.z; ++k)
        for (int j = 0; j < n.y; ++j)
            for (int i = 0; i < n.x; ++i) (*grid)(i, j, k) = float(temperature(frame.domain.cell_center(i, j, k)));
    frame.add({.name = "temperature", .unit = "K", .background = 300, .grid = grid});
}

double smooth_ball(const Vec3d& p, const Vec3d& center, double radius) {
    const double x = length(p - center) / radius;
    return x < 1 ? (1 - x * x) * (1 - x * x) : 0;
}

io::Image blurred(const io::Image& image, int radius) {
    io::Image result(image.width, image.height);
    for (int y = 0; y < image.height; ++y)
        for (int x = 0; x < image.width; ++x) {
            Vec3f sum;
            int count = 0;
            for (int b = std::max(0, y - radius); b <= std::min(image.height - 1, y + radius); ++b)
                for (int a = std::max(0, x - radius); a <= std::min(image.width - 1, x + radius); ++a) sum += image(a, b), ++count;
            result(x, y) = sum / float(count);
        }
    return result;
}

/// Both over the mean of the reference.
struct Difference {
    double mean = 0;
    double rms = 0;  ///< after a blur over 5 x 5 pixels
};
Difference difference(const io::Image& image, const io::Image& reference) {
    const io::Image a = blurred(image, 2), b = blurred(reference, 2);
    double sum = 0, mean = 0, squares = 0;
    for (std::size_t n = 0; n < a.pixels.size(); ++n)
        for (int c = 0; c < 3; ++c) {
            sum += double(reference.pixels[n][c]), mean += double(image.pixels[n][c] - reference.pixels[n][c]);
            squares += std::pow(double(a.pixels[n][c] - b.pixels[n][c]), 2);
        }
    const double count = 3 * double(a.pixels.size());
    return {mean / sum, std::sqrt(squares / count) / (sum / count)};
}

/// A small fire under thick smoke, a ball and a floor, at night.
test::LatticeFrame campfire(int n = 64) {
    test::LatticeFrame frame = test::gas(n, [](const Vec3d& p) { return smooth_ball(p, {0.05, 0, 0.6}, 0.35); });
    add_temperature(frame, [](const Vec3d& p) { return 300 + 1600 * smooth_ball(p, {0, 0, 0.3}, 0.2); });
    frame.surfaces.push_back(test::sphere({-0.3, -0.25, 0.12}, 0.12));
    return frame;
}

RenderParams night() {
    const char* larger = std::getenv("PHLO_SCALE");  // pictures to look at
    const int scale = larger ? std::atoi(larger) : 1;
    RenderParams params = test::dark(48 * scale, 40 * scale);
    params.ground.visible = true;
    params.ground.color = Vec3f(0.3f);
    params.camera.position = Curve<Vec3d>(Vec3d(0.9, -2.2, 0.8));
    params.camera.target = Curve<Vec3d>(Vec3d(0, 0, 0.4));
    params.camera.fov = 30.0;
    return params;
}

/// The path tracer's pictures are noisy themselves. Two of them with other seeds tell how much: what is left of the rms difference
/// without it is the difference of the methods.
void compare(const field::Frame& frame, const RenderParams& params, int path_samples, bool filtered = true) {
    const RenderScene scene(frame, params);
    if (const char* more = std::getenv("PHLO_SAMPLES")) path_samples = std::atoi(more);
    const io::Image one = render_path(scene, {.samples = path_samples / 2, .seed = 1});
    const io::Image two = render_path(scene, {.samples = path_samples / 2, .seed = 2});
    io::Image reference(one.width, one.height);
    for (std::size_t n = 0; n < one.pixels.size(); ++n) reference.pixels[n] = (one.pixels[n] + two.pixels[n]) * 0.5f;
    PhotonRenderSettings settings = photon_settings(Quality::good);
    if (!filtered) settings.denoise = false, settings.samples = 64, settings.shaded = 64;
    const io::Image image = render_photons(scene, settings);
    const Difference d = difference(image, reference);
    const double noise = difference(one, two).rms / 2, rms = std::sqrt(std::max(0.0, d.rms * d.rms - noise * noise));
    EXPECT_LT(std::fabs(d.mean), 0.02);
    EXPECT_LT(rms, 0.05);
    EXPECT_LT(noise, 0.08);
    if (const char* folder = std::getenv("PHLO_PICTURES")) {  // to look at: photons, path, their difference around grey
        const auto name = [&](const char* what) {
            return std::filesystem::path(folder) / (std::string(testing::UnitTest::GetInstance()->current_test_info()->name()) + what);
        };
        io::Image between(image.width, image.height);
        for (std::size_t n = 0; n < image.pixels.size(); ++n) between.pixels[n] = Vec3f(0.2f) + (image.pixels[n] - reference.pixels[n]);
        io::write_png(name("-photons.png"), develop(image, {}), {});
        io::write_png(name("-path.png"), develop(reference, {}), {});
        io::write_png(name("-difference.png"), develop(between, {}), {});
        std::printf("mean %.4f rms %.4f, the path tracer's noise %.4f\n", d.mean, rms, noise);
    }
}

}  // namespace

TEST(photons, fire_at_night_agrees_with_the_path_tracer) { compare(campfire(), night(), 3072); }

TEST(photons, smoke_in_sun_and_sky_agrees_with_the_path_tracer) {
    test::LatticeFrame frame = test::gas(64, [](const Vec3d& p) { return smooth_ball(p, {0, 0, 0.5}, 0.45); });
    frame.surfaces.push_back(test::sphere({-0.3, -0.25, 0.12}, 0.12));
    RenderParams params = night();
    params.sun = {};
    params.sky = {};
    params.smoke.extinction = 20;
    params.ground.color = {0.05f, 0.05f, 0.05f};
    params.background = {0.05f, 0.06f, 0.07f};
    compare(frame, params, 256);
}

TEST(photons, burning_smoke_alone_agrees_with_the_path_tracer) {
    test::LatticeFrame frame = test::gas(64, [](const Vec3d& p) { return smooth_ball(p, {0, 0, 0.5}, 0.5); });
    add_temperature(frame, [](const Vec3d& p) { return 300 + 1700 * smooth_ball(p, {0.1, 0, 0.5}, 0.25); });
    RenderParams params = night();
    params.ground.visible = false;
    params.smoke = {.color = {0.9f, 0.8f, 0.6f}, .extinction = 15, .anisotropy = 0.5};
    compare(frame, params, 3072);
}

TEST(photons, lamps_and_a_map_of_the_sky_agree_with_the_path_tracer) {
    const test::ScratchDir dir;
    io::Image sky(32, 16);
    for (int y = 0; y < 8; ++y)
        for (int x = 0; x < 32; ++x) sky(x, y) = Vec3f(0.1f, 0.15f, 0.3f);
    for (int y = 4; y < 6; ++y)
        for (int x = 14; x < 17; ++x) sky(x, y) = Vec3f(15, 12, 8);
    io::write_exr(dir.path / "sky.exr", sky);
    test::LatticeFrame frame = test::gas(48, [](const Vec3d& p) { return smooth_ball(p, {0, 0, 0.5}, 0.45); });
    frame.surfaces.push_back(test::sphere({-0.3, -0.25, 0.12}, 0.12));
    RenderParams params = night();
    params.sky = {.strength = 1, .map = (dir.path / "sky.exr").string(), .visible = true};
    params.smoke.extinction = 12;
    params.lights.push_back(
        {.shape = PointShape{}, .position = Curve<Vec3d>(Vec3d(0.5, -0.5, 0.9)), .color = {1, 0.4f, 0.2f}, .strength = 0.6});
    params.lights.push_back({.shape = RectangleShape{0.5, 0.3},
                             .position = Curve<Vec3d>(Vec3d(-0.8, 0, 0.8)),
                             .target = Curve<Vec3d>(Vec3d(0, 0, 0.3)),
                             .color = {0.3f, 0.5f, 1},
                             .strength = 1.0,
                             .visible = true});
    compare(frame, params, 512);
}

TEST(photons, metal_glass_and_glowing_bodies_agree_with_the_path_tracer) {
    test::LatticeFrame frame = test::gas(48, [](const Vec3d& p) { return smooth_ball(p, {0, 0.1, 0.6}, 0.4); });
    const Vec3d places[] = {{-0.35, -0.3, 0.15}, {0.0, -0.35, 0.12}, {0.3, -0.2, 0.12}, {0.15, 0.1, 0.1}};
    const char* names[] = {"metal", "glass", "coal", "brass"};
    for (int n = 0; n < 4; ++n) {
        frame.surfaces.push_back(test::sphere(places[n], places[n].z, {0.8f, 0.6f, 0.3f}));
        frame.surfaces.back().name = names[n];
    }
    RenderParams params = night();
    params.sky = {.strength = 0.3};
    params.sun = {.strength = 1, .size = 10};
    params.materials = {{.body = "metal", .surface = GlossySurface{0.2}},
                        {.body = "glass", .surface = DielectricSurface{1.5}},
                        {.body = "coal", .surface = DiffuseSurface{}, .radiance = 3.0},
                        {.body = "brass", .surface = GlossySurface{0.6}}};
    compare(frame, params, 1024, false);  // the filter would soften the bright rim under the glowing ball, by 8 %
}

TEST(photons, light_emitted_is_absorbed_or_escapes) {
    RenderParams params = night();
    params.sun.strength = 2, params.sky.strength = 0.3;
    const RenderScene scene(campfire(), params);
    PhotonLedger ledger;
    PhotonRenderSettings settings{.samples = 1, .map = {.photons = 200'000, .cells = 32}};
    render_photons(scene, settings, nullptr, &ledger);
    for (int c = 0; c < 3; ++c) {
        const double ends = ledger.absorbed_by_gas[c] + ledger.absorbed_by_surfaces[c] + ledger.escaped[c];
        EXPECT_NEAR((ends + ledger.roulette[c]) / ledger.emitted[c], 1, 1e-5);
        EXPECT_NEAR(ends / ledger.emitted[c], 1, 1e-3);
        EXPECT_GT(ledger.absorbed_by_gas[c], 0.01 * ledger.emitted[c]);
        EXPECT_GT(ledger.absorbed_by_surfaces[c], 0.1 * ledger.emitted[c]);
    }
}

TEST(photons, furnace_radiance_is_one) {
    RenderParams params = test::dark(24, 24);
    params.sky = {.zenith = Vec3f(1.f), .horizon = Vec3f(1.f), .strength = 1};
    params.background = Vec3f(1.f);
    params.smoke = {.color = Vec3f(1.f), .extinction = 12, .anisotropy = 0};
    const test::LatticeFrame frame = test::gas(24, [](const Vec3d& p) { return smooth_ball(p, {0, 0, 0.5}, 0.45); });
    const RenderScene scene(frame, params);
    const io::Image image = render_photons(scene, {.samples = 4, .map = {.photons = 400'000, .cells = 24}});
    double sum = 0;
    for (const Vec3f& pixel : image.pixels) {
        ASSERT_NEAR(pixel.x, 1, 0.08);
        sum += double(pixel.x);
    }
    EXPECT_NEAR(sum / double(image.pixels.size()), 1, 0.005);
}

TEST(photons, number_of_threads_changes_no_bit) {
    RenderParams params = night();
    params.width = 32, params.height = 24;
    params.sun.strength = 2, params.sky.strength = 0.3;
    const RenderScene scene(campfire(24), params);
    const PhotonRenderSettings settings{.samples = 2, .map = {.photons = 20'000, .cells = 24}};
    const io::Image all = render_photons(scene, settings);
    const ThreadLimit limit(1);
    EXPECT_EQ(render_photons(scene, settings).pixels, all.pixels);
}
