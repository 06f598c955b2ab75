// What moves while the shutter is open: gas, bodies and points a little earlier or later, and how many moments a picture needs.
//
//   auto surfaces = moved(frame.surfaces, 0.5 / 24 / 2);      // bodies go on by their velocities
//   carry(volume, *frame.velocity, 0.5 / 24 / 2);             // extinction, scattering and emission go with the flow
//   int moments = shutter_moments(frame, look);               // so many that things move about a cell between two of them
//
// A picture with an open shutter is the mean of pictures at moments spread evenly over it: light adds up over time, not gas. Bodies,
// and points that no gas carries, move straight on meanwhile.
#pragma once
#include "field/frame.h"
#include "render/volumes/volume.h"

namespace phlo::render {

/// Values come from where the gas was, x - v(x) dt, trilinear; gas that leaves the domain is gone. What is carried adds up along rays,
/// as light does, so an even flow keeps a picture's light.
void carry(OpticalVolume& volume, const field::FaceVelocity& velocity, double dt);

/// One component of a velocity in the middle of each cell of `domain` [m/s]; 0 where nobody knows it.
std::shared_ptr<const field::Grid> velocity_component(const field::FaceVelocity& velocity, int axis, const field::Domain& domain);

/// By their velocities; those without stay.
std::vector<field::Surface> moved(std::vector<field::Surface> surfaces, double seconds);

/// 1 if nothing moves or the shutter is shut.
int shutter_moments(const field::Frame& frame, const RenderParams& look);

}  // namespace phlo::render
