// What moves while the shutter is open: the gas a little earlier or later, and how many moments a picture needs.
//
//   carry(volume, *frame.velocity, 0.5 / 24 / 2);             // extinction, scattering and emission go with the flow
//   int moments = shutter_moments(frame, look);               // so many that the gas moves about a cell between two of them
//
// A picture with an open shutter is the mean of pictures at moments spread evenly over it: light adds up over time, not gas. Bodies stand
// still: frames do not know how fast they move.
#pragma once
#include "field/frame.h"
#include "render/volume.h"

namespace phlo::render {

/// Values come from where the gas was, x - v(x) dt, trilinear; gas that leaves the domain is gone. What is carried adds up along rays,
/// as light does, so an even flow keeps a picture's light.
void carry(Volume& volume, const field::FaceVelocity& velocity, double dt);

/// 1 if nothing moves or the shutter is shut.
int shutter_moments(const field::Frame& frame, const RenderParams& look);

}  // namespace phlo::render
