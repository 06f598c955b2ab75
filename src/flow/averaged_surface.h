// A smooth surface around particles of liquid: flat water stays flat to a few hundredths of a cell, at the height where it is.
//
//   averaged_level_set({.h = h, .per_cell = 8}, x, y, z, phi);     // then redistance()
//
// Spheres around particles (markers.h) make a surface with a bump for each of them, half a cell above the water. Instead the distance from
// a point to the weighted mean of the particles around it is taken [zhu2005]: above water the mean lies far below the point, inside it lies
// at the point. For particles that fill everything below a plane the mean's distance is a known function of the height above the plane; its
// inverse gives the height.
//
//      . o .        the mean (o) of what is within two cells (.) of a point, with weights (1 - r²/R²)³
//     . . . .
//
// Two remedies for what is known to go wrong with means. Between two bodies of water the mean may lie in the air: no point is liquid that
// is farther than a sphere's radius from every particle. And single particles are no plane: where the sum of the weights is much less than
// a plane's, the surface is that of the spheres. Beyond the walls of the box particles are mirrored, so that water meets them at a right
// angle.
#pragma once
#include <span>

#include "field/grid.h"

namespace phlo::flow {

struct AveragedSurface {
    double h = 1;  ///< [m]
    double per_cell = 8;  ///< particles in a cell of liquid
    double radius = 0.9;  ///< of the spheres of single particles, sqrt(3)/2 at least [cells]
};

/// Coordinates in cells. Right within a cell of the surface, only the sign counts elsewhere: redistance it.
void averaged_level_set(const AveragedSurface& how, std::span<const float> x, std::span<const float> y, std::span<const float> z,
                        field::Grid& phi);

}  // namespace phlo::flow
