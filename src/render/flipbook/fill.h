// From weighted sums to numbers that are there everywhere: quotients where there is weight, the mean of what is around where there is none
// (pull-push [gortler1996]).
//
//   io::Image values = filled(sums, weights);
#pragma once
#include <vector>

#include "io/image.h"

namespace phlo::render {

/// A weight of `enough` or more counts in full; less is made up by the surroundings.
io::Image filled(const io::Image& sums, const std::vector<float>& weights, float enough = 1 / 64.f);

}  // namespace phlo::render
