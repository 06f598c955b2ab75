#include "models/liquid/view_levels.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "base/error.h"

namespace phlo::models {
namespace {

/// The finest level that a sight asks for at a distance: cells of about `pixels`, the finest ones at most.
int level_at(double distance, const Sight& sight, const LevelQuery& query, double pixels) {
    const double cell = pixels * sight.pixel * distance;   // [m]
    const int coarser = cell > query.domain.h ? int(std::log2(cell / query.domain.h)) : 0;
    return std::max(0, query.depth - coarser);
}

}  // namespace

bool Sight::sees(const Vec3d& center, double radius) const {
    const Vec3d to = center - position;
    const double depth = dot(to, forward);
    if (depth < -radius) return false;
    // A ball lies outside of a side of the pyramid if it is farther from that plane than its radius.
    const double x = std::fabs(dot(to, right)) - half_width * depth, y = std::fabs(dot(to, up)) - half_height * depth;
    return x <= radius * std::hypot(1.0, half_width) && y <= radius * std::hypot(1.0, half_height);
}

Sight sight(const AdaptView& view, const field::Domain& domain, double time) {
    PHLO_CHECK(view.position.has_value());
    Sight s;
    s.position = (*view.position)(time);
    const Vec3d target = view.target ? (*view.target)(time) : domain.origin + domain.size() * 0.5, way = target - s.position;
    s.forward = length(way) > 0 ? normalized(way) : Vec3d(0, 1, 0);
    s.right = normalized(cross(s.forward, std::fabs(s.forward.z) > 0.999 ? Vec3d(0, 1, 0) : Vec3d(0, 0, 1)));
    s.up = cross(s.right, s.forward);
    const double half = std::tan(0.5 * view.fov(time) * std::numbers::pi / 180);
    s.pixel = 2 * half / view.height;
    s.half_height = half * (1 + view.margin);
    s.half_width = s.half_height * view.aspect;
    return s;
}

std::vector<Sight> sights_around(const AdaptView& view, const field::Domain& domain, double time, double frame) {
    std::vector<Sight> all;
    if (!view.position) return all;
    const int ahead = int(std::ceil(view.ahead / frame - 1e-6));
    for (int n = -1; n <= ahead; ++n) all.push_back(sight(view, domain, time + n * frame));
    return all;
}

std::vector<std::int8_t> levels_by_view(const LevelQuery& query, const AdaptParams& params, std::span<const Sight> sights) {
    if (sights.empty()) return levels_by_surface(query);
    const Vec3i n = query.base;
    const double block = query.domain.h * (1 << query.depth), radius = 0.5 * std::sqrt(3.0) * block;
    std::vector<std::int8_t> levels(query.holds.size(), 0);
    for (int b = 0; b < int(levels.size()); ++b) {
        const Holds holds = query.holds[std::size_t(b)];
        if (holds == Holds::air) continue;
        const bool surface = holds == Holds::surface;
        int level = surface ? std::max(0, query.depth - params.surface_outside) : 0;
        const Vec3d center = query.domain.origin + (Vec3d(b % n.x, b / n.x % n.y, b / n.x / n.y) + Vec3d(0.5)) * block;
        for (const Sight& s : sights) {
            if (!s.sees(center, radius)) continue;
            const double near = std::max(0.0, length(center - s.position) - radius);
            level = std::max(level, level_at(near, s, query, params.view.pixels) - (surface ? 0 : 1));
        }
        levels[std::size_t(b)] = std::int8_t(level);
    }
    return levels;
}

}  // namespace phlo::models
