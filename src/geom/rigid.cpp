#include "geom/rigid.h"

#include <algorithm>
#include <cmath>

namespace phlo::geom {
namespace {

Rotation turned(const Rotation& r, const Vec3d& angle) {
    const double size = length(angle);
    if (!(size > 0)) return r;
    const Rotation next = Rotation::about(angle / size, size) * r;
    const double norm = std::sqrt(next.w * next.w + dot(next.v, next.v));
    return {next.w / norm, next.v / norm};
}

constexpr double largest_turn = 0.1;  ///< [rad] of one midpoint step

}  // namespace

RigidBody make_rigid(const Shape& shape, const Pose& pose, double density, const Vec3d& velocity, const Vec3d& omega) {
    RigidBody body{.mass = mass_properties(shape, density), .state = {}};
    body.state = {
        .position = pose.world_from_local(body.mass.center), .rotation = pose.rotation, .velocity = velocity, .angular_momentum = {}};
    set_angular_velocity(body, omega);
    return body;
}

Pose pose(const RigidBody& body) {
    const RigidState& s = body.state;
    return {s.position - s.rotation(body.mass.center), s.rotation};
}

Vec3d inverse_inertia(const RigidBody& body, const Vec3d& v) {
    const Rotation frame = body.state.rotation * body.mass.axes;
    const Vec3d local = frame.inverse()(v), &m = body.mass.moments;
    return frame(Vec3d(local.x / m.x, local.y / m.y, local.z / m.z));
}

Vec3d angular_velocity(const RigidBody& body) { return inverse_inertia(body, body.state.angular_momentum); }

void set_angular_velocity(RigidBody& body, const Vec3d& omega) {
    const Rotation frame = body.state.rotation * body.mass.axes;
    body.state.angular_momentum = frame(frame.inverse()(omega) * body.mass.moments);
}

Vec3d velocity_at(const RigidBody& body, const Vec3d& world) {
    return body.state.velocity + cross(angular_velocity(body), world - body.state.position);
}

Vec3d principal_axis(const RigidBody& body, int axis) {
    Vec3d e;
    e[axis] = 1;
    return (body.state.rotation * body.mass.axes)(e);
}

double kinetic_energy(const RigidBody& body) {
    const RigidState& s = body.state;
    return 0.5 * (body.mass.mass * dot(s.velocity, s.velocity) + dot(s.angular_momentum, angular_velocity(body)));
}

void push(RigidBody& body, const Vec3d& world, const Vec3d& impulse) {
    body.state.velocity += impulse / body.mass.mass;
    body.state.angular_momentum += cross(world - body.state.position, impulse);
}

void coast(RigidBody& body, double dt) { coast(body, dt, body.state.velocity); }

void coast(RigidBody& body, double dt, const Vec3d& velocity) {
    body.state.position += velocity * dt;
    const int parts = int(std::clamp(std::ceil(length(angular_velocity(body)) * dt / largest_turn), 1.0, 1000.0));
    for (int part = 0; part < parts; ++part) {
        const Rotation start = body.state.rotation;
        const double step = dt / parts;
        body.state.rotation = turned(start, angular_velocity(body) * (0.5 * step));
        body.state.rotation = turned(start, angular_velocity(body) * step);
    }
}

}  // namespace phlo::geom
