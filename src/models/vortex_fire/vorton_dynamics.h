// How vortons move and how their strengths change, without a grid: for the tree's way of finding the velocity.
//
//   VortonDynamics dynamics({.core_radius = sigma, .reach = 3 * spacing, .viscosity = 1e-4, .lift = 0.0335});
//   VortonRates rates;
//   dynamics.find_rates({.position = x, .strength = gamma, .volume = volume, .temperature = T}, rates);
//   dynamics.advance({.position = x, .strength = gamma, .volume = volume, .temperature = T}, dt);
//   dynamics.relax(dt, gradient, gamma);
//
//   dx_p/dt = u(x_p)
//   dΓ_p/dt = Σ_c Γ_pc ∇u_c + 2ν/ε² Σ_q (V_p Γ_q - V_q Γ_p) η(x_p - x_q) + V_p Σ_q V_q b_q ∇η(x_p - x_q) × ẑ,         b = lift (T - T_0)
//
// Stretching is the transpose scheme [winckelmans1993]: what two vortons do to each other is equal and opposite, so that the total strength stays.
// Diffusion is particle strength exchange [degond1989]: what one vorton gets, another gives. Buoyancy is the curl of b ẑ, from the particles' own
// b. Where there are no vortons the gas is at T_0. η is the polynomial (1 - (r/R)²)³ times 315/(64 π R³), 0 beyond the reach R; its variance along an axis is
// ε² = R²/11. What the tree's errors and the edges of the cloud add to the total strength is taken out again, by each vorton's share of it.
//
// Vortex lines close, but a sum of vortons need not have this property: relax() turns strengths towards the curl of the velocity and keeps their
// size [pedrizzetti1992].
#pragma once
#include <span>
#include <vector>

#include "base/vec.h"
#include "models/vortex_fire/tree_velocity.h"

namespace phlo::models {

struct VortonDynamicsParams {
    double core_radius = 0;              ///< σ [m]
    double theta = 0.5;                  ///< opening angle of the tree
    double reach = 0;                    ///< R, about three times the distance of vortons; 0: neither diffusion nor buoyancy [m]
    double viscosity = 0;                ///< ν [m²/s]; a step should be shorter than R²/(22 ν)
    double lift = 0;                     ///< upward acceleration per kelvin, g/T_0 for an ideal gas [m/(s² K)]
    double ambient_temperature = 293.15; ///< T_0 [K]
    double relaxation_rate = 0;          ///< of advance(): Pedrizzetti's f [1/s]
};

/// Columns of one length. `temperature` may be empty: there is no buoyancy then.
struct VortonColumns {
    std::span<Vec3f> position;           ///< [m]
    std::span<Vec3f> strength;           ///< Γ [m³/s]
    std::span<const float> volume;       ///< [m³]; may be empty where `reach` is 0
    std::span<const float> temperature;  ///< [K]
};

struct VortonRates {
    std::vector<Vec3f> velocity;              ///< [m/s]
    std::vector<Vec3f> strength;              ///< dΓ/dt [m³/s²]
    std::vector<VelocityGradient> gradient;   ///< [1/s]
};

class VortonDynamics {
public:
    explicit VortonDynamics(const VortonDynamicsParams& params) : params_(params) {}

    void find_rates(const VortonColumns& vortons, VortonRates& rates);
    /// Positions and strengths dt later, by a Runge-Kutta method of third order that keeps one set of rates [williamson1980].
    void advance(const VortonColumns& vortons, double dt);
    /// Γ towards |Γ| ω/|ω|, ω = ∇×u, by a share 1 - exp(-f dt). Needs the gradient at the vortons.
    void relax(double dt, std::span<const VelocityGradient> gradient, std::span<Vec3f> strength) const;

    const TreeVelocity& tree() const { return tree_; }   ///< of the last rates

private:
    VortonDynamicsParams params_;
    TreeVelocity tree_;
};

/// What particles within `reach` do to each other by viscosity and buoyancy, added to dΓ/dt.
void add_neighbour_rates(const VortonDynamicsParams& params, const VortonColumns& vortons, std::span<Vec3f> rates);

/// Takes the sum of `change` out of it: each entry gives as much as its strength is of all strength.
void balance(std::span<const Vec3f> strength, std::span<Vec3f> change);

}  // namespace phlo::models
