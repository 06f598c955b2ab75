// How sets of points are seen of which `render.points` does not speak: soot as `render.soot` says; spray, foam and bubbles white.
//
//   if (const std::optional<PointsLook> usual = usual_look(set.name, look, longest)) …
#pragma once
#include <optional>
#include <string>

#include "render/look/params.h"

namespace phlo::render {

/// None: such points are not seen. `longest_side` is that of all that is seen [m].
std::optional<PointsLook> usual_look(const std::string& points, const RenderParams& look, double longest_side);

}  // namespace phlo::render
