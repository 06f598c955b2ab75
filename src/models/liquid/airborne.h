// What leaves the grid in a step: drops that fly and come back (drops.h), and spray, foam and bubbles (whitewater.h).
#pragma once
#include "models/liquid/liquid_state.h"

namespace phlo::models {

/// Drops fly for dt seconds; markers that the level set has lost in this step join them. By the velocity as it is before the step.
void move_drops(LiquidState& liquid, double dt);
/// Drops that touch the liquid go back into it: into the velocity u, of this step, and the divergence that it shall have. Returns their volume [m^3].
double take_drops_back(LiquidState& liquid, double dt, field::MacGrid& u, field::Grid& divergence);
/// Spray, foam and bubbles in the flow at the end of the step.
void move_white(LiquidState& liquid, double dt);

}  // namespace phlo::models
