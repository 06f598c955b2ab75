// How long a sub-step may be.
#pragma once
#include <limits>

#include "base/log.h"
#include "models/shot/shot.h"

namespace phlo::models {

struct StepChoice {
    const TimeParams& time;
    double h = 1;                                               ///< cell size [m]
    double now = 0;                                             ///< [s]
    double speed = 0;                                           ///< of the fastest thing in the flow [m/s]
    double longest = std::numeric_limits<double>::infinity();   ///< step that the model can bear [s]
};
/// A step that crosses no more cells than time.cfl allows, `remaining` being left of the frame, `done` sub-steps being behind it.
/// Throws RunError if the speed is no longer a number.
double choose_step(const StepChoice& choice, double remaining, int done, Warnings& warnings);

}  // namespace phlo::models
