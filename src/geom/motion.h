// A prescribed movement: position and Euler angles as curves over time, with their exact velocities.
//
//   Motion motion{.position = Curve<Vec3d>{Vec3d(0, 0, 1)}};
//   motion.pose(t);  motion.velocity_at(point, t);
#pragma once
#include "base/curve.h"
#include "geom/pose.h"

namespace phlo::geom {

struct Motion {
    Curve<Vec3d> position{Vec3d()};  ///< [m]
    Curve<Vec3d> rotation{Vec3d()};  ///< Euler angles [rad], see Rotation::from_euler

    Pose pose(double t) const;
    /// Velocity of the material point that is at `world` at time t: v + omega x (world - position) [m/s].
    Vec3d velocity_at(const Vec3d& world, double t) const;
    Vec3d angular_velocity(double t) const;  ///< world frame [rad/s]
    bool moves() const { return !position.is_constant() || !rotation.is_constant(); }
};

}  // namespace phlo::geom
