// Soot: particles much smaller than a wavelength, so they absorb as 1/wavelength and scatter almost nothing [bohren1983, ch. 5].
//
//   double kappa = soot_absorption(1e-6, 570e-9);        // one millionth of the volume is soot: 8.6 1/m in green light
//
// By Kirchhoff it emits kappa(wavelength) times Planck's law: BlackBodyParams{.emissivity_slope = 1}.
#pragma once
#include <numbers>

namespace phlo::optics {

/// Complex refractive index n - i k of soot in visible light [dalzell1969].
struct SootIndex {
    double n = 1.57, k = 0.56;
};

/// Absorption coefficient [1/m] of a cloud that fills `volume_fraction` of space with soot, at a wavelength [m].
constexpr double soot_absorption(double volume_fraction, double wavelength, SootIndex m = {}) {
    const double a = m.n * m.n - m.k * m.k + 2, b = 2 * m.n * m.k;
    // -Im((m^2 - 1) / (m^2 + 2)) = 6 n k / |m^2 + 2|^2
    return 6 * std::numbers::pi * volume_fraction / wavelength * (6 * m.n * m.k / (a * a + b * b));
}

}  // namespace phlo::optics
