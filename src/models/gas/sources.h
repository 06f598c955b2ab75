// What bodies and emitters do to the gas at the beginning of a step, and what the gas does to bodies at its end.
#pragma once
#include "models/gas/gas_state.h"

namespace phlo::models {

/// Bodies go to where they are at the end of the step; gas that they cover then makes way.
void move_bodies(GasState& gas, double dt);

/// Bodies recede by what the reactions of this step took of them; gas comes into the room that they leave.
void erode(GasState& gas, double dt);

/// Heat, friction and catalysts pass between the bodies' surfaces and the gas beside them.
void touch_bodies(GasState& gas, double dt);

/// What is on a body's surface goes where the body goes, and nowhere else.
void hold_catalysts(GasState& gas);

/// `starting`: as the scene begins. Emitters of mode `start` give then and never again.
enum class Emission { starting, running };
void emit(GasState& gas, double dt, Emission when);

}  // namespace phlo::models
