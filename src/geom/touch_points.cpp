#include <algorithm>
#include <cmath>
#include <numbers>

#include "geom/contact.h"
#include "geom/sampled_solid.h"

namespace phlo::geom {
namespace {

constexpr double pi = std::numbers::pi;
using Points = std::vector<TouchPoint>;

Points points_of(const Sphere& s) { return {{{}, s.radius}}; }

Points points_of(const Capsule& s) {
    Points points;
    const int parts = s.height > 0 ? std::clamp(int(std::ceil(s.height / s.radius)), 1, 16) : 0;
    for (int i = 0; i <= parts; ++i) points.push_back({{0, 0, parts > 0 ? s.height * (double(i) / parts - 0.5) : 0.0}, s.radius});
    return points;
}

Points points_of(const Cylinder& s) {
    Points points;
    constexpr int around = 24;
    for (const double z : {-s.height / 2, s.height / 2}) {
        points.push_back({{0, 0, z}});
        for (int i = 0; i < around; ++i)
            points.push_back({{s.radius * std::cos(2 * pi * i / around), s.radius * std::sin(2 * pi * i / around), z}});
    }
    return points;
}

/// The rims.
Points points_of(const Cup& s) {
    Points points;
    constexpr int around = 24;
    for (const ProfilePoint& p : profile(s))
        for (int i = 0; i < (p.r > 0 ? around : 1); ++i)
            points.push_back({{p.r * std::cos(2 * pi * i / around), p.r * std::sin(2 * pi * i / around), p.z}});
    return points;
}

/// Corners, edges and the centres of faces.
Points points_of(const Box& s) {
    Points points;
    const Vec3d half = s.size * 0.5 - Vec3d(s.rounding);
    constexpr int parts = 4;  // of an edge
    for (int k = 0; k <= parts; ++k)
        for (int j = 0; j <= parts; ++j)
            for (int i = 0; i <= parts; ++i) {
                const int extremes = (i % parts == 0) + (j % parts == 0) + (k % parts == 0);
                const int middles = (2 * i == parts) + (2 * j == parts) + (2 * k == parts);
                if (extremes < 2 && !(extremes == 1 && middles == 2)) continue;
                points.push_back({half * (Vec3d(i, j, k) * (2.0 / parts) - Vec3d(1)), s.rounding});
            }
    return points;
}

/// The corners that reach farthest in some direction, and a few of the others.
Points points_of(const field::TriangleMesh& mesh) {
    if (mesh.points.empty()) return {};
    std::vector<std::size_t> chosen;
    constexpr int directions = 128, others = 128;
    for (int d = 0; d < directions; ++d) {
        const double z = 1 - (2 * d + 1.0) / directions, r = std::sqrt(1 - z * z), angle = d * pi * (3 - std::sqrt(5.0));
        const Vec3d way{r * std::cos(angle), r * std::sin(angle), z};
        std::size_t best = 0;
        for (std::size_t v = 1; v < mesh.points.size(); ++v)
            if (dot(way, Vec3d(mesh.points[v])) > dot(way, Vec3d(mesh.points[best]))) best = v;
        chosen.push_back(best);
    }
    for (std::size_t v = 0; v < mesh.points.size(); v += std::max<std::size_t>(1, mesh.points.size() / others)) chosen.push_back(v);
    std::sort(chosen.begin(), chosen.end());
    chosen.erase(std::unique(chosen.begin(), chosen.end()), chosen.end());
    Points points;
    for (const std::size_t v : chosen) points.push_back({Vec3d(mesh.points[v])});
    return points;
}
Points points_of(const Mesh& s) { return points_of(s.surface->triangles()); }
Points points_of(const Sampled& s) { return points_of(s.solid->surface()); }

}  // namespace

std::vector<TouchPoint> touch_points(const Shape& shape) {
    return std::visit([](const auto& s) { return points_of(s); }, shape.kind());
}

}  // namespace phlo::geom
