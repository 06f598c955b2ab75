// Level sets and velocities on blocks of several levels: what they enclose, what they are on a uniform grid of the finest cells, and on other blocks.
//
//   double litres = 1e3 * inside_volume(blocks, h, phi);
//   field::Grid fine{field::Layout(cells)};
//   sample(blocks, padded_phi, field::centres, fine);                 // for a mesh, which then has no cracks
//   field::BlockField<float> moved = transferred(blocks, padded_phi, phi, field::centres, new_blocks);
#pragma once
#include "field/block_ghosts.h"
#include "field/grid.h"

namespace phlo::flow {

/// Volume where phi < 0 [m^3], as in level_set.h: planes through cells of any size. The ghosts of phi must be filled.
double inside_volume(const field::Blocks& blocks, double h, const field::BlockField<float>& phi);

/// The values at the finest cells, or faces, linear between those of the blocks. Ghosts are not touched.
void sample(const field::Blocks& blocks, const field::PaddedField& x, int axis, field::Grid& to);

/// A field on other blocks of the same base array. Blocks that stay as they are keep every bit; finer ones take monotone cubic values, coarser ones means.
/// `padded` is a copy of x. The new field's ghosts are filled.
field::BlockField<float> transferred(const field::Blocks& from, const field::PaddedField& padded, const field::BlockField<float>& x, int axis, const field::Blocks& to);

}  // namespace phlo::flow
