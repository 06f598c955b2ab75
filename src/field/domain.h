// Where a grid lies in the world: cubic cells of size h from a lower corner. z is up.
#pragma once
#include "field/bounds.h"
#include "field/grid.h"

namespace phlo::field {

struct Domain {
    Vec3i cells;
    Vec3d origin;   ///< world position of the lower corner [m]
    double h = 1;   ///< cell size [m]

    Vec3d size() const { return Vec3d(cells) * h; }
    Vec3d upper() const { return origin + size(); }
    Bounds bounds() const { return {origin, upper()}; }
    Vec3d cell_center(int i, int j, int k) const { return origin + Vec3d(i + 0.5, j + 0.5, k + 0.5) * h; }
    /// Centre of face (i, j, k) of the component along `axis`.
    Vec3d face_center(int axis, int i, int j, int k) const {
        Vec3d p = cell_center(i, j, k);
        p[axis] -= 0.5 * h;
        return p;
    }
    /// Continuous cell coordinates: the centre of cell (0, 0, 0) is at (0, 0, 0).
    Vec3d grid_from_world(const Vec3d& p) const { return (p - origin) / h - Vec3d(0.5); }
    friend bool operator==(const Domain&, const Domain&) = default;
};

}  // namespace phlo::field
