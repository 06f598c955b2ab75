// Mean curvature of the level sets of a field, from the 18 cells around: the divergence of its unit normals.
//
//   double kappa = mean_curvature(phi, h, i, j, k);      // [1/m]; a ball of radius R with phi < 0 inside has 2 / R
//
// Held to two over the cell size: nothing smaller than a ball of one cell's radius can be seen on the grid.
#pragma once
#include "field/grid.h"

namespace phlo::flow {

/// In units of 1 / cell size, for a field of any unit.
double scaled_curvature(const field::Grid& phi, int i, int j, int k);

inline double mean_curvature(const field::Grid& phi, double h, int i, int j, int k) { return scaled_curvature(phi, i, j, k) / h; }

}  // namespace phlo::flow
