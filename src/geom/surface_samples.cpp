#include "geom/surface_samples.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numbers>

#include "base/error.h"
#include "geom/sampled_solid.h"

namespace phlo::geom {
namespace {

constexpr double pi = std::numbers::pi;

/// A part of a surface: its area, and the sample at (u, v) in the unit square, uniform over the part if (u, v) is over the square.
struct Piece {
    double area = 0;
    std::function<SurfaceSample(double u, double v)> at;
};

Vec3d direction(double u, double v) {
    const double z = 1 - 2 * u, r = std::sqrt(std::max(0.0, 1 - z * z)), angle = 2 * pi * v;
    return {r * std::cos(angle), r * std::sin(angle), z};
}

/// A sphere torn apart along each axis by `gap`: the corners of a rounded box, the ends of a capsule.
Piece parted_sphere(double radius, const Vec3d& gap) {
    return {4 * pi * radius * radius, [=](double u, double v) {
                const Vec3d n = direction(u, v);
                const Vec3d corner{std::copysign(gap.x / 2, n.x), std::copysign(gap.y / 2, n.y), std::copysign(gap.z / 2, n.z)};
                return SurfaceSample{corner + n * radius, n};
            }};
}

/// A cylinder's side along `axis`, torn apart across it by the two other components of `size`.
Piece parted_side(int axis, double radius, const Vec3d& size) {
    return {2 * pi * radius * size[axis], [=](double u, double v) {
                const int b = (axis + 1) % 3, c = (axis + 2) % 3;
                Vec3d n, p;
                n[b] = std::cos(2 * pi * v), n[c] = std::sin(2 * pi * v);
                p[axis] = (u - 0.5) * size[axis];
                p[b] = std::copysign(size[b] / 2, n[b]), p[c] = std::copysign(size[c] / 2, n[c]);
                return SurfaceSample{p + n * radius, n};
            }};
}

/// Both flat faces of a box across `axis`, at a distance `out` beyond its edges.
Piece faces(int axis, double out, const Vec3d& size) {
    const int b = (axis + 1) % 3, c = (axis + 2) % 3;
    return {2 * size[b] * size[c], [=](double u, double v) {
                Vec3d n, p;
                const bool upper = u >= 0.5;
                n[axis] = upper ? 1 : -1;
                p[axis] = n[axis] * (size[axis] / 2 + out);
                p[b] = ((upper ? 2 * u - 1 : 2 * u) - 0.5) * size[b], p[c] = (v - 0.5) * size[c];
                return SurfaceSample{p, n};
            }};
}

Piece discs(double radius, double height) {
    return {2 * pi * radius * radius, [=](double u, double v) {
                const bool upper = u >= 0.5;
                const double r = radius * std::sqrt(upper ? 2 * u - 1 : 2 * u), sign = upper ? 1 : -1;
                return SurfaceSample{{r * std::cos(2 * pi * v), r * std::sin(2 * pi * v), sign * height / 2}, {0, 0, sign}};
            }};
}

std::vector<Piece> pieces(const Sphere& s) { return {parted_sphere(s.radius, {})}; }

std::vector<Piece> pieces(const Box& s) {
    const Vec3d inner = s.size - Vec3d(2 * s.rounding);
    std::vector<Piece> all;
    for (int axis = 0; axis < 3; ++axis) all.push_back(faces(axis, s.rounding, inner));
    for (int axis = 0; axis < 3; ++axis) all.push_back(parted_side(axis, s.rounding, inner));
    all.push_back(parted_sphere(s.rounding, inner));
    return all;
}

std::vector<Piece> pieces(const Capsule& s) {
    return {parted_sphere(s.radius, {0, 0, s.height}), parted_side(2, s.radius, {0, 0, s.height})};
}

std::vector<Piece> pieces(const Cylinder& s) { return {parted_side(2, s.radius, {0, 0, s.height}), discs(s.radius, s.height)}; }

/// A side of a profile turned about z: a cone, a cylinder or a ring.
Piece turned_side(const ProfilePoint& a, const ProfilePoint& b) {
    const double dr = b.r - a.r, dz = b.z - a.z, way = std::hypot(dr, dz);
    return {pi * (a.r + b.r) * way, [=](double u, double v) {
                const double r = std::sqrt(a.r * a.r + u * (b.r * b.r - a.r * a.r));
                const double along = std::fabs(dr) > 1e-9 * way ? (r - a.r) / dr : u;
                const Vec3d out{std::cos(2 * pi * v), std::sin(2 * pi * v), 0};
                return SurfaceSample{out * r + Vec3d(0, 0, a.z + along * dz), out * (dz / way) - Vec3d(0, 0, dr / way)};
            }};
}

std::vector<Piece> pieces(const Cup& s) {
    const auto line = profile(s);
    std::vector<Piece> all;
    for (std::size_t n = 0; n + 1 < line.size(); ++n) all.push_back(turned_side(line[n], line[n + 1]));
    return all;
}

std::vector<Piece> pieces(const field::TriangleMesh& mesh) {
    std::vector<Piece> all;
    for (const Vec3i& t : mesh.triangles) {
        const Vec3d a(mesh.points[std::size_t(t.x)]), b(mesh.points[std::size_t(t.y)]), c(mesh.points[std::size_t(t.z)]);
        const Vec3d across = cross(b - a, c - a);
        const double twice = length(across);
        if (!(twice > 0)) continue;
        all.push_back({twice / 2, [=](double u, double v) {
                           const double root = std::sqrt(u);
                           return SurfaceSample{a * (1 - root) + b * (root * (1 - v)) + c * (root * v), across / twice};
                       }});
    }
    return all;
}
std::vector<Piece> pieces(const Mesh& s) { return pieces(s.surface->triangles()); }
std::vector<Piece> pieces(const Sampled& s) { return pieces(s.solid->surface()); }

}  // namespace

double surface_area(const Shape& shape) {
    double area = 0;
    for (const Piece& piece : std::visit([](const auto& s) { return pieces(s); }, shape.kind())) area += piece.area;
    return area;
}

std::vector<SurfaceSample> surface_samples(const Shape& shape, double per_area, const RandomKey& key) {
    PHLO_CHECK(per_area >= 0);
    const std::vector<Piece> all = std::visit([](const auto& s) { return pieces(s); }, shape.kind());
    double total = 0;
    for (const Piece& piece : all) total += piece.area;
    const double count = std::round(total * per_area);
    PHLO_CHECK(count <= double(std::numeric_limits<std::uint32_t>::max()));

    std::vector<SurfaceSample> samples;
    samples.reserve(std::size_t(count));
    std::size_t p = 0;
    double before = 0;  // area of the pieces before p
    for (std::uint32_t n = 0; double(n) < count; ++n) {
        const auto random = uniform4(key, n);
        const double target = total * (double(n) + double(random[0])) / count;
        while (p + 1 < all.size() && target >= before + all[p].area) before += all[p++].area;
        // The place within the piece along u follows from the place in the whole: strata stay apart inside a piece too.
        const double u = all[p].area > 0 ? std::clamp((target - before) / all[p].area, 0.0, 1.0) : 0.0;
        samples.push_back(all[p].at(u, double(random[1])));
    }
    return samples;
}

}  // namespace phlo::geom
