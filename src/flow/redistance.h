// Makes a level set a signed distance again, near its surface, without moving the surface.
//
//   MarchScratch scratch;                                               // kept between calls
//   redistance({.h = h, .band = 5}, phi, scratch);                      // exact sign everywhere; |phi| = 5 h beyond the band
//
// Cells beside the surface, those with a neighbour of the other sign, are divided by the slope of the level set there: phi / |grad phi|
// keeps its zero and is the distance to second order. Central differences give the same slope on both sides of the surface, so that it
// stays where it is when this is done a hundred times. One-sided ones, like the usual distances along the axes, differ from side to side by
// the curvature, and would move the surface a little, the same way each time. Slopes are smoothed along the surface, and those within a
// percent of 1 are left alone.
//
// From there distances spread by fast marching [sethian1996] with a queue of buckets [yatziv2006] half a cell deep, the eikonal equation
// solved upwind at second order. What lies in one bucket is computed together, in parallel, from what is known before, and once more from
// each other: no order within a bucket, hence no ties, and the same result for any number of threads. Both sides march at once; only cells
// in the band are visited, beside one sweep over the signs.
#pragma once
#include <cstdint>
#include <vector>

#include "field/grid.h"

namespace phlo::flow {

struct Redistancing {
    double h = 1;  ///< [m]
    double band = 5;  ///< on either side of the surface [cells]
};

/// Lists and marks of a march.
struct MarchScratch {
    field::Layout layout;
    std::vector<std::uint8_t> mark;  ///< one a grid entry
    std::vector<int> known, wanted;
    std::vector<std::vector<int>> buckets;
    std::vector<float> value;
    field::Grid slope;  ///< of cells beside the surface; 0 between calls

    std::size_t bytes() const;
};

/// |grad phi| h of a cell beside the surface, from its differences to the cells before and after it: central ones, but where the level set bends within a
/// cell (a film, a gap, an edge) the steeper side.
float surface_slope(const float (&ahead)[3], const float (&behind)[3]);
/// What a level set with this slope is divided by. The march's own errors show as a percent or two: a slope as near to 1 as that is left
/// alone, or they would push the surface, the same way each time.
float steepness(float slope_found);

/// Ghosts are filled with zero slope. A level set without a zero becomes +-band.
void redistance(const Redistancing& how, field::Grid& phi, MarchScratch& scratch);

}  // namespace phlo::flow
