#include "field/frame.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/parallel.h"

namespace phlo::field {
namespace {

template <class List>
auto* named(const List& list, const std::string& name) {
    for (const auto& one : list)
        if (one.name == name) return &one;
    return static_cast<typename List::const_pointer>(nullptr);
}

/// Around all points of a set as balls.
Bounds around(const Points& set) {
    constexpr std::size_t chunk = 16384;
    return parallel_reduce(int((set.size() + chunk - 1) / chunk), Bounds(), [&](int c) {
        constexpr float far = std::numeric_limits<float>::infinity();
        Vec3f lower(far), upper(-far);
        for (std::size_t n = std::size_t(c) * chunk; n < std::min(set.size(), (std::size_t(c) + 1) * chunk); ++n) {
            lower = min(lower, set.position[n] - Vec3f(set.radius[n]));
            upper = max(upper, set.position[n] + Vec3f(set.radius[n]));
        }
        return Bounds{Vec3d(lower), Vec3d(upper)};
    }, [](Bounds a, const Bounds& b) { return a.include(b), a; });
}

}  // namespace

Bounds Frame::bounds() const {
    if (world) return *world;
    Bounds box;
    for (const Volume& volume : volumes) box.include(volume.room.bounds());
    if (velocity) box.include(velocity->room.bounds());
    for (const Points& set : points) box.include(around(set));
    for (const Surface& surface : surfaces)
        for (const Vec3f& p : surface.mesh.points) box.include(Vec3d(p));
    return box;
}

const Volume* Frame::find(const std::string& name) const { return named(volumes, name); }

const Points* Frame::find_points(const std::string& name) const { return named(points, name); }

Vec3i cells_between(const Domain& room, const Domain& part) {
    const Vec3d way = (part.origin - room.origin) / room.h;
    return {int(std::lround(way.x)), int(std::lround(way.y)), int(std::lround(way.z))};
}

}  // namespace phlo::field
