#include "render/live/soft_shapes.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace phlo::render {
namespace {

constexpr float pi = std::numbers::pi_v<float>;

float smooth(float t) {
    t = std::clamp(t, 0.f, 1.f);
    return t * t * (3 - 2 * t);
}

/// The cosine-weighted share of a half space that a ball covers, with the horizon in its right place [quilez2006].
float covered_by(const Vec3f& middle, float radius, const Vec3f& point, const Vec3f& normal) {
    const Vec3f way = middle - point;
    const float d2 = dot(way, way), r2 = radius * radius;
    if (!(d2 > r2 * 1.0001f)) return 0;
    const float d = std::sqrt(d2), cosine = dot(normal, way) / d, h2 = d2 / r2;
    const float below = 1 - h2 * cosine * cosine;
    if (below <= 0) return cosine > 0 ? cosine / h2 : 0;  // wholly above the horizon, or below it
    const float sine = std::sqrt(std::max(1e-9f, 1 - cosine * cosine));
    const float angle = std::acos(std::clamp(-cosine * std::sqrt(h2 - 1) / sine, -1.f, 1.f));
    return std::max(0.f, ((cosine * angle - std::sqrt(below * (h2 - 1))) / h2 + std::atan(std::sqrt(below / (h2 - 1)))) / pi);
}

/// Where a ray passes a rod.
struct Passing {
    float along;   ///< from the ray's start [m]
    float aside;   ///< from the rod's axis [m]
};

Passing pass(const SoftRod& rod, const Vec3f& point, const Vec3f& direction) {
    const Vec3f to = rod.middle - point, off = to - direction * dot(to, direction);
    const Vec3f across = rod.half_axis - direction * dot(rod.half_axis, direction);
    const float u = std::clamp(-dot(off, across) / (dot(across, across) + 1e-12f), -1.f, 1.f);
    const Vec3f nearest = off + across * u;
    return {dot(to + rod.half_axis * u, direction), std::sqrt(dot(nearest, nearest))};
}

float seen_past(const SoftRod& rod, const Passing& passing, float penumbra) {
    return smooth(0.5f + 0.5f * (passing.aside - rod.radius) / (penumbra + 0.02f * rod.radius));
}

}  // namespace

SoftRod soft_rod(const SmoothMesh& mesh, int body) {
    if (mesh.corners.empty()) return {.middle = {}, .body = body};
    Vec3d middle;
    for (const SmoothMesh::Corner& c : mesh.corners) middle += Vec3d(c.point) / double(mesh.corners.size());
    double volume = 0;
    for (const Vec3i& t : mesh.triangles) {
        const auto at = [&](int n) { return Vec3d(mesh.corners[std::size_t(t[n])].point) - middle; };
        volume += dot(at(0), cross(at(1), at(2))) / 6;
    }
    volume = std::fabs(volume);
    // Its long axis: from the corner farthest from the middle to the one farthest from that.
    const auto farthest = [&](const Vec3d& from) {
        Vec3d far = from;
        for (const SmoothMesh::Corner& c : mesh.corners)
            if (dot(Vec3d(c.point) - from, Vec3d(c.point) - from) > dot(far - from, far - from)) far = Vec3d(c.point);
        return far;
    };
    const Vec3d one = farthest(middle), other = farthest(one), axis = other - one;
    const double reach = length(axis);
    if (!(reach > 0) || !(volume > 0)) return {.middle = Vec3f(middle), .body = body};
    // Volume of a rod from tip to tip: pi r^2 reach - 2/3 pi r^3, which grows with r up to a ball's.
    double low = 0, high = 0.5 * reach;
    for (int n = 0; n < 40; ++n) {
        const double r = 0.5 * (low + high);
        (std::numbers::pi * r * r * (reach - 2 * r / 3) < volume ? low : high) = r;
    }
    return {Vec3f((one + other) * 0.5), Vec3f(axis * (0.5 - low / reach)), float(low), body};
}

float sky_seen(std::span<const SoftRod> rods, const Vec3f& point, const Vec3f& normal, int own_body) {
    float open = 1;
    for (const SoftRod& rod : rods) {
        if (rod.body == own_body || !(rod.radius > 0)) continue;
        const int balls = std::min(8, 1 + int(length(rod.half_axis) / rod.radius));
        for (int n = 0; n < balls; ++n) {
            const float at = (2 * float(n) + 1) / float(balls) - 1;
            open *= 1 - covered_by(rod.middle + rod.half_axis * at, rod.radius, point, normal);
        }
    }
    return open;
}

float lamp_seen(std::span<const SoftRod> rods, const Vec3f& point, int own_body, const Vec3f& lamp, float lamp_radius) {
    const Vec3f way = lamp - point;
    const float distance = length(way);
    float seen = 1;
    for (const SoftRod& rod : rods) {
        if (rod.body == own_body || !(rod.radius > 0)) continue;
        const Passing passing = pass(rod, point, way / distance);
        if (passing.along > 0 && passing.along < distance) seen *= seen_past(rod, passing, lamp_radius * passing.along / distance);
    }
    return seen;
}

float sun_seen(std::span<const SoftRod> rods, const Vec3f& point, int own_body, const Vec3f& to_sun, float spread) {
    float seen = 1;
    for (const SoftRod& rod : rods) {
        if (rod.body == own_body || !(rod.radius > 0)) continue;
        const Passing passing = pass(rod, point, to_sun);
        if (passing.along > 0) seen *= seen_past(rod, passing, spread * passing.along);
    }
    return seen;
}

}  // namespace phlo::render
