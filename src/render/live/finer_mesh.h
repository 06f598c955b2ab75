// Large triangles cut into smaller ones, for light that is known at corners only: a wall of two triangles beside a fire would stay dark.
//
//   SmoothMesh finer = finer_mesh(smooth_mesh(surface.mesh), 0.08f);        // no edge is longer than 8 cm
#pragma once
#include "render/surfaces/smooth_mesh.h"

namespace phlo::render {

/// Edges are halved until none is longer [m], but not so often that there are many more than `max_triangles`. Two triangles that share an edge halve it
/// at the same place: no gaps.
SmoothMesh finer_mesh(SmoothMesh mesh, float longest, int max_triangles = 20'000);

}  // namespace phlo::render
