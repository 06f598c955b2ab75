// Does a body go on behind its surface, or is it a wall so thin that what lies there may be the liquid of its other side?
//
//   bool thick = is_thick(solids, h, cell, normal);
#pragma once
#include "base/vec.h"
#include "flow/solids.h"
#include "particles/sample.h"

namespace phlo::models {

/// Seen from a cell at the surface; `normal` leads out of the body, its length is one.
inline bool is_thick(const flow::Solids& solids, double h, const Vec3i& cell, const Vec3f& normal) {
    constexpr float deep = 2, least = 1.6f;   // cells
    return particles::sample(solids.distance, Vec3f(cell) - normal * deep) < solids.distance(cell.x, cell.y, cell.z) - least * float(h);
}

}  // namespace phlo::models
