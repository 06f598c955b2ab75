// From a triangle soup to a surface that bounds a solid: weld, check, orient. Used by ClosedMesh.
#pragma once
#include <string>
#include <vector>

#include "field/frame.h"

namespace phlo::geom {

struct Solid {
    field::TriangleMesh mesh;  ///< welded; counter-clockwise seen from outside
    std::vector<Vec3i> opposite;  ///< [triangle][e]: the triangle across the edge from corner e to corner e + 1
    int shells = 0;  ///< connected pieces
    double volume = 0;  ///< cavities taken off
};

/// Throws InputError if the surface is empty, not finite, open, not orientable or without volume.
Solid make_solid(field::TriangleMesh soup, const std::string& name);

}  // namespace phlo::geom
