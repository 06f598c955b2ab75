// Glare: a little of what is bright is scattered by lens and eye over what is around it, which is how bright a fire at night looks on a screen.
//
//   add_glare(picture, 0.06f);        // 6 % of all light spreads over a twentieth of the picture's height; the mean stays
#pragma once
#include "render/live/tiles.h"

namespace phlo::render {

void add_glare(Picture& picture, float share);

}  // namespace phlo::render
