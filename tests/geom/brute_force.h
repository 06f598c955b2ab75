// Distances the slow way: every triangle is asked. The sign comes from the solid angle the surface fills.
#pragma once
#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <random>

#include "field/frame.h"

namespace phlo::geom {

inline double distance_to_segment(const Vec3d& p, const Vec3d& a, const Vec3d& b) {
    const Vec3d ab = b - a;
    const double s = std::clamp(dot(p - a, ab) / dot(ab, ab), 0.0, 1.0);
    return length(p - a - ab * s);
}

inline double distance_to_triangle(const Vec3d& p, const Vec3d& a, const Vec3d& b, const Vec3d& c) {
    double d = std::min({distance_to_segment(p, a, b), distance_to_segment(p, b, c), distance_to_segment(p, c, a)});
    const Vec3d n = cross(b - a, c - a);
    const bool above = dot(cross(b - a, p - a), n) >= 0 && dot(cross(c - b, p - b), n) >= 0 && dot(cross(a - c, p - c), n) >= 0;
    return above ? std::min(d, std::fabs(dot(p - a, n)) / length(n)) : d;
}

inline double brute_force_distance(const field::TriangleMesh& mesh, const Vec3d& p) {
    double least = 1e300, angle = 0;
    for (const Vec3i& t : mesh.triangles) {
        const auto at = [&](int c) { return Vec3d(mesh.points[std::size_t(t[c])]); };
        least = std::min(least, distance_to_triangle(p, at(0), at(1), at(2)));
        const Vec3d a = at(0) - p, b = at(1) - p, c = at(2) - p;
        const double la = length(a), lb = length(b), lc = length(c);
        angle += 2 * std::atan2(dot(a, cross(b, c)), la * lb * lc + dot(a, b) * lc + dot(b, c) * la + dot(c, a) * lb);
    }
    return angle > 2 * std::numbers::pi ? -least : least;
}

inline double mesh_volume(const field::TriangleMesh& mesh) {
    double total = 0;
    for (const Vec3i& t : mesh.triangles) {
        const auto at = [&](int c) { return Vec3d(mesh.points[std::size_t(t[c])]); };
        total += dot(at(0), cross(at(1), at(2))) / 6;
    }
    return total;
}

/// Edges that are not run through exactly once in each direction: none on a closed, consistently oriented surface.
inline int unmatched_edges(const field::TriangleMesh& mesh) {
    std::map<std::pair<int, int>, int> balance;
    for (const Vec3i& t : mesh.triangles)
        for (int c = 0; c < 3; ++c) {
            const int a = t[c], b = t[(c + 1) % 3];
            balance[{std::min(a, b), std::max(a, b)}] += a < b ? 1 : 100;
        }
    int bad = 0;
    for (const auto& [edge, count] : balance) bad += count != 101;
    return bad;
}

class Points {
public:
    explicit Points(double reach) : coordinate_(-reach, reach) {}
    Vec3d next() { return {coordinate_(engine_), coordinate_(engine_), coordinate_(engine_)}; }

private:
    std::mt19937 engine_{12345};
    std::uniform_real_distribution<double> coordinate_;
};

}  // namespace phlo::geom
