// How the gas moves: where something happens, what pushes it, and the pressure.
#pragma once
#include "models/gas/gas_state.h"

namespace phlo::models {

/// Tiles in which the next step of `dt` seconds can change something.
void find_activity(GasState& gas, double dt);
void advect_velocity(GasState& gas, double dt);
/// Buoyancy, vorticity confinement, what chemistry adds, and viscosity.
void add_forces(GasState& gas, double dt);
void project(GasState& gas, double dt);

}  // namespace phlo::models
