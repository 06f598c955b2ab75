// Where liquid comes from and where it goes: emitters that fill their shape once, keep it full, or empty it.
#pragma once
#include "models/liquid/liquid_state.h"

namespace phlo::models {

/// Before the surface is carried: how much liquid will be left in each emitter that pours, were nothing lost by the numbers.
void foresee_pouring(LiquidState& liquid, double dt);
/// The liquid of the first frame.
void fill_start(LiquidState& liquid);
/// Emitters that pour or drain, at the end of a step that began at flow.time(). The ghosts of phi are filled.
void pour_and_drain(LiquidState& liquid, double dt);
/// Liquid that is poured moves as its emitter says.
void push_poured(const LiquidState& liquid, double dt, field::MacGrid& u);
/// The fastest liquid that is poured at a time [m/s].
double pouring_speed(const LiquidState& liquid);

}  // namespace phlo::models
