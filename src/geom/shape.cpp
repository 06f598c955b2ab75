#include "geom/shape.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "base/error.h"
#include "geom/sampled_solid.h"

namespace phlo::geom {
namespace {

template <class... F>
struct Overloaded : F... {
    using F::operator()...;
};
template <class... F>
Overloaded(F...) -> Overloaded<F...>;   // clang before 17 does not find it by itself

constexpr double pi = std::numbers::pi;

Vec3d abs(const Vec3d& p) { return {std::fabs(p.x), std::fabs(p.y), std::fabs(p.z)}; }
double largest(const Vec3d& p) { return std::max({p.x, p.y, p.z}); }
double smallest(const Vec3d& p) { return std::min({p.x, p.y, p.z}); }

void require_positive(double value, const char* shape, const char* what) {
    if (!(value > 0) || !std::isfinite(value)) throw InputError(fmt::format("{}: {} must be positive, got {} m", shape, what, value));
}

void validate(const Sphere& s) { require_positive(s.radius, "sphere", "radius"); }
void validate(const Capsule& s) {
    require_positive(s.radius, "capsule", "radius");
    if (!(s.height >= 0) || !std::isfinite(s.height))
        throw InputError(fmt::format("capsule: height must not be negative, got {} m", s.height));
}
void validate(const Cylinder& s) {
    require_positive(s.radius, "cylinder", "radius");
    require_positive(s.height, "cylinder", "height");
}
void validate(const Box& s) {
    for (int axis = 0; axis < 3; ++axis) require_positive(s.size[axis], "box", "every edge of size");
    if (!(s.rounding >= 0) || s.rounding > smallest(s.size) / 2)
        throw InputError(
            fmt::format("box: rounding must lie between 0 and half the smallest edge, {} m; got {} m", smallest(s.size) / 2, s.rounding));
}
void validate(const Cup& s) {
    require_positive(s.radius, "cup", "radius");
    require_positive(s.height, "cup", "height");
    require_positive(s.wall, "cup", "wall");
    require_positive(s.base, "cup", "base");
    if (!std::isfinite(s.flare) || s.wall >= std::min(s.radius, s.radius + s.flare))
        throw InputError(fmt::format("cup: the wall of {} m must be thinner than the radius, {} m at the bottom and {} m at the top", s.wall, s.radius,
                                     s.radius + s.flare));
    if (s.base >= s.height) throw InputError(fmt::format("cup: the base of {} m must be thinner than the height of {} m", s.base, s.height));
}
void validate(const Mesh& s) {
    if (!s.surface) throw InputError("mesh: no surface; give a file");
}
void validate(const Sampled& s) { PHLO_CHECK(s.solid != nullptr); }

double distance(const Sphere& s, const Vec3d& p) { return length(p) - s.radius; }

double distance(const Box& s, const Vec3d& p) {
    const Vec3d q = abs(p) - s.size * 0.5 + Vec3d(s.rounding);
    return length(max(q, Vec3d())) + std::min(largest(q), 0.0) - s.rounding;
}

double distance(const Capsule& s, const Vec3d& p) {
    const double z = std::max(std::fabs(p.z) - s.height / 2, 0.0);
    return length(Vec3d(p.x, p.y, z)) - s.radius;
}

double distance(const Cylinder& s, const Vec3d& p) {
    const double side = std::hypot(p.x, p.y) - s.radius, cap = std::fabs(p.z) - s.height / 2;
    return std::hypot(std::max(side, 0.0), std::max(cap, 0.0)) + std::min(std::max(side, cap), 0.0);
}

/// To the profile in the half plane through the axis; its last side, along the axis, is no surface.
double distance(const Cup& s, const Vec3d& p) {
    const auto line = profile(s);
    const double r = std::hypot(p.x, p.y), z = p.z;
    double square = std::numeric_limits<double>::max();
    bool inside = false;
    for (std::size_t n = 0; n + 1 < line.size(); ++n) {
        const ProfilePoint a = line[n], b = line[n + 1];
        const double dr = b.r - a.r, dz = b.z - a.z, along = std::clamp(((r - a.r) * dr + (z - a.z) * dz) / (dr * dr + dz * dz), 0.0, 1.0);
        const double er = a.r + along * dr - r, ez = a.z + along * dz - z;
        square = std::min(square, er * er + ez * ez);
        if ((a.z > z) != (b.z > z) && r < a.r + (z - a.z) / dz * dr) inside = !inside;
    }
    return inside ? -std::sqrt(square) : std::sqrt(square);
}

double distance(const Mesh& s, const Vec3d& p) { return s.surface->signed_distance(p); }
double distance(const Sampled& s, const Vec3d& p) { return s.solid->signed_distance(p); }

}  // namespace

std::array<ProfilePoint, 6> profile(const Cup& cup) {
    const double top = cup.height / 2, floor = cup.base - top, at_base = cup.radius + cup.flare * cup.base / cup.height;
    return {{{0, -top}, {cup.radius, -top}, {cup.radius + cup.flare, top}, {cup.radius + cup.flare - cup.wall, top}, {at_base - cup.wall, floor}, {0, floor}}};
}

Shape::Shape(Kind kind) : kind_(std::move(kind)) {
    std::visit([](const auto& s) { validate(s); }, kind_);
}

double Shape::signed_distance(const Vec3d& p) const {
    return std::visit([&](const auto& s) { return distance(s, p); }, kind_);
}

double Shape::quick_distance(const Vec3d& p, double exact_within) const {
    if (const auto* mesh = std::get_if<Mesh>(&kind_)) return mesh->surface->quick_distance(p, exact_within);
    return signed_distance(p);
}

Bounds Shape::bounds() const {
    const auto around = [](const Vec3d& half) { return Bounds{-half, half}; };
    return std::visit(Overloaded{
                          [&](const Sphere& s) { return around(Vec3d(s.radius)); },
                          [&](const Box& s) { return around(s.size * 0.5); },
                          [&](const Capsule& s) {
                              return around({s.radius, s.radius, s.height / 2 + s.radius});
                          },
                          [&](const Cylinder& s) {
                              return around({s.radius, s.radius, s.height / 2});
                          },
                          [&](const Cup& s) {
                              const double r = std::max(s.radius, s.radius + s.flare);
                              return around({r, r, s.height / 2});
                          },
                          [&](const Mesh& s) { return s.surface->bounds(); },
                          [&](const Sampled& s) { return s.solid->bounds(); },
                      },
                      kind_);
}

double Shape::volume() const {
    return std::visit(Overloaded{
                          [](const Sphere& s) { return 4.0 / 3 * pi * s.radius * s.radius * s.radius; },
                          [](const Box& s) {
                              // Steiner's formula: an inner box grown by the rounding radius.
                              const double r = s.rounding;
                              const Vec3d e = s.size - Vec3d(2 * r);
                              return e.x * e.y * e.z + 2 * r * (e.x * e.y + e.y * e.z + e.z * e.x) + pi * r * r * (e.x + e.y + e.z) +
                                     4.0 / 3 * pi * r * r * r;
                          },
                          [](const Capsule& s) { return pi * s.radius * s.radius * (s.height + 4.0 / 3 * s.radius); },
                          [](const Cylinder& s) { return pi * s.radius * s.radius * s.height; },
                          [](const Cup& s) {
                              double sum = 0;  // cones: up the outside, down the inside
                              const auto line = profile(s);
                              for (std::size_t n = 0; n + 1 < line.size(); ++n) {
                                  const double a = line[n].r, b = line[n + 1].r;
                                  sum += pi / 3 * (line[n + 1].z - line[n].z) * (a * a + a * b + b * b);
                              }
                              return sum;
                          },
                          [](const Mesh& s) { return s.surface->volume(); },
                          [](const Sampled& s) { return s.solid->volume(); },
                      },
                      kind_);
}

}  // namespace phlo::geom
