// The box of nodes that follows what happens.
//
//   lattice = follow(lattice, h, {.needed = bounds, .limits = {}, .anchor = emitter, .max_cells = 1'000'000});
//
// It grows as soon as something comes near its edge, and shrinks when half of it is empty; its sides are multiples of eight nodes, which multigrid likes.
#pragma once
#include <optional>

#include "field/bounds.h"
#include "models/vortex_fire/lattice.h"

namespace phlo::models {

struct FollowParams {
    field::Bounds needed{};                     ///< where there are vortons, bodies and emitters
    field::Bounds limits{};                     ///< empty: none
    Vec3d anchor{};                            ///< if the box would be too large, its sides farthest from here give way [m]
    double max_cells = 1e6;
};

VortexLattice follow(const VortexLattice& now, double h, const FollowParams& params);

/// Of a box with walls: they lie half a cell beyond the outermost nodes.
VortexLattice closed_lattice(const field::Bounds& box, double h);

}  // namespace phlo::models
