// Steps of the stochastic Lagrangian model of turbulence [pope2000, ch. 12] that are exact in distribution for any dt, many particles at a time.
//
//   symbol    meaning                                               unit
//   U, <U>    velocity of a particle, mean of those around it       m/s
//   omega     turbulent frequency, <omega> its local mean           1/s
//   k         turbulent kinetic energy around it                    m^2/s^2
//   C0, C3    2.1 and 1; sigma^2 = 1/4                              1
//
//   dU     = -3/4 C0 <omega> (U - <U>) dt + sqrt(C0 k <omega>) dW                              [adabala2004, eq. 4]
//   domega = -(omega - <omega>) C3 <omega> dt + sqrt(2 sigma^2 <omega> omega C3 <omega>) dW*   [adabala2004, eq. 5]
//
// The paper's print lost a minus sign and a bracket in the first, dt in the second. With the means held for a step, U is an Ornstein-Uhlenbeck
// process around <U> whose stationary variance is 2k/3 in each component, and omega is a square-root process: after dt it is <omega> (1 - e)/8,
// e = exp(-C3 <omega> dt), times a non-central chi-squared number with 2/sigma^2 = 8 degrees of freedom. So k and <omega> do not drift, omega is never
// negative and, in the long run, gamma-distributed with shape 4.
//
//   draw_normals(key, id, noise);
//   step_velocity(dt, {.mean = mean, .k = k, .omega = mean_omega, .normal = noise}, velocity);
//   step_frequency(dt, key, id, mean_omega, omega);
//   step_composition(dt, key, id, chi, composition);
#pragma once
#include <cstdint>
#include <span>

#include "base/random.h"

namespace phlo::models {

constexpr double langevin_c0 = 2.1;
constexpr double frequency_c3 = 1;

struct Columns3 {
    std::span<float> x, y, z;
};
struct ConstColumns3 {
    std::span<const float> x, y, z;
    ConstColumns3(std::span<const float> a, std::span<const float> b, std::span<const float> c) : x(a), y(b), z(c) {}
    ConstColumns3(const Columns3& c) : x(c.x), y(c.y), z(c.z) {}
};

/// Three independent standard normal numbers for each particle.
void draw_normals(const RandomKey& key, std::span<const std::uint32_t> id, const Columns3& normal);

struct VelocityStep {
    ConstColumns3 mean;                     ///< <U> [m/s]
    std::span<const float> k, omega;        ///< [m^2/s^2], <omega> [1/s]
    ConstColumns3 normal;
};
void step_velocity(double dt, const VelocityStep& step, const Columns3& velocity);

void step_frequency(double dt, const RandomKey& key, std::span<const std::uint32_t> id, std::span<const float> mean, std::span<float> omega);

/// Y <- (chi + rd)^(60 dt) Y, at most 1: composition.h.
void step_composition(double dt, const RandomKey& key, std::span<const std::uint32_t> id, double chi, std::span<float> composition);

}  // namespace phlo::models
