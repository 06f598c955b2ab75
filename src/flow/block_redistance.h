// Makes a level set on blocks of several levels a signed distance again, near its surface, without moving the surface: what redistance.h does on a uniform grid.
//
//   redistance(blocks, {.h = h, .band = 8}, phi, scratch);      // h: finest cell; the band is as many cells wide in every block, in cells of its own size
//
// Cells beside the surface are divided by its slope, as there. From them distances spread by sweeps over the rows of each block, up and down, of the eikonal
// equation solved upwind at first order [zhao2005], and from block to block by their ghosts, a fixed number of times: no order among blocks, hence the same
// result for any number of threads.
#pragma once
#include "field/block_ghosts.h"
#include "flow/redistance.h"

namespace phlo::flow {

struct BlockMarchScratch {
    field::Blocks of;
    field::BlockField<float> distance, slope;
};

/// The ghosts of phi are filled before and after. Beyond the band, or more than a block away, |phi| is the band's width.
void redistance(const field::Blocks& blocks, const Redistancing& how, field::BlockField<float>& phi, BlockMarchScratch& scratch);

}  // namespace phlo::flow
