// Liquid that lands on a wall or a body. The pressure stops it at the end of a step only: what has gone into the wall by then is lost, up to five cells of a thread that falls onto
// a plate. So the step ends soon after it lands.
//
//   double dt = longest_step_to_landing(liquid, cfl * h / speed);
//
//      ~~~~~~~~~   surface, it comes with speed v          lost in a step: area max(0, v dt - gap), summed over the cells of air beside the wall
//        gap  |
//      =========   wall
//
// The step is as long as that sum stays below a small part of the liquid's volume, and at least as long as the fastest liquid takes for a tenth of a cell.
#pragma once
#include "models/liquid/liquid_state.h"

namespace phlo::models {

/// [s]; `most` if that loses little.
double longest_step_to_landing(const LiquidState& liquid, double most);

}  // namespace phlo::models
