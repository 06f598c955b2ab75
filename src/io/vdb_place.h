// Only for the .cpp files of io/: where the voxels of a grid lie.
#pragma once
#include <openvdb/openvdb.h>

#include <filesystem>

#include "field/domain.h"

namespace phlo::io {

/// Cubic, unrotated voxels. Anything else cannot become a Frame.
struct Place {
    double h = 1;
    Vec3d center;  ///< world position of the centre of voxel (0, 0, 0)

    /// The same up to rounding.
    bool operator==(const Place& o) const { return std::fabs(h - o.h) < 1e-6 * h && length(center - o.center) < 1e-3 * h; }
};

inline Vec3d vec(const openvdb::Vec3d& v) { return {v.x(), v.y(), v.z()}; }
inline Vec3i vec(const openvdb::Vec3i& v) { return {v.x(), v.y(), v.z()}; }

/// Throws RunError or InputError, naming file and grid.
Place place_of(const std::filesystem::path& path, const openvdb::GridBase& grid);

/// Voxel (i, j, k) is the centre of cell (i, j, k).
openvdb::math::Transform::Ptr transform_of(const field::Domain& lattice);

}  // namespace phlo::io
