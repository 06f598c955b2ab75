// Refuses mechanisms that cannot be right: every problem at once, each with its place in the file and a remedy.
#pragma once
#include "chem/mechanism/draft.h"

namespace phlo::chem {

/// Adds to the draft's problems. Polynomials that jump at their middle temperature are only warned about.
void check_mechanism(Draft& draft);

}  // namespace phlo::chem
