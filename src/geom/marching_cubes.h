// The surface of a liquid as triangles: where a level set on a grid is zero.
//
//   field::extend_into_ghosts(phi, domain.cells);                      // how the level set goes on beyond the walls
//   field::TriangleMesh mesh = marching_cubes(domain, phi);            // world space; inside is phi < 0
//
// Marching cubes [lorensen1987] between the centres of cells, with a table that is computed (marching_cubes_table.h). The mesh is always
// closed, a manifold, and oriented outward, whatever the level set: each side of a triangle is shared by one other, which runs through it
// the other way.
//
//      wall                 At the walls the liquid is shut by a cap. The lattice has two more layers there: one just before the wall,
//       |                   where the level set is the mean of the last cell and its ghost, so that the surface reaches the wall at
//       |\___  surface      its own height; and one of air beyond it. Caps lie in the wall's plane; the liquid's edges along walls
//       |    \_____         are bevelled by a thousandth of a cell, so that no triangle is without area.
//       | cap
//
// Points come plane by plane, triangles too: the result does not depend on the number of threads. All but a sweep over the signs is work on
// cells that the surface cuts.
#pragma once
#include <functional>

#include "field/domain.h"
#include "field/frame.h"

namespace phlo::geom {

/// How much is kept, 0 to 1, of the way from a node inside to the surface on one of its edges, both in world space.
using KeptWay = std::function<double(const Vec3d& inside, const Vec3d& surface)>;

/// `phi` needs one layer of ghosts. With `kept` points are drawn back to where something else than the level set ends the liquid; the mesh stays closed.
field::TriangleMesh marching_cubes(const field::Domain& domain, const field::Grid& phi, const KeptWay& kept = {});

}  // namespace phlo::geom
