// How small bodies of water fly through still air and what stops them: for spray and drops.
//
//   fly({.gravity = around.gravity, .air_drag = 1}, dt, radius, position, velocity);
//   if (meet_solids(around, from, position, velocity) == Met::open_wall) …    // it has left the box
//
// A sphere of water feels gravity and the drag of the air,
//
//      dv/dt = g - k |v| v,      k = air_drag 3/8 C rho_air / (rho_water r),      C = 0.5
//
// k is 0.11 / m for a radius of 2 mm: at 5 m/s it loses 2.8 m/s each second. Without drag a path is an exact parabola for any step.
#pragma once
#include "models/liquid/liquid_around.h"

namespace phlo::models {

struct Flying {
    Vec3d gravity{0, 0, -9.81};     ///< [m/s^2]
    double air_drag = 1;            ///< times that of a sphere of water; 0: none
};
void fly(const Flying& how, double dt, float radius, Vec3f& position, Vec3f& velocity);

enum class Met { nothing, solid, open_wall };
/// Stops what was at `from` where it meets a body or a closed wall, and takes away its velocity into it; along it there is friction. What is
/// beyond an open wall stays where it is.
Met meet_solids(const LiquidAround& around, const Vec3f& from, Vec3f& position, Vec3f& velocity);

}  // namespace phlo::models
