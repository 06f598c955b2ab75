// How a black body shines, by wavelength and temperature [planck1901].
//
//   double b = planck(570e-9, 1800);                        // [W/(m^2 sr m)]
//   double seen = band_radiance(380e-9, 780e-9, 1800);      // [W/(m^2 sr)], the part of it that eyes can see
//   double all = total_radiance(1800);                      // Stefan and Boltzmann: sigma T^4 / pi
#pragma once

namespace phlo::optics {

inline constexpr double planck_constant = 6.62607015e-34;  ///< h [J s]
inline constexpr double light_speed = 299792458.0;  ///< c [m/s]
inline constexpr double boltzmann_constant = 1.380649e-23;  ///< k [J/K]
inline constexpr double second_radiation_constant = planck_constant * light_speed / boltzmann_constant;  ///< hc/k [m K]
inline constexpr double stefan_boltzmann = 5.670374419e-8;  ///< [W/(m^2 K^4)]
inline constexpr double wien_displacement = 2.897771955e-3;  ///< wavelength of the peak times temperature [m K]

/// Spectral radiance at a wavelength [m] and temperature [K]; 0 at 0 K.
double planck(double wavelength, double temperature);

/// Its integral between two wavelengths, to round-off; `longest` may be infinite.
double band_radiance(double shortest, double longest, double temperature);

/// Its integral over all wavelengths.
double total_radiance(double temperature);

/// Power that a small absorbing volume radiates in all directions: 4 pi kappa L by Kirchhoff [W/m^3]; kappa [1/m].
double radiated_power(double absorption, double radiance);

}  // namespace phlo::optics
