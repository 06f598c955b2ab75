#include "optics/black_body.h"

#include <gtest/gtest.h>

#include <cmath>

#include "optics/planck.h"

using namespace phlo;
using namespace phlo::optics;

namespace {

Chromaticity of(const Vec3f& rgb) { return chromaticity(xyz_from_srgb(Vec3d(rgb))); }
double luminance(const Vec3f& rgb) { return xyz_from_srgb(Vec3d(rgb)).y; }

}  // namespace

TEST(black_body, chromaticities_are_those_of_the_published_planckian_locus) {
    // The table of [walker1996], which [paeth1987] has to three digits, too; 2856 K is the CIE's illuminant A, (0.44757, 0.40745) [cie2018].
    const struct {
        double temperature, x, y;
    } published[] = {{1000, 0.6528, 0.3444}, {1500, 0.5857, 0.3931}, {2000, 0.5267, 0.4133}, {2500, 0.4770, 0.4137},
                     {2856, 0.4476, 0.4074}, {3000, 0.4369, 0.4041}, {3500, 0.4053, 0.3907}, {4000, 0.3805, 0.3768},
                     {5000, 0.3451, 0.3516}, {6500, 0.3135, 0.3237}, {10000, 0.2807, 0.2884}};
    for (const auto& row : published) {
        const Chromaticity c = chromaticity(BlackBody::xyz({}, row.temperature));
        EXPECT_NEAR(c.x, row.x, 0.001) << row.temperature;
        EXPECT_NEAR(c.y, row.y, 0.001) << row.temperature;
    }
}

TEST(black_body, table_agrees_with_the_integral) {
    const BlackBodyParams params{.white = 2000, .adaptation = 0};
    const BlackBody table(params);
    const double reference = BlackBody::xyz(params, 2000).y;
    for (const double temperature : {900.0, 1234.0, 1900.0, 2950.0, 6500.0, 15000.0}) {
        const Vec3d xyz = BlackBody::xyz(params, temperature);
        const Vec3f rgb = table(float(temperature));
        EXPECT_NEAR(luminance(rgb) / (xyz.y / reference), 1, 3e-3) << temperature;
        if (temperature < 1950) continue;  // below, sRGB cannot show it
        EXPECT_NEAR(of(rgb).x, chromaticity(xyz).x, 5e-4) << temperature;
        EXPECT_NEAR(of(rgb).y, chromaticity(xyz).y, 5e-4) << temperature;
    }
}

TEST(black_body, hotter_is_brighter_and_bluer_and_never_negative) {
    for (const double adaptation : {0.0, 0.5, 1.0}) {
        const BlackBody light({.white = 1900, .adaptation = adaptation});
        double last = 0, last_ratio = -1;
        for (float temperature = 400; temperature < 12000; temperature *= 1.05f) {
            const Vec3f rgb = light(temperature);
            ASSERT_GE(std::min({rgb.x, rgb.y, rgb.z}), 0);
            EXPECT_GT(luminance(rgb), last);
            const double ratio = double((rgb.z - rgb.x) / (rgb.x + rgb.y + rgb.z));
            const bool shown = temperature > 1050 && temperature < 4500;  // beyond, displays end first
            EXPECT_TRUE(!shown || ratio > last_ratio) << temperature;
            last = luminance(rgb), last_ratio = ratio;
        }
        EXPECT_EQ(light(250), Vec3f());
        EXPECT_TRUE(std::isfinite(light(1e6f).x));
    }
}

TEST(black_body, eye_used_to_a_flame_sees_it_white) {
    const Vec3f rgb = BlackBody({.white = 1900, .adaptation = 1})(1900);
    for (int c = 0; c < 3; ++c) EXPECT_NEAR(rgb[c], 1, 2e-3);
    const Vec3f half = BlackBody({.white = 1900, .adaptation = 0.5})(1900), none = BlackBody({.white = 1900, .adaptation = 0})(1900);
    EXPECT_GT(half.x, half.y);
    EXPECT_GT(half.y, half.z);
    EXPECT_GT(none.x / none.z, half.x / half.z);
    EXPECT_NEAR(luminance(half), 1, 2e-3);
}

TEST(black_body, contrast_is_a_power_of_luminance) {
    const BlackBody whole({.white = 1800, .adaptation = 0.4}), half({.white = 1800, .adaptation = 0.4, .contrast = 0.5});
    for (const float temperature : {1000.f, 1500.f, 2500.f}) {
        EXPECT_NEAR(luminance(half(temperature)) / std::sqrt(luminance(whole(temperature))), 1, 1e-3);
        EXPECT_NEAR(of(half(temperature)).x, of(whole(temperature)).x, 1e-5);
    }
}

TEST(black_body, band_and_soot_shift_the_colour) {
    const BlackBody black({.white = 2000, .adaptation = 0});
    const BlackBody soot({.white = 2000, .adaptation = 0, .emissivity_slope = 1});
    EXPECT_GT(soot(2500).z / soot(2500).x, black(2500).z / black(2500).x);  // soot emits better at short wavelengths
    const BlackBody red({.white = 2000, .adaptation = 0, .shortest = 600e-9});
    EXPECT_LT(red(2500).y / red(2500).x, 0.3f * black(2500).y / black(2500).x);
}

TEST(observer, equal_energy_is_at_one_third_and_y_peaks_at_555_nm) {
    const Chromaticity c = chromaticity(xyz_from_spectrum([](double) { return 1; }));
    EXPECT_NEAR(c.x, 1.0 / 3, 2e-4);
    EXPECT_NEAR(c.y, 1.0 / 3, 2e-4);
    EXPECT_NEAR(observer(555e-9).y, 1, 1e-6);
    EXPECT_NEAR(xyz_from_spectrum([](double) { return 1; }).y, 106.857e-9, 0.01e-9);
    EXPECT_EQ(observer(300e-9), Vec3d());
    EXPECT_EQ(observer(900e-9), Vec3d());
}

TEST(observer, srgb_and_adaptation_are_reversible_and_map_white_to_white) {
    const Vec3d color(0.2, 0.5, 0.7);
    EXPECT_LT(length(srgb_from_xyz(xyz_from_srgb(color)) - color), 1e-6);
    EXPECT_LT(length(srgb_from_xyz(d65_white) - Vec3d(1)), 1e-4);
    const Vec3d flame = xyz_from_chromaticity({0.5267, 0.4133});
    EXPECT_LT(length(adapted(flame, flame, d65_white, 1) - d65_white), 1e-5);
    EXPECT_LT(length(adapted(adapted(color, flame, d65_white, 1), d65_white, flame, 1) - color), 1e-5);
    EXPECT_LT(length(adapted(color, flame, d65_white, 0) - color), 1e-6);
}

TEST(observer, colours_outside_the_display_keep_their_luminance) {
    const Vec3d outside(1.2, 0.3, -0.2), inside = in_gamut(outside);
    EXPECT_NEAR(inside.z, 0, 1e-12);
    EXPECT_NEAR(xyz_from_srgb(inside).y, xyz_from_srgb(outside).y, 1e-7);
    EXPECT_EQ(in_gamut({0.1, 0.2, 0.3}), Vec3d(0.1, 0.2, 0.3));
}
