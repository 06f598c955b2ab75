// Names and scales of other programs' grids, brought to ours.
//
//   adopt_usual_names(frame, path);
//
// | theirs                                   | becomes                                                                     |
// | heat (Blender)                           | temperature, if there is none                                               |
// | temperature without unit, 20 at the most | kelvin, times 1000: what Blender's volume shader makes of it by default      |
#pragma once
#include <filesystem>

#include "field/frame.h"

namespace phlo::io {

void adopt_usual_names(field::Frame& frame, const std::filesystem::path& path);

}  // namespace phlo::io
