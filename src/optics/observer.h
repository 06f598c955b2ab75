// What an eye sees of a spectrum: the CIE 1931 standard observer (2 degrees) [cie2018], and the way to linear sRGB.
//
//   Vec3d xyz = xyz_from_spectrum([](double wavelength) { return planck(wavelength, 5000); });
//   Chromaticity c = chromaticity(xyz);                       // (0.3451, 0.3516)
//   Vec3d rgb = srgb_from_xyz(xyz);                           // linear; may be negative outside the display's gamut
//   Vec3d seen = adapted(xyz, white_of_flame, d65_white, 0.7);  // as an eye sees it that has got used to another white
#pragma once
#include <functional>

#include "base/vec.h"

namespace phlo::optics {

inline constexpr double shortest_visible = 380e-9, longest_visible = 780e-9;  ///< [m]; the observer sees nothing beyond

/// The three colour-matching functions at a wavelength [m], linear between the CIE's values every 5 nm.
Vec3d observer(double wavelength);

/// Integral of spectrum times observer over the wavelengths between the two; without the factor 683 lm/W.
Vec3d xyz_from_spectrum(const std::function<double(double)>& spectrum, double shortest = shortest_visible,
                        double longest = longest_visible);

struct Chromaticity {
    double x = 0, y = 0;
};
Chromaticity chromaticity(const Vec3d& xyz);
/// The colour of this chromaticity whose Y is 1.
Vec3d xyz_from_chromaticity(const Chromaticity& c);

inline constexpr Vec3d d65_white{0.95047, 1.0, 1.08883};  ///< the white of sRGB

/// Linear sRGB [iec61966], and back.
Vec3d srgb_from_xyz(const Vec3d& xyz);
Vec3d xyz_from_srgb(const Vec3d& rgb);

/// Chromatic adaptation after Bradford [lam1985]: how a colour seen by an eye used to `white` looks to one used to `display`.
/// `degree` 0: no adaptation; 1: `white` becomes `display`. Y of the whites does not matter.
Vec3d adapted(const Vec3d& xyz, const Vec3d& white, const Vec3d& display, double degree);

/// The nearest colour of the same luminance that a display can show: mixed with grey until no channel is negative.
Vec3d in_gamut(const Vec3d& rgb);

}  // namespace phlo::optics
