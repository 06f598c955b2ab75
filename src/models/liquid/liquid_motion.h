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
/// What has pushed the liquid has turned with it (flow/turning.h). The pressure has to be found again then.
void turn_with_flow(LiquidState& liquid, double dt);
/// Pressure for what has changed since, on top of the one found before; that one stays what is kept for the next step. `reference`: what its tolerance is relative
/// to, as FreeSurfaceParams says.
void project_again(LiquidState& liquid, double dt, double reference);
/// The velocity around the liquid, as far as the next step may carry it.
void extend_beyond_surface(LiquidState& liquid, double dt);

}  // namespace phlo::models
