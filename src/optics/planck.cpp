#include "optics/planck.h"

#include <cmath>
#include <numbers>

namespace phlo::optics {
namespace {

/// Integral of x^3 / (e^x - 1) from x to infinity, x = hc / (lambda k T); pi^4 / 15 from 0.
double planck_tail(double x) {
    constexpr double whole = std::numbers::pi * std::numbers::pi * std::numbers::pi * std::numbers::pi / 15;
    if (!(x > 0)) return whole;
    if (x < 0.5) {
        // From below, by the series of x / (e^x - 1) with Bernoulli numbers: what is left out is below 1e-16.
        constexpr double c[] = {1.0 / 60, -1.0 / 5040, 1.0 / 272160, -1.0 / 13305600, 1.0 / 622702080, -691.0 / 19615115520000.0};
        const double y = x * x;
        double even = 0;
        for (int n = 5; n >= 0; --n) even = (even + c[n]) * y;
        return whole - x * y * (1.0 / 3 - x / 8 + even);
    }
    double sum = 0;
    for (int n = 1; n <= 100; ++n) {
        const double a = 1.0 / n, term = std::exp(-n * x) * a * (x * x * x + a * (3 * x * x + a * (6 * x + a * 6)));
        sum += term;
        if (term < 1e-17 * sum) break;
    }
    return sum;
}

}  // namespace

double planck(double wavelength, double temperature) {
    if (!(temperature > 0)) return 0;
    const double x = second_radiation_constant / (wavelength * temperature);
    const double c1 = 2 * planck_constant * light_speed * light_speed;
    return c1 / (std::pow(wavelength, 5) * std::expm1(x));
}

double band_radiance(double shortest, double longest, double temperature) {
    if (!(temperature > 0)) return 0;
    // In x = hc / (lambda k T) the radiance is 2 k^4 T^4 / (h^3 c^2) x^3 / (e^x - 1).
    const double scale = 2 * std::pow(boltzmann_constant * temperature, 4) / (std::pow(planck_constant, 3) * light_speed * light_speed);
    const double from_shortest = shortest > 0 ? planck_tail(second_radiation_constant / (shortest * temperature)) : 0;
    const double from_longest = std::isfinite(longest) ? planck_tail(second_radiation_constant / (longest * temperature)) : planck_tail(0);
    return scale * (from_longest - from_shortest);
}

double total_radiance(double temperature) { return stefan_boltzmann * std::pow(temperature, 4) / std::numbers::pi; }

double radiated_power(double absorption, double radiance) { return 4 * std::numbers::pi * absorption * radiance; }

}  // namespace phlo::optics
