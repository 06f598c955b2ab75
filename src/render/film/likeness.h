// Whether two places that are seen lie on one surface, so that what one knows of its light holds at the other: normals alike, and each in the plane
// through the other (the edge-stopping functions of [dammertz2010]).
//
//   const float w = likeness(here.normal, there.normal, there.point - here.point, width);   // 1: the same surface, 0: another one
#pragma once
#include <algorithm>
#include <cmath>

#include "base/vec.h"
#include "render/fast_math.h"

namespace phlo::render {

/// `way` leads from one to the other; `width` is how far either may lie off the other's plane [m].
inline float likeness(const Vec3f& normal, const Vec3f& other, const Vec3f& way, float width) {
    const float alike = std::max(0.f, dot(normal, other));
    const float off = std::max(std::fabs(dot(normal, way)), std::fabs(dot(other, way))) / width;
    return std::pow(alike, 32.f) * fast_exp(-off * off);
}

}  // namespace phlo::render
