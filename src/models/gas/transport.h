// Species and temperature: carried by the flow, spread, cooled.
#pragma once
#include "models/gas/gas_state.h"

namespace phlo::models {

void transport_scalars(GasState& gas, double dt);
void diffuse_and_decay(GasState& gas, double dt);

}  // namespace phlo::models
