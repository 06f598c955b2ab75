// The V-cycle: one symmetric red-black smoothing on the way down and one on the way up, each level in one sweep through memory.
//
//   down: z = 0; smooth red, then black; residual; restrict       reads r, writes the next level's r
//   up:   prolong; smooth black, then red                         reads r and the next level's z, writes z
//
// A sweep carries a front of four planes through a tile of rows, so that every value is still in cache when it is needed again. Nothing
// of the way down is stored: after it, z is 1/d r in red cells, and black cells are overwritten on the way up. Restriction meets a
// residual that is zero in black cells, prolongation need not reach them.
#pragma once
#include "numerics/level.h"

namespace phlo::numerics {

void restrict_residual(Level& fine, Level& coarse);

struct Preconditioned {
    double dot = 0;     ///< r . z
    double energy = 0;  ///< z . A z
    friend Preconditioned operator+(const Preconditioned& a, const Preconditioned& b) { return {a.dot + b.dot, a.energy + b.energy}; }
};

/// The sums are those of the finest level; on others they are left out.
Preconditioned prolong_and_smooth(Level& fine, const Level& coarse);

/// One V-cycle from level `first` on: levels[first].z = M^-1 levels[first].r.
Preconditioned v_cycle(std::vector<Level>& levels, std::size_t first = 0);

}  // namespace phlo::numerics
