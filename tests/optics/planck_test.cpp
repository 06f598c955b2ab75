#include "optics/planck.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>

using namespace phlo::optics;

TEST(planck, brightest_wavelength_follows_wien) {
    for (const double temperature : {900.0, 1800.0, 5772.0, 10000.0}) {
        double best = 0, at = 0;
        for (double wavelength = 100e-9; wavelength < 5e-6; wavelength += 0.1e-9)
            if (const double b = planck(wavelength, temperature); b > best) best = b, at = wavelength;
        EXPECT_NEAR(at * temperature / wien_displacement, 1, 3e-4) << temperature;
    }
}

TEST(planck, all_wavelengths_together_obey_stefan_and_boltzmann) {
    const double infinite = std::numeric_limits<double>::infinity();
    for (const double temperature : {300.0, 1200.0, 2000.0, 20000.0})
        EXPECT_NEAR(band_radiance(0, infinite, temperature) / total_radiance(temperature), 1, 1e-8) << temperature;
    // The table of fractions below lambda T [howell2010, appendix A]: 0.25006 at 2898 um K, 0.06673 at 2000 um K.
    EXPECT_NEAR(band_radiance(0, wien_displacement / 1000, 1000) / total_radiance(1000), 0.25006, 2e-5);
    EXPECT_NEAR(band_radiance(0, 2e-6, 1000) / total_radiance(1000), 0.06673, 1e-5);
}

TEST(planck, band_is_the_integral_of_the_spectrum) {
    for (const double temperature : {800.0, 1900.0, 6500.0, 60000.0})  // the hottest uses the series for small x
        for (const auto& [shortest, longest] : {std::pair{380e-9, 780e-9}, std::pair{0.5e-6, 4e-6}}) {
            constexpr int n = 4000;
            double sum = 0;
            for (int i = 0; i < n; ++i)
                sum += planck(shortest + (longest - shortest) * (i + 0.5) / n, temperature) * (longest - shortest) / n;
            EXPECT_NEAR(band_radiance(shortest, longest, temperature) / sum, 1, 2e-6) << temperature;
        }
    // The two ways to sum meet without a step where they change over.
    const double change = second_radiation_constant / 0.5;
    EXPECT_NEAR(band_radiance(0, change * (1 + 1e-12), 1) / band_radiance(0, change * (1 - 1e-12), 1), 1, 1e-10);
}

TEST(planck, cold_is_dark_and_power_follows_kirchhoff) {
    EXPECT_EQ(planck(500e-9, 0), 0);
    EXPECT_EQ(band_radiance(380e-9, 780e-9, 0), 0);
    EXPECT_NEAR(radiated_power(2, 3), 24 * std::numbers::pi, 1e-12);
}
