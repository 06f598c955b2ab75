// The box in space, under the name that shapes use for it.
#pragma once
#include "field/bounds.h"

namespace phlo::geom {

using field::Bounds;

}  // namespace phlo::geom
