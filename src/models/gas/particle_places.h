// Where particles may be: inside the domain, outside bodies; and places scattered around them.
#pragma once
#include <array>

#include "field/domain.h"
#include "flow/solids.h"

namespace phlo::models {

/// Exact distance to the nearest body, negative inside; no more than a few cells where the grid says that none is near [m].
double body_distance(const field::Domain& domain, const flow::Solids* solids, const Vec3f& place);

/// Strictly inside the domain, and not in a body.
bool in_gas(const field::Domain& domain, const flow::Solids* solids, const Vec3f& place);

/// Uniform in the sphere, from three numbers in [0, 1).
Vec3f in_sphere(const Vec3f& centre, double radius, const std::array<float, 4>& u);

}  // namespace phlo::models
