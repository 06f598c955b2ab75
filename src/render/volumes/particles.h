// Points as Gaussian clouds with standard deviation radius / 2. Each keeps its integral, peak (2 pi)^(3/2) (radius / 2)^3, however small it
// is against a cell. What lies outside the domain is not seen. The sums do not depend on the number of threads.
//
//   add_particles({.domain = domain, .peak = 30, .size = 2}, soot, grid);
#pragma once
#include <array>
#include <vector>

#include "field/frame.h"
#include "render/look/params.h"

namespace phlo::render {

struct PointCloud {
    field::Domain domain;
    float peak = 1;  ///< in the middle of a point [1/m]
    float size = 1;  ///< factor on the radii
    float later = 0;  ///< points with velocities go on for so long [s]
};

void add_particles(const PointCloud& cloud, const field::Points& points, field::Grid& grid);

/// Also each one's share times its colour, in three more grids.
void add_particles(const PointCloud& cloud, const field::Points& points, field::Grid& grid, const std::vector<Vec3f>& colours,
                   const std::array<field::Grid*, 3>& coloured);

/// One colour a point, by a column of floats or whole numbers. Throws InputError if there is no such column.
std::vector<Vec3f> point_colours(const field::Points& points, const ColumnColour& by, const FireLook& fire);

}  // namespace phlo::render
