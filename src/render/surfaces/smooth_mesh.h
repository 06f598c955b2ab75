// A mesh with normals at its corners. A point where faces meet at a sharp edge becomes several corners, so that boxes keep their edges and balls are
// smooth.
//
//   SmoothMesh mesh = smooth_mesh(frame.surfaces[0].mesh);
#pragma once
#include <vector>

#include "field/frame.h"

namespace phlo::render {

struct SmoothMesh {
    struct Corner {
        Vec3f point, normal;
    };
    std::vector<Corner> corners;
    std::vector<Vec3i> triangles;  ///< into `corners`, counter-clockwise seen from outside; those without an area are left out
};

SmoothMesh smooth_mesh(const field::TriangleMesh& mesh);

/// Of a liquid, which has edges only where it is shut at a wall; its normals are smoothed once more, so that the grid it was made on does not show in
/// what it mirrors.
SmoothMesh smooth_liquid(const field::TriangleMesh& mesh);

}  // namespace phlo::render
