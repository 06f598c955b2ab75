// Triangle surfaces of the analytic shapes, for rendering.
#include <array>
#include <cmath>
#include <map>
#include <numbers>
#include <utility>
#include <vector>

#include "geom/sampled_solid.h"
#include "geom/shape.h"

namespace phlo::geom {
namespace {

constexpr double pi = std::numbers::pi;

/// Collects quads and triangles; points that coincide become one, and what has collapsed is left out.
class Builder {
public:
    int point(const Vec3d& p) {
        const Vec3f q{float(p.x) + 0.f, float(p.y) + 0.f, float(p.z) + 0.f};  // + 0: a negative zero is the same point
        const auto [entry, is_new] = index_.try_emplace({q.x, q.y, q.z}, int(mesh_.points.size()));
        if (is_new) mesh_.points.push_back(q);
        return entry->second;
    }
    void triangle(int a, int b, int c) {
        if (a != b && b != c && c != a) mesh_.triangles.push_back({a, b, c});
    }
    void quad(int a, int b, int c, int d) {
        triangle(a, b, c);
        triangle(a, c, d);
    }
    field::TriangleMesh take() { return std::move(mesh_); }

private:
    field::TriangleMesh mesh_;
    std::map<std::array<float, 3>, int> index_;
};

/// A box grown by a sphere: the six faces of a cube, bent to the sphere and pulled apart by the inner box's half edges. Every
/// octant keeps its own copy of the middle row and column, so that the flat parts and edge strips appear between them.
field::TriangleMesh rounded_box(const Vec3d& inner_half, double radius, int segments) {
    const int steps = radius > 0 ? std::max(1, segments / 8) : 0;
    const int n = 2 * (steps + 1);
    const auto coordinate = [&](int i) {
        const int from_middle = i <= steps ? i - steps : i - steps - 1;
        return steps > 0 ? std::tan(pi / 4 * from_middle / steps) : 0.0;
    };
    const auto side = [&](int i) { return i <= steps ? -1.0 : 1.0; };
    Builder builder;
    for (int axis = 0; axis < 3; ++axis)
        for (double sign : {-1.0, 1.0}) {
            const int u = (axis + 1) % 3, v = (axis + 2) % 3;
            std::vector<int> ids(std::size_t(n) * std::size_t(n));
            for (int b = 0; b < n; ++b)
                for (int a = 0; a < n; ++a) {
                    Vec3d direction, corner;
                    direction[axis] = sign, direction[u] = coordinate(a), direction[v] = coordinate(b);
                    corner[axis] = sign, corner[u] = side(a), corner[v] = side(b);
                    ids[std::size_t(b * n + a)] = builder.point(inner_half * corner + normalized(direction) * radius);
                }
            const auto id = [&](int a, int b) { return ids[std::size_t(b * n + a)]; };
            for (int b = 0; b + 1 < n; ++b)
                for (int a = 0; a + 1 < n; ++a)
                    sign > 0 ? builder.quad(id(a, b), id(a + 1, b), id(a + 1, b + 1), id(a, b + 1))
                             : builder.quad(id(a, b), id(a, b + 1), id(a + 1, b + 1), id(a + 1, b));
        }
    return builder.take();
}

/// Turns a profile of (radius, z), outside on its right hand and starting and ending on the axis, about z.
field::TriangleMesh revolve(const std::vector<std::pair<double, double>>& profile, int segments) {
    Builder builder;
    std::vector<int> below, above;
    for (const auto& [radius, z] : profile) {
        above.clear();
        for (int s = 0; s <= segments; ++s) {
            const double angle = 2 * pi * (s % segments) / segments;
            above.push_back(builder.point({radius * std::cos(angle), radius * std::sin(angle), z}));
        }
        if (!below.empty())
            for (std::size_t s = 0; s + 1 < above.size(); ++s) builder.quad(below[s], below[s + 1], above[s + 1], above[s]);
        below.swap(above);
    }
    return builder.take();
}

field::TriangleMesh capsule(double radius, double height, int segments) {
    std::vector<std::pair<double, double>> profile;
    const int steps = std::max(2, segments / 4);
    for (int half = 0; half < 2; ++half)
        for (int i = 0; i <= steps; ++i) {
            const double angle = pi / 2 * (half == 0 ? i - steps : i) / steps;
            const bool pole = half == 0 ? i == 0 : i == steps;
            profile.emplace_back(pole ? 0.0 : radius * std::cos(angle), radius * std::sin(angle) + (half == 0 ? -height / 2 : height / 2));
        }
    return revolve(profile, segments);
}

}  // namespace

field::TriangleMesh Shape::tessellate(int segments) const {
    segments = std::max(segments, 8);
    if (const auto* s = std::get_if<Sphere>(&kind_)) return rounded_box({}, s->radius, segments);
    if (const auto* s = std::get_if<Box>(&kind_)) return rounded_box(s->size * 0.5 - Vec3d(s->rounding), s->rounding, segments);
    if (const auto* s = std::get_if<Capsule>(&kind_)) return capsule(s->radius, s->height, segments);
    if (const auto* s = std::get_if<Cylinder>(&kind_)) {
        const double r = s->radius, z = s->height / 2;
        return revolve({{0, -z}, {r, -z}, {r, z}, {0, z}}, segments);
    }
    if (const auto* s = std::get_if<Cup>(&kind_)) {
        std::vector<std::pair<double, double>> line;
        for (const ProfilePoint& p : profile(*s)) line.emplace_back(p.r, p.z);
        return revolve(line, segments);
    }
    if (const auto* s = std::get_if<Sampled>(&kind_)) return s->solid->surface();
    return std::get<Mesh>(kind_).surface->triangles();
}

}  // namespace phlo::geom
