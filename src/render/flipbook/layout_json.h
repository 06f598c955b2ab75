// What a flipbook's textures mean, for programs: one JSON object.
#pragma once
#include <string>

#include "render/flipbook/flipbook.h"

namespace phlo::render {

std::string layout_json(const FlipbookJob& job, const FlipbookReport& report, const Sheet& sheet);

}  // namespace phlo::render
