// Which method integrates the rates over a step.
#pragma once

namespace phlo::chem {

enum class Integrator { automatic, rk2, rk3, rosenbrock };

}  // namespace phlo::chem
