// How the liquid moves: what pushes it, and the pressure.
#pragma once
#include "models/liquid/liquid_state.h"

namespace phlo::models {

/// What the next step must be able to bear beside the velocity as it is: gravity, what is poured, ripples. As a speed for choose_step() [m/s].
double coming_speed(LiquidState& liquid);
void move_liquid_bodies(LiquidState& liquid, double dt);
void carry_velocity(LiquidState& liquid, double dt);
void add_liquid_forces(LiquidState& liquid, double dt);
void project_liquid(LiquidState& liquid, double dt);
/// The velocity around the liquid, as far as the next step may carry it.
void extend_beyond_surface(LiquidState& liquid, double dt);

}  // namespace phlo::models
