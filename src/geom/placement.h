// A body where it is now, however it came there: by its keyframes, or by forces.
//
//   std::vector<Placement> now = place(bodies, t);      // all of them by their keyframes
#pragma once
#include <span>
#include <vector>

#include "geom/body.h"

namespace phlo::geom {

struct Placement {
    const Body* body = nullptr;
    Pose pose{};
    Vec3d linear, angular;  ///< velocity of the pose's origin, and angular velocity [m/s, rad/s]

    Vec3d velocity_at(const Vec3d& world) const { return linear + cross(angular, world - pose.position); }
    double signed_distance(const Vec3d& world) const { return body->shape.signed_distance(pose.local_from_world(world)); }
};

Placement place(const Body& body, double time);
std::vector<Placement> place(std::span<const Body> bodies, double time);

/// Its surface in the world, with the velocity of each point if it moves.
field::Surface surface(const Placement& placed);

}  // namespace phlo::geom
