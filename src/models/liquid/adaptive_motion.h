// The parts of an adaptive liquid's step.
#pragma once
#include "models/liquid/adaptive_state.h"

namespace phlo::models {

/// The emitters' liquid at the first frame, on blocks that are fine around its surface.
void fill_start(AdaptiveState& liquid);
/// Blocks as fine as the next `dt` seconds need them.
void adapt_blocks(AdaptiveState& liquid, double dt);
void carry_surface(AdaptiveState& liquid, double dt);
void pour_and_drain(AdaptiveState& liquid, double dt);
void carry_velocity(AdaptiveState& liquid, double dt);
/// Liquid that is poured has its emitter's velocity.
void push_poured(AdaptiveState& liquid, double dt);
void project_liquid(AdaptiveState& liquid, double dt);
void extend_beyond_surface(AdaptiveState& liquid);
/// What the next step must be able to bear, as a speed [m/s].
double coming_speed(const AdaptiveState& liquid);

}  // namespace phlo::models
