// Level sets and velocities on blocks of several levels: what they enclose, what they are on a uniform grid of the finest cells, and on other blocks.
//
//   double litres = 1e3 * inside_volume(blocks, h, phi);
//   field::Grid fine{field::Layout(cells)};
//   sample(blocks, padded_phi, field::centres, fine);                 // for a mesh, which then has no cracks
//   transfer(blocks, padded_phi, field::centres, new_blocks, phi, spare);
#pragma once
#include <cstdint>
#include <vector>

#include "field/block_ghosts.h"
#include "field/grid.h"

namespace phlo::flow {

/// Volume where phi < 0 [m^3], as in level_set.h: planes through cells of any size. The ghosts of phi must be filled.
double inside_volume(const field::Blocks& blocks, double h, const field::BlockField<float>& phi);

/// The values at the finest cells, or faces, linear between those of the blocks; `to` begins at cell `first` of the whole array. Ghosts are not touched.
void sample(const field::Blocks& blocks, const field::PaddedField& x, int axis, field::Grid& to, const Vec3i& first = {});

/// Which blocks become finer.
std::vector<std::uint8_t> refined(const field::Blocks& from, const field::Blocks& to);

/// A field goes to other blocks of the same base array, and its ghosts are filled. Blocks that stay as they are keep every bit; finer ones take monotone cubic
/// values, coarser ones means. `padded` is a copy of x, in blocks that become finer; `spare` lends its memory.
void transfer(const field::Blocks& from, const field::PaddedField& padded, int axis, const field::Blocks& to, field::BlockField<float>& x, field::BlockField<float>& spare);

}  // namespace phlo::flow
