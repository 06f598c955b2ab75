// Swirls finer than the cells of the flow, for the picture alone: the gas is drawn as if eddies too small for the grid had stirred it a
// little.
//
//   OpticalVolume volume = make_volume(frame, look);
//   add_detail(volume, frame, look.detail);            // the volume now has finer cells; nothing at all if strength is 0
//
// After Kim, Thürey, James and Gross 2008 ("Wavelet turbulence"), without a second simulation on the fine grid: each frame is drawn from
// itself.
//
//   symbol  meaning                                                                                                      unit
//   u'      speed of the smallest eddies of the frame: of its velocity less what is left after smoothing over a cell    m/s
//   q       speed of the largest of those that it has not: 2^(-5/6) u', by Kolmogorov's spectrum [kim2008]              m/s
//   s       `scale`, their size                                                                                          m
//   A       the way on which they have carried the gas: strength r q T / (r + q T), with r = s / 4 and the `period` T    m
//   psi     noise that goes with the gas (carried_noise.h), octaves of s, s/2, ... with speeds as 2^(-5/6)               1
//   w       curl (A psi): A as the root of its mean square, divergence-free where A varies, too [bridson2007]            m
//
// The gas is taken from where the flow w brings it from in a unit of time. That flow neither compresses nor goes through the walls of the
// room, so no gas is made or lost, and neither is light: what is moved are extinction, scattering and emission, which add up along rays.
// In gas that is at rest, or moves evenly, A is 0.
#pragma once
#include "field/frame.h"
#include "render/look/params.h"
#include "render/volumes/vector_lattice.h"
#include "render/volumes/volume.h"

namespace phlo::render {

/// Frames without a velocity are drawn as they are, and that is said once. Throws RunError if so many cells cannot be.
void add_detail(OpticalVolume& volume, const field::Frame& frame, const DetailLook& look);

/// u' of a velocity, in each of its cells, in the unit that it has.
field::Grid smallest_eddies(const VectorLattice& velocity);

}  // namespace phlo::render
