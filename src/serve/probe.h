// What a frame holds at a point: every volume by its name, the velocity, and how fast reactions heat the gas there.
//
//   std::string json = probe(frame, {0, 0, 0.4}, heat);    // {"density":0.31,"temperature":1204.2,"velocity":[0,0,1.2]}
#pragma once
#include <string>

#include "field/frame.h"
#include "serve/point_heat.h"

namespace phlo::serve {

/// `heat`: of the frame's chemistry; null: it has none.
std::string probe(const field::Frame& frame, const Vec3d& point, const PointHeat* heat);

}  // namespace phlo::serve
