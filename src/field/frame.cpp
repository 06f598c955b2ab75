#include "field/frame.h"

#include <cmath>

namespace phlo::field {
namespace {

template <class List>
auto* named(const List& list, const std::string& name) {
    for (const auto& one : list)
        if (one.name == name) return &one;
    return static_cast<typename List::const_pointer>(nullptr);
}

}  // namespace

Bounds Frame::bounds() const {
    if (world) return *world;
    Bounds box;
    for (const Volume& volume : volumes) box.include(volume.room.bounds());
    if (velocity) box.include(velocity->room.bounds());
    for (const Points& set : points)
        for (std::size_t n = 0; n < set.size(); ++n) {
            const Vec3d center(set.position[n]);
            box.include(Bounds{center, center}.grown(double(set.radius[n])));
        }
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
