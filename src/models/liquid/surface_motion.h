// The liquid's surface in a step: carried by the flow, corrected by markers, a distance again (docs/models/liquid-surface.md).
#pragma once
#include "models/liquid/liquid_state.h"

namespace phlo::models {

/// After phi was set anew: a distance, with markers around it.
void start_surface(LiquidState& liquid);
/// By the velocity as it is before the step.
void carry_surface(LiquidState& liquid, double dt);
/// Liquid that passes a wall (-x, +x, -y, ...) outward if it is of this kind, weighed by `share` if that is given [m^3/s].
double outflow(const LiquidState& liquid, int wall, WallKind kind, const field::Grid* share = nullptr);
/// Tiles in which the next step of `dt` seconds can change something.
void find_liquid_tiles(LiquidState& liquid, double dt);

}  // namespace phlo::models
