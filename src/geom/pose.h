// Where a body is and how it is turned.
//
//   Pose pose{.position = {0, 0, 1}, .rotation = Rotation::from_euler({0, 0, pi / 2})};
//   pose.world_from_local({1, 0, 0});      // (0, 1, 1)
#pragma once
#include "base/vec.h"
#include "geom/bounds.h"

namespace phlo::geom {

/// A unit quaternion w + x i + y j + z k.
struct Rotation {
    double w = 1;
    Vec3d v;  ///< x, y, z

    /// Turns by angles.x about x, then by angles.y about y, then by angles.z about z (all world axes) [rad]. "XYZ Euler" in Blender.
    static Rotation from_euler(const Vec3d& angles);
    static Rotation about(const Vec3d& unit_axis, double angle);

    Rotation inverse() const { return {w, -v}; }
    Vec3d operator()(const Vec3d& p) const {
        const Vec3d t = cross(v, p) * 2.0;
        return p + t * w + cross(v, t);
    }
    /// First b, then a.
    friend Rotation operator*(const Rotation& a, const Rotation& b) {
        return {a.w * b.w - dot(a.v, b.v), a.w * b.v + b.w * a.v + cross(a.v, b.v)};
    }
};

struct Pose {
    Vec3d position;  ///< of the shape's origin [m]
    Rotation rotation{};

    Vec3d world_from_local(const Vec3d& p) const { return position + rotation(p); }
    Vec3d local_from_world(const Vec3d& p) const { return rotation.inverse()(p - position); }
    /// Smallest world box around the turned local box.
    Bounds world_from_local(const Bounds& local) const;
};

}  // namespace phlo::geom
