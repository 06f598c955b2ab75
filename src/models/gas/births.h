// How many particles of a kind came into being in a step, and whether its limit kept others from it.
#pragma once

namespace phlo::models {

struct Births {
    long number = 0;
    bool limited = false;
};

}  // namespace phlo::models
