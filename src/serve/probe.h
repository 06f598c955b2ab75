// What a frame holds at a point: every volume by its name, and the velocity.
//
//   std::string json = probe(frame, {0, 0, 0.4});          // {"density":0.31,"temperature":1204.2,"velocity":[0,0,1.2]}
#pragma once
#include <string>

#include "field/frame.h"

namespace phlo::serve {

std::string probe(const field::Frame& frame, const Vec3d& point);

}  // namespace phlo::serve
