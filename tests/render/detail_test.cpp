#include "render/volumes/detail.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <numbers>

#include "base/parallel.h"
#include "fixture.h"
#include "render/frame_render.h"

using namespace phlo;
using namespace phlo::render;

namespace {

constexpr int n = 32;
constexpr double h = 1.0 / n;

/// A cube of gas in a wind along x, with eddies of four cells that go with the wind.
struct Windy {
    double wind = 0, eddies = 1;  ///< [m/s]
    double time = 0;  ///< [s]
    std::function<double(const Vec3d&)> density = [](const Vec3d&) { return 1.0; };  ///< of gas where it was at time 0
};

test::LatticeFrame frame_of(const Windy& windy) {
    const Vec3d gone(windy.wind * windy.time, 0, 0);
    test::LatticeFrame frame = test::gas(n, [&](const Vec3d& p) { return windy.density(p - gone); });
    frame.time = windy.time;
    auto faces = std::make_shared<field::MacGrid>(field::Layout(frame.domain.cells));
    const double k = 2 * std::numbers::pi / (4 * h);
    for (int axis = 0; axis < 3; ++axis)
        for (int z = 0; z <= n; ++z)
            for (int y = 0; y <= n; ++y)
                for (int x = 0; x <= n; ++x) {
                    const Vec3d p = frame.domain.face_center(axis, x, y, z) - gone;
                    // Of Arnold, Beltrami and Childress: steady, and without divergence.
                    const Vec3d v(std::sin(k * p.z) + std::cos(k * p.y), std::sin(k * p.x) + std::cos(k * p.z),
                                  std::sin(k * p.y) + std::cos(k * p.x));
                    (*faces)[axis](x, y, z) = float(windy.eddies * v[axis] + (axis == 0 ? windy.wind : 0));
                }
    frame.add(faces);
    return frame;
}

RenderParams lively() {
    RenderParams look = test::dark(64, 48);
    look.smoke.extinction = 10;
    look.detail.strength = 1;
    return look;
}

OpticalVolume detailed(const test::LatticeFrame& frame, const RenderParams& look) {
    OpticalVolume volume = make_volume(frame, look);
    add_detail(volume, frame, look.detail);
    return volume;
}

double blob(const Vec3d& p) {
    const double r = length(p - Vec3d(0, 0, 0.5)) / 0.3;
    return r < 1 ? (1 - r * r) * (1 - r * r) : 0;
}

double gas_in(const OpticalVolume& volume) { return field::sum(volume.extinction) * std::pow(volume.domain.h, 3); }

double light_of(const io::Image& image) {
    double sum = 0;
    for (const Vec3f& pixel : image.pixels) sum += double(pixel.x + pixel.y + pixel.z);
    return sum;
}

/// What detail has changed, at points of a lattice of its own around (0, 0, 0.5) + `shift`.
std::vector<double> changes(const Windy& windy, RenderParams look, double shift) {
    const test::LatticeFrame frame = frame_of(windy);
    const OpticalVolume with = detailed(frame, look);
    look.detail.strength = 1e-9;  // refined as well, and not displaced
    const OpticalVolume without = detailed(frame, look);
    std::vector<double> result;
    for (int k = -10; k <= 10; ++k)
        for (int j = -10; j <= 10; ++j)
            for (int i = -10; i <= 10; ++i) {
                const Vec3f p(float(i * 0.7 * h + shift), float(j * 0.7 * h), float(0.5 + k * 0.7 * h));
                result.push_back(double(with.extinction_at(p) - without.extinction_at(p)));
            }
    return result;
}

double correlation(const std::vector<double>& a, const std::vector<double>& b) {
    double ab = 0, aa = 0, bb = 0;
    for (std::size_t i = 0; i < a.size(); ++i) ab += a[i] * b[i], aa += a[i] * a[i], bb += b[i] * b[i];
    return ab / std::sqrt(aa * bb);
}

}  // namespace

TEST(detail, is_off_unless_it_is_asked_for_to_the_bit) {
    RenderParams look;
    look.width = 64, look.height = 48;
    test::LatticeFrame moving = frame_of({.density = blob}), still = moving;
    still.velocity.reset();
    const io::Image a = render_frame(moving, look, Quality::draft), b = render_frame(still, look, Quality::draft);
    EXPECT_EQ(std::memcmp(a.pixels.data(), b.pixels.data(), a.pixels.size() * sizeof(Vec3f)), 0);
    look.detail.strength = 1;
    const io::Image c = render_frame(moving, look, Quality::draft), d = render_frame(still, look, Quality::draft);
    EXPECT_NE(std::memcmp(a.pixels.data(), c.pixels.data(), a.pixels.size() * sizeof(Vec3f)), 0);
    EXPECT_EQ(std::memcmp(a.pixels.data(), d.pixels.data(), a.pixels.size() * sizeof(Vec3f)), 0) << "no velocity, no detail";
}

TEST(detail, gas_at_rest_and_gas_in_even_motion_have_none) {
    for (const double wind : {0.0, 3.0}) {
        const test::LatticeFrame frame = frame_of({.wind = wind, .eddies = 0, .density = blob});
        const OpticalVolume plain = make_volume(frame, lively()), fine = detailed(frame, lively());
        ASSERT_NEAR(fine.domain.h, h / 2, 1e-12);
        for (int k = 0; k < fine.domain.cells.z; ++k)
            for (int j = 0; j < fine.domain.cells.y; ++j)
                for (int i = 0; i < fine.domain.cells.x; ++i)
                    ASSERT_NEAR(fine.extinction(i, j, k), plain.extinction_at(Vec3f(fine.domain.cell_center(i, j, k))), 1e-4)
                        << i << ' ' << j << ' ' << k;
    }
}

/// In gas whose density rises by 1 a metre along x, what changes is the displacement itself. Of eddies of four cells the frame's smoothing
/// takes a half, so that u' is half of their speed, 3^(1/2) / 2 for each m/s of `eddies`, and q is 2^(-5/6) of that. A longer way is as
/// long, but it is bent.
TEST(detail, lively_gas_is_displaced_as_far_as_was_asked_for) {
    const double limit = 0.25 * 2 * h;
    for (const auto& [strength, way, part] : {std::array{1.0, 0.1 * limit, 0.0},
                                              {4.0, 0.1 * limit, 0.5},
                                              {1.0, 0.1 * limit, 0.33},
                                              {0.5, limit, 0.0},
                                              {0.25, 50 * limit, 0.0}}) {
        RenderParams look = lively();
        look.smoke.extinction = 1;
        look.detail.strength = strength;
        // When a pattern is as it was drawn (0, 0.5), gas may go any way; in between, patterns that go a tenth of a cell are hardly bent.
        const double time = (7 + part) * look.detail.period, q = way / look.detail.period;
        const test::LatticeFrame frame = frame_of(
            {.eddies = q * std::exp2(5.0 / 6) * 2 / std::sqrt(3.0), .time = time, .density = [](const Vec3d& p) { return 2 + p.x; }});
        const OpticalVolume fine = detailed(frame, look);
        double squares = 0;
        int count = 0;
        for (int k = 12; k < 52; ++k)
            for (int j = 12; j < 52; ++j)
                for (int i = 12; i < 52; ++i, ++count)
                    squares += std::pow(double(fine.extinction(i, j, k)) - 2 - fine.domain.cell_center(i, j, k).x, 2);
        EXPECT_NEAR(std::sqrt(3 * squares / count) / (strength * limit * way / (limit + way)), 1, 0.1)
            << strength << ", " << way / limit << ", " << part;
    }
}

TEST(detail, no_gas_is_made_or_lost) {
    for (const auto& density : std::vector<std::function<double(const Vec3d&)>>{blob, [](const Vec3d& p) { return p.z < 0.3 ? 1.0 : 0.0; }})
        for (const double strength : {1.0, 2.0}) {
            const test::LatticeFrame frame = frame_of({.eddies = 2, .time = 0.1, .density = density});
            RenderParams look = lively();
            look.detail.strength = strength;
            const OpticalVolume fine = detailed(frame, look);
            EXPECT_NEAR(gas_in(fine) / gas_in(make_volume(frame, look)), 1, 0.01) << strength;
            EXPECT_GE(*std::ranges::min_element(fine.extinction.storage()), 0);
        }
}

TEST(detail, picture_keeps_its_light_in_every_quality) {
    RenderParams look = lively();
    look.sun.strength = 3, look.sky.strength = 0.5;
    const test::LatticeFrame frame = frame_of({.eddies = 2, .time = 0.1, .density = blob});
    RenderParams plain = look;
    plain.detail.strength = 0;
    for (const Quality quality : {Quality::draft, Quality::good})
        EXPECT_NEAR(light_of(render_frame(frame, look, quality)) / light_of(render_frame(frame, plain, quality)), 1, 0.03) << int(quality);
}

/// From one frame to the next the wind carries gas and eddies by 1.7 cells; then all detail must be found 1.7 cells farther.
TEST(detail, swirls_go_with_the_gas_from_frame_to_frame) {
    RenderParams look = lively();
    const double wind = 1.7 * h * 24;
    for (const double start : {0.02, 0.11}) {
        const Windy now{.wind = wind, .eddies = 0.1, .time = start, .density = [](const Vec3d& p) {
                            return 2 + std::sin(20 * p.x) * std::cos(15 * p.y + 9 * p.z);
                        }};
        Windy next = now;
        next.time += 1.0 / 24;
        const std::vector<double> a = changes(now, look, wind * now.time), b = changes(next, look, wind * next.time),
                                  fixed = changes(next, look, wind * now.time);
        EXPECT_GT(correlation(a, b), 0.75) << start;
        EXPECT_LT(correlation(a, fixed), 0.45) << "stays where it is instead";
        next.time = now.time + look.detail.period;
        EXPECT_LT(std::fabs(correlation(a, changes(next, look, wind * next.time))), 0.2) << "others after a period";
    }
}

TEST(detail, changes_little_in_a_short_time_whenever_that_is) {
    const RenderParams look = lively();
    for (const double part : {0.0, 0.2, 0.5, 0.8}) {  // lives end at 0 and at 0.5
        const double time = look.detail.period * (part + 4);
        Windy windy{.eddies = 0.1, .time = time - 1e-4, .density = [](const Vec3d& p) { return 2 + std::sin(20 * p.x); }};
        const std::vector<double> before = changes(windy, look, 0);
        windy.time = time + 1e-4;
        EXPECT_GT(correlation(before, changes(windy, look, 0)), 0.99) << part;
    }
}

TEST(detail, is_the_same_for_any_number_of_threads) {
    const test::LatticeFrame frame = frame_of({.eddies = 2, .time = 0.1, .density = blob});
    const auto with = [&](int threads) {
        ThreadLimit limit(threads);
        return detailed(frame, lively());
    };
    const OpticalVolume one = with(1), many = with(7);
    ASSERT_EQ(one.extinction.storage().size(), many.extinction.storage().size());
    EXPECT_EQ(std::memcmp(one.extinction.storage().data(), many.extinction.storage().data(), one.extinction.storage().size_bytes()), 0);
}
