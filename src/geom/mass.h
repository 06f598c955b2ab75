// Mass, centre and inertia of a shape filled evenly with matter.
//
//   MassProperties m = mass_properties(plank, 600);      // wood, kg/m^3
//   m.mass;  m.center;  m.moments;                       // about the principal axes through the centre
//
// Round and boxy shapes by closed formulas; meshes by the divergence theorem, exact for the polyhedron (cavities included).
#pragma once
#include "geom/pose.h"
#include "geom/shape.h"

namespace phlo::geom {

struct MassProperties {
    double mass = 0;  ///< [kg]
    double volume = 0;  ///< [m^3]
    Vec3d center;  ///< of mass, in the shape's frame [m]
    Rotation axes;  ///< from the principal frame to the shape's
    Vec3d moments;  ///< of inertia about the principal axes [kg m^2]
};

MassProperties mass_properties(const Shape& shape, double density);

}  // namespace phlo::geom
