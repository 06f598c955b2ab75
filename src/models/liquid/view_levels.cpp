#include "models/liquid/view_levels.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "base/error.h"
#include "field/blocks.h"

namespace phlo::models {
namespace {

enum class Kind : std::uint8_t { air, beside, water, surface };

/// Visits base cells of a box of base cells, which may reach beyond the array.
template <class Visit>
void each_base(const Vec3i& base, const Vec3i& first, const Vec3i& last, const Visit& visit) {
    for (int z = std::max(first.z, 0); z <= std::min(last.z, base.z - 1); ++z)
        for (int y = std::max(first.y, 0); y <= std::min(last.y, base.y - 1); ++y)
            for (int x = std::max(first.x, 0); x <= std::min(last.x, base.x - 1); ++x) visit(std::size_t(x + base.x * (y + base.y * z)));
}

/// Base cells within the margin of the surface are surface, those that touch them are beside it.
std::vector<Kind> kinds(const LevelWishes& wishes) {
    const Vec3i n = wishes.base;
    std::vector<Kind> all(wishes.what.size(), Kind::air);
    const auto raise = [&](std::size_t b, Kind kind) { all[b] = std::max(all[b], kind); };
    const double block = 1 << wishes.depth;
    const auto base_at = [&](const Vec3f& p, double shift) {
        return Vec3i(int(std::floor((double(p.x) + shift) / block)), int(std::floor((double(p.y) + shift) / block)), int(std::floor((double(p.z) + shift) / block)));
    };
    for (std::size_t b = 0; b < all.size(); ++b) {
        const BaseContent& content = wishes.what[b];
        if (content.water) raise(b, Kind::water);
        if (!content.surface) continue;
        const Vec3i first = base_at(content.lower, -wishes.margin), last = base_at(content.upper, wishes.margin);
        each_base(n, first, last, [&](std::size_t c) { raise(c, Kind::surface); });
        each_base(n, first - Vec3i(1), last + Vec3i(1), [&](std::size_t c) { raise(c, Kind::beside); });
    }
    return all;
}

/// The finest level that a sight asks for at a distance: cells of about `pixels`, the finest ones at most.
int level_at(double distance, const Sight& sight, const LevelWishes& wishes, double pixels) {
    const double cell = pixels * sight.pixel * distance;   // [m]
    const int coarser = cell > wishes.domain.h ? int(std::log2(cell / wishes.domain.h)) : 0;
    return std::max(0, wishes.depth - coarser);
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

std::vector<std::int8_t> view_levels(const LevelWishes& wishes, const AdaptParams& params, std::span<const Sight> sights) {
    const Vec3i n = wishes.base;
    const int depth = wishes.depth;
    PHLO_CHECK(wishes.what.size() == std::size_t(n.x) * std::size_t(n.y) * std::size_t(n.z));
    const std::vector<Kind> kind = kinds(wishes);
    const double block = wishes.domain.h * (1 << depth), radius = 0.5 * std::sqrt(3.0) * block;
    const bool all_seen = params.mode == AdaptMode::surface || sights.empty();

    std::vector<std::int8_t> levels(kind.size(), field::Blocks::none);
    for (int b = 0; b < int(levels.size()); ++b) {
        const Kind what = kind[std::size_t(b)];
        if (what == Kind::air) continue;
        const bool surface = what == Kind::surface;
        int level = surface ? std::max(0, depth - (all_seen ? 0 : params.surface_outside)) : 0;
        if (!all_seen && what != Kind::beside) {
            const Vec3d center = wishes.domain.origin + (Vec3d(b % n.x, b / n.x % n.y, b / n.x / n.y) + Vec3d(0.5)) * block;
            for (const Sight& s : sights) {
                if (!s.sees(center, radius)) continue;
                const double near = std::max(0.0, length(center - s.position) - radius);
                level = std::max(level, level_at(near, s, wishes, params.view.pixels) - (surface ? 0 : 1));
            }
        }
        levels[std::size_t(b)] = std::int8_t(level);
    }
    field::balance(n, levels);
    return levels;
}

}  // namespace phlo::models
