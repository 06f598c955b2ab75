// Free rigid bodies that meet walls, other bodies and each other: impulses with restitution and Coulomb friction.
//
//   std::vector<Mover> movers = {{.shape = &ball_shape, .body = &ball, .restitution = 0.3}};
//   Obstacles around{.planes = {{.normal = {0, 0, 1}, .offset = 0}}, .placed = place(bodies, t)};
//   step_contacts(movers, around, dt);         // moves them by dt, under movers' own accelerations
//
// A step is cut into sub-steps of 2 ms or less. In each, the forces act first; then every point that would touch something within the
// sub-step becomes a contact, and the impulses of all contacts are found together by sequential (projected Gauss-Seidel) iteration
// [catto2005]. A contact asks for a normal velocity of
//
//      e |v|         if it arrives faster than resting contact does: it bounces
//      -gap / dt     otherwise: it may close the gap, not more. Bodies come to rest without sinking in and without trembling
//
// Overlap (a scene may begin with it) is taken away by moving the bodies apart, a part each sub-step: no velocity comes from it.
//
// A body touches with a few of its points: a sphere with its centre, a capsule with points of its axis (both with their radius), a box
// with its corners and edges, a cylinder with its rims, a mesh with the corners that stick out farthest. Each body's points are held
// against the other's signed distance.
#pragma once
#include <span>
#include <vector>

#include "geom/placement.h"
#include "geom/rigid.h"

namespace phlo::geom {

struct TouchPoint {
    Vec3d local{};  ///< in the shape's frame [m]
    double radius = 0;  ///< of the ball around it [m]
};
std::vector<TouchPoint> touch_points(const Shape& shape);

struct Mover {
    const Shape* shape = nullptr;
    RigidBody* body = nullptr;
    Vec3d acceleration{};  ///< from gravity and the like [m/s^2]
    double restitution = 0.3;
    double friction = 0.5;
};

struct Plane {
    Vec3d normal{0, 0, 1};  ///< unit, away from the wall
    double offset = 0;  ///< dot(normal, p) of its points [m]
};

/// What does not give way. Bodies that move on keyframes are where `placed` says at the start of the step and go on with its velocity.
struct Obstacles {
    std::vector<Plane> planes = {};
    std::vector<Placement> placed = {};
    double friction = 0.5;
    double restitution = 1;  ///< the smaller of two bodies' counts
};

/// Moves the bodies by dt seconds under their accelerations.
void step_contacts(std::span<Mover> movers, const Obstacles& around, double dt);

/// Only takes away velocities into what is touched now: no bounce, nothing moves. `reach`: a gap this small counts as touching [m].
void stop_at_contacts(std::span<Mover> movers, const Obstacles& around, double reach);

}  // namespace phlo::geom
