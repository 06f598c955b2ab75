#include "io/vdb_place.h"

#include <fmt/format.h>

#include "base/error.h"

namespace phlo::io {

Place place_of(const std::filesystem::path& path, const openvdb::GridBase& grid) {
    const openvdb::math::Transform& transform = grid.transform();
    const Vec3d zero = vec(transform.indexToWorld(openvdb::Vec3d(0, 0, 0)));
    const double h = transform.voxelSize().x();
    constexpr double smallest = 1e-9, largest = 1e9;  // [m]
    if (!(h > smallest && h < largest))
        throw RunError(
            fmt::format("{}: grid '{}' has voxels of {} m; expected {} m to {} m", path.string(), grid.getName(), h, smallest, largest));
    // World positions are floats, with seven digits.
    if (const double away = std::max({std::fabs(zero.x), std::fabs(zero.y), std::fabs(zero.z)}) / h; !(away < 1e6))
        throw RunError(fmt::format("{}: grid '{}' lies {:.3g} voxels from the world's origin, too far to place them; move it closer",
                                   path.string(), grid.getName(), away));
    for (int axis = 0; axis < 3; ++axis) {
        openvdb::Vec3d step(0);
        step[axis] = 1;
        Vec3d expected;
        expected[axis] = h;
        if (!transform.isLinear() || !(length(vec(transform.indexToWorld(step)) - zero - expected) < 1e-5 * h))
            throw InputError(fmt::format("{}: grid '{}' has a rotated, sheared or uneven transform; only cubic, upright voxels can be read",
                                         path.string(), grid.getName()));
    }
    return {h, zero};
}

openvdb::math::Transform::Ptr transform_of(const field::Domain& lattice) {
    const Vec3d center = lattice.cell_center(0, 0, 0);
    auto transform = openvdb::math::Transform::createLinearTransform(lattice.h);
    transform->postTranslate(openvdb::Vec3d(center.x, center.y, center.z));
    return transform;
}

}  // namespace phlo::io
