// From blocks clipped to level m + 1 to the same clipped to m (block_poisson.h).
#pragma once
#include "numerics/block_poisson.h"

namespace phlo::numerics {

/// Memory of `coarse` is used again if its blocks are the same.
template <class T>
void coarsen(const BlockSystem<T>& fine, int m, BlockSystem<T>& coarse);

}  // namespace phlo::numerics
