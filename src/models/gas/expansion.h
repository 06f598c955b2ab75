// How the gas swells: by what reactions ask for, and inside emitters as the scene prescribes.
#pragma once
#include "models/gas/gas_state.h"

namespace phlo::models {

/// The divergence of this step [1/s], in a grid to work in; null if nothing expands. What is given is taken off what is wanted.
const field::Grid* wanted_divergence(GasState& gas, double dt);

/// How fast the gas will be pushed by what reactions want, if they want it in a ball: the volume of a second over the ball's surface [m/s].
double expansion_speed(GasState& gas);

/// By which share of itself the gas that swells will grow in `dt` seconds, by what reactions want already.
double growth_in(GasState& gas, double dt);

/// The longest step, of `remaining` seconds at most, in which the gas that swells grows by no more than max_growth of itself: by what reactions want
/// already, and by what they are about to want in that step. Everything that depends on whether gas reacts first or swells first (heat above all, which
/// goes along with the gas and is not diluted) then comes out the same whatever the frame rate, the CFL number or the resolution.
double longest_swelling(GasState& gas, double remaining);
inline constexpr double max_growth = 0.2;

}  // namespace phlo::models
