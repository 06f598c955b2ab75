// From blocks clipped to level m + 1 to the same clipped to m (block_poisson.h).
#pragma once
#include "numerics/block_poisson.h"

namespace phlo::numerics {

template <class T>
BlockSystem<T> coarsen(const BlockSystem<T>& fine, int m);

}  // namespace phlo::numerics
