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
float covered_by(const SoftBall& ball, const Vec3f& point, const Vec3f& normal) {
    const Vec3f way = ball.middle - point;
    const float d2 = dot(way, way), r2 = ball.radius * ball.radius;
    if (!(d2 > r2 * 1.0001f)) return 0;
    const float d = std::sqrt(d2), cosine = dot(normal, way) / d, h2 = d2 / r2;
    const float below = 1 - h2 * cosine * cosine;
    if (below <= 0) return cosine > 0 ? cosine / h2 : 0;  // wholly above the horizon, or below it
    const float sine = std::sqrt(std::max(1e-9f, 1 - cosine * cosine));
    const float angle = std::acos(std::clamp(-cosine * std::sqrt(h2 - 1) / sine, -1.f, 1.f));
    return std::max(0.f, ((cosine * angle - std::sqrt(below * (h2 - 1))) / h2 + std::atan(std::sqrt(below / (h2 - 1)))) / pi);
}

}  // namespace

std::vector<SoftBall> soft_balls(const SmoothMesh& mesh, int body) {
    if (mesh.corners.empty()) return {};
    constexpr int most = 8;
    double volume = 0;
    Vec3d middle;
    for (const SmoothMesh::Corner& c : mesh.corners) middle += Vec3d(c.point) / double(mesh.corners.size());
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
    if (!(reach > 0) || !(volume > 0)) return {};
    // n balls of diameter reach / n hold the volume of a long body; of a flat one they hold more, and one ball is enough.
    const double thin = std::sqrt(volume / (std::numbers::pi / 6 * reach * reach * reach));
    const int count = std::clamp(int(std::lround(1 / std::max(thin, 1e-3))), 1, most);
    const double radius = std::cbrt(3 * volume / (4 * std::numbers::pi * count));
    std::vector<SoftBall> balls;
    for (int n = 0; n < count; ++n) {
        const Vec3d at = count == 1 ? middle : one + axis * ((n + 0.5) / count);
        balls.push_back({Vec3f(at), float(radius), body});
    }
    return balls;
}

float sky_seen(std::span<const SoftBall> balls, const Vec3f& point, const Vec3f& normal, int own_body) {
    float open = 1;
    for (const SoftBall& ball : balls)
        if (ball.body != own_body) open *= 1 - covered_by(ball, point, normal);
    return open;
}

float lamp_seen(std::span<const SoftBall> balls, const Vec3f& point, int own_body, const Vec3f& lamp, float lamp_radius) {
    const Vec3f way = lamp - point;
    const float d2 = dot(way, way);
    float seen = 1;
    for (const SoftBall& ball : balls) {
        if (ball.body == own_body) continue;
        const Vec3f to = ball.middle - point;
        const float t = dot(to, way) / d2;  // where the ray passes the ball, as a share of its length
        if (!(t > 0 && t < 1)) continue;
        const Vec3f off = to - way * t;
        const float aside = std::sqrt(dot(off, off)), penumbra = lamp_radius * t + 0.02f * ball.radius;
        seen *= smooth(0.5f + 0.5f * (aside - ball.radius) / penumbra);
    }
    return seen;
}

float sun_seen(std::span<const SoftBall> balls, const Vec3f& point, int own_body, const Vec3f& to_sun, float spread) {
    float seen = 1;
    for (const SoftBall& ball : balls) {
        if (ball.body == own_body) continue;
        const Vec3f to = ball.middle - point;
        const float t = dot(to, to_sun);
        if (!(t > 0)) continue;
        const Vec3f off = to - to_sun * t;
        const float aside = std::sqrt(dot(off, off)), penumbra = spread * t + 0.02f * ball.radius;
        seen *= smooth(0.5f + 0.5f * (aside - ball.radius) / penumbra);
    }
    return seen;
}

}  // namespace phlo::render
