// Bodies as blocks of several levels see them: how much of each face and cell they leave open, and what they push through the rest. What solids.h has on a
// uniform grid for the pressure. Each cell is cut by its own corners' distances; a coarse face between levels is as open as the fine ones on it.
//
//   BlockSolids solids;
//   rasterize(domain, blocks, geom::place(bodies, time), solids);      // domain: of the finest cells
#pragma once
#include <array>
#include <span>

#include "field/blocks.h"
#include "field/domain.h"
#include "geom/placement.h"

namespace phlo::flow {

struct BlockSolids {
    bool present = false;                              ///< if not, the fields are empty and all is open
    field::BlockField<float> room;                     ///< open part of a cell, 0 to 1
    std::array<field::BlockField<float>, 3> open;      ///< open part of the face before a cell
    std::array<field::BlockField<float>, 3> pushed;    ///< velocity of bodies times the covered part [m/s]
};

void rasterize(const field::Domain& domain, const field::Blocks& blocks, std::span<const geom::Placement> bodies, BlockSolids& solids);

}  // namespace phlo::flow
