// How brightly a particle burns: the composition Y, its brushes, its decay and the flicker [adabala2004, eqs. 6 to 8].
//
//   symbol  meaning                                                       key
//   eta     flame brushes to a unit of x1                                 brushes
//   lambda  overlap of neighbouring brushes                               overlap
//   chi     part of Y left after a tick of 1/60 s                         decay
//   theta   mean of Y at which the fire goes out and starts anew          extinction
//
//   Y0 = exp(-((xi - floor(xi)) - 1/2)^2 / lambda),   xi = eta x1         when a cycle begins
//   Y <- (chi + rd)^(60 dt) Y,   rd uniform in [0, 0.01 chi],   Y <= 1    in a step of dt; the paper's step is one tick long
//
//   const double period = flicker_period(chi, lambda, theta);             // 1.45 s for 0.97, 1, 0.1
#pragma once

namespace phlo::models {

constexpr double ticks_per_second = 60;      ///< the paper's time steps
constexpr double dark_composition = 0.03;    ///< below it a particle no longer shines

double brush_composition(double xi, double lambda);
/// The mean of Y0 over whole brushes: sqrt(pi lambda) erf(1 / (2 sqrt(lambda))).
double mean_brush_composition(double lambda);

/// 1.005 chi, at most 1: what is left of the mean of Y after a tick. From chi = 0.995 on Y would grow, and is held.
double mean_tick_factor(double chi);

/// From the start of a cycle until the mean of Y is `level` [s]; infinite if it never falls so low.
double seconds_until(double level, double chi, double lambda);
/// ln(mean Y0 / theta) / (60 |ln 1.005 chi|) [s].
inline double flicker_period(double chi, double lambda, double theta) { return seconds_until(theta, chi, lambda); }

/// A pool fire puffs 1.5 / sqrt(D) times a second, D its width in metres [cetegen1993]: the theta that makes the cycle so long.
double natural_extinction(double width, double chi, double lambda);

}  // namespace phlo::models
