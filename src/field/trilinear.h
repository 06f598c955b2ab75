// Between the eight values at the corners of a cube: the one formula for it, for floats, vectors and whole registers.
//
//   const float* q = grid.row(j, k) + i;                                       // the corner (0, 0, 0) is entry (i, j, k)
//   float value = trilinear(x, y, z, [&](int a, int b, int c) { return q[a + b * stride_y + c * stride_z]; });   // x, y, z in [0, 1]
//
// Along x first, then y, then z. Where a point lies and what is beyond the edge is the caller's business.
#pragma once
#include <cmath>

#include "base/vec.h"

namespace phlo::field {

/// From a at t = 0 to b at t = 1, rounded twice.
template <class Number>
inline Number blend(const Number& a, const Number& b, const Number& t) {
    using std::fma;
    return fma(t, b - a, a);
}
inline Vec3f blend(const Vec3f& a, const Vec3f& b, float t) { return {blend(a.x, b.x, t), blend(a.y, b.y, t), blend(a.z, b.z, t)}; }

template <class Number, class Corner>
inline auto trilinear(const Number& x, const Number& y, const Number& z, const Corner& corner) {
    const auto low = blend(blend(corner(0, 0, 0), corner(1, 0, 0), x), blend(corner(0, 1, 0), corner(1, 1, 0), x), y);
    const auto high = blend(blend(corner(0, 0, 1), corner(1, 0, 1), x), blend(corner(0, 1, 1), corner(1, 1, 1), x), y);
    return blend(low, high, z);
}

}  // namespace phlo::field
