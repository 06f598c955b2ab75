// How bright a colour is to the eye: the Y of linear sRGB (Rec. 709).
//
//   float y = luminance(radiance);
#pragma once
#include "base/vec.h"

namespace phlo::render {

inline float luminance(const Vec3f& c) { return 0.2126f * c.x + 0.7152f * c.y + 0.0722f * c.z; }

}  // namespace phlo::render
