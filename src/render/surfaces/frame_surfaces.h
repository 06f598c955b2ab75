// What the bodies of a frame and the ground are made of, as a look says.
//
//   Surfaces surfaces(frame.surfaces, body_materials(frame, look), ground_of(frame.bounds(), look.ground));
#pragma once
#include <optional>
#include <vector>

#include "render/look/params.h"
#include "render/surfaces/surfaces.h"

namespace phlo::render {

/// None if it is not visible.
std::optional<Ground> ground_of(const field::Bounds& bounds, const GroundParams& params);

/// Of each body of the frame: dull, in its own colour, where the look says nothing else; of a liquid's surface that of its substance. Throws InputError for a body that the frame does not have.
std::vector<Material> body_materials(const field::Frame& frame, const RenderParams& params);

/// Whether the camera sees the sky behind everything. Where there is a liquid it does unless the look says otherwise: water shows what is around it, and would
/// stand out from any other background.
bool shows_sky(const field::Frame& frame, const RenderParams& params);

}  // namespace phlo::render
