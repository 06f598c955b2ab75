// The point of a triangle nearest to a given point.
#pragma once
#include "base/vec.h"

namespace phlo::geom {

enum class Feature { face, edge0, edge1, edge2, corner0, corner1, corner2 };  // edge e runs from corner e to corner e + 1

struct Nearest {
    Vec3d point;
    Feature feature = Feature::face;
};

/// Closest point of triangle abc to p, and on which part of the triangle it lies [ericson2004, §5.1.5].
inline Nearest closest_on_triangle(const Vec3d& p, const Vec3d& a, const Vec3d& b, const Vec3d& c) {
    const Vec3d ab = b - a, ac = c - a, ap = p - a;
    const double d1 = dot(ab, ap), d2 = dot(ac, ap);
    if (d1 <= 0 && d2 <= 0) return {a, Feature::corner0};
    const Vec3d bp = p - b;
    const double d3 = dot(ab, bp), d4 = dot(ac, bp);
    if (d3 >= 0 && d4 <= d3) return {b, Feature::corner1};
    const double vc = d1 * d4 - d3 * d2;
    if (vc <= 0 && d1 >= 0 && d3 <= 0) return {a + ab * (d1 / (d1 - d3)), Feature::edge0};
    const Vec3d cp = p - c;
    const double d5 = dot(ab, cp), d6 = dot(ac, cp);
    if (d6 >= 0 && d5 <= d6) return {c, Feature::corner2};
    const double vb = d5 * d2 - d1 * d6;
    if (vb <= 0 && d2 >= 0 && d6 <= 0) return {a + ac * (d2 / (d2 - d6)), Feature::edge2};
    const double va = d3 * d6 - d5 * d4;
    if (va <= 0 && d4 - d3 >= 0 && d5 - d6 >= 0) return {b + (c - b) * ((d4 - d3) / ((d4 - d3) + (d5 - d6))), Feature::edge1};
    const double scale = 1 / (va + vb + vc);
    return {a + ab * (vb * scale) + ac * (vc * scale), Feature::face};
}

}  // namespace phlo::geom
