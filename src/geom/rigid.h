// A rigid body that moves freely: its state, and how it coasts, turns and takes impulses. Contacts are in contact.h.
//
//   RigidBody ball = make_rigid(shape, {.position = {0, 0, 1}}, 600, velocity, spin);
//   push(ball, point, impulse);  coast(ball, dt);
//   Pose p = pose(ball);
//
// The state holds momenta, not the angular velocity: what no force touches stays exactly. Turning uses the midpoint rule on the
// rotation with the angular momentum held, second order and bounded in energy.
#pragma once
#include "geom/mass.h"
#include "geom/pose.h"

namespace phlo::geom {

struct RigidState {
    Vec3d position;  ///< of the centre of mass [m]
    Rotation rotation;  ///< from the shape's frame to the world
    Vec3d velocity;  ///< of the centre of mass [m/s]
    Vec3d angular_momentum;  ///< about the centre of mass [kg m^2/s]
};

struct RigidBody {
    MassProperties mass;
    RigidState state;
};

RigidBody make_rigid(const Shape& shape, const Pose& pose, double density, const Vec3d& velocity = {}, const Vec3d& angular_velocity = {});

Pose pose(const RigidBody& body);
/// I^-1 v in the world frame.
Vec3d inverse_inertia(const RigidBody& body, const Vec3d& v);
Vec3d angular_velocity(const RigidBody& body);
void set_angular_velocity(RigidBody& body, const Vec3d& omega);
Vec3d velocity_at(const RigidBody& body, const Vec3d& world);
/// The world direction of principal axis `axis`.
Vec3d principal_axis(const RigidBody& body, int axis);
double kinetic_energy(const RigidBody& body);

/// An impulse [N s] at a point of the world.
void push(RigidBody& body, const Vec3d& world, const Vec3d& impulse);
/// Goes on for dt seconds without any force, with `velocity` in place of its own along the way if one is given.
void coast(RigidBody& body, double dt);
void coast(RigidBody& body, double dt, const Vec3d& velocity);

}  // namespace phlo::geom
