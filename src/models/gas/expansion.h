// How the gas swells: by what reactions ask for, and inside emitters as the scene prescribes.
#pragma once
#include "models/gas/gas_state.h"

namespace phlo::models {

/// The divergence of this step [1/s], in a grid to work in; null if nothing expands. What is given is taken off what is wanted.
const field::Grid* wanted_divergence(GasState& gas, double dt);

/// How fast the gas will be pushed by what reactions want, if they want it in a ball: the volume of a second over the ball's surface [m/s].
double expansion_speed(GasState& gas);

}  // namespace phlo::models
