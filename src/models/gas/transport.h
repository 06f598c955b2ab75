// Species and temperature: carried by the flow, spread, cooled.
#pragma once
#include "models/gas/gas_state.h"

namespace phlo::models {

/// Where the volume that reactions want will be in the middle of the step, by the velocity as it is: what swells the gas then. Were it to swell where it is
/// at the start, the hottest gas would get too much of it, the more the longer the step.
void foresee_swelling(GasState& gas, double dt);

void transport_scalars(GasState& gas, double dt);
void diffuse_and_decay(GasState& gas, double dt);

}  // namespace phlo::models
