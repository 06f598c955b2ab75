// What viscosity does in a step of the liquid: implicit friction (flow/viscosity.h), and the pressure that answers it.
#pragma once
#include "models/liquid/liquid_state.h"

namespace phlo::models {

/// After the pressure, where feels_friction(). It is the first of two pressures then: liquid at rest on a plate must be at rest before friction is asked for, or friction
/// would take the speed that gravity gives in a step for a motion; and what friction has slowed must be free of divergence again. The two
/// together are right to first order in dt; a stress and a pressure found in one system would be better where thin threads buckle
/// [larionov2017].
void apply_friction(LiquidState& liquid, double dt);

/// Of what is in each cell [m^2/s]: ln(nu) = sum of c_k ln(nu_k(T)) [arrhenius1887].
void find_viscosity(const ViscosityLaw& law, const Mixture& mixture, const Mixture& warmth, field::Grid& nu);

}  // namespace phlo::models
