#include "geom/motion.h"

#include <cmath>

#include "geom/body.h"
#include "geom/placement.h"

namespace phlo::geom {

Rotation Rotation::about(const Vec3d& unit_axis, double angle) { return {std::cos(angle / 2), unit_axis * std::sin(angle / 2)}; }

Rotation Rotation::from_euler(const Vec3d& angles) {
    return about({0, 0, 1}, angles.z) * about({0, 1, 0}, angles.y) * about({1, 0, 0}, angles.x);
}

Bounds Pose::world_from_local(const Bounds& local) const {
    // The half extent along a world axis is the sum of the turned local half extents: |R| e.
    const Vec3d center = world_from_local(local.center()), half = local.size() * 0.5;
    Vec3d extent;
    for (int axis = 0; axis < 3; ++axis) {
        Vec3d edge;
        edge[axis] = half[axis];
        const Vec3d turned = rotation(edge);
        extent += Vec3d(std::fabs(turned.x), std::fabs(turned.y), std::fabs(turned.z));
    }
    return {center - extent, center + extent};
}

Pose Motion::pose(double t) const { return {position(t), Rotation::from_euler(rotation(t))}; }

Vec3d Motion::angular_velocity(double t) const {
    if (rotation.is_constant()) return {};
    // R = Rz Ry Rx, so omega = c' ez + Rz (b' ey) + Rz Ry (a' ex).
    const Vec3d angles = rotation(t), rate = rotation.derivative(t);
    const Rotation rz = Rotation::about({0, 0, 1}, angles.z), ry = Rotation::about({0, 1, 0}, angles.y);
    return Vec3d(0, 0, rate.z) + rz(Vec3d(0, rate.y, 0) + ry(Vec3d(rate.x, 0, 0)));
}

Vec3d Motion::velocity_at(const Vec3d& world, double t) const {
    if (!moves()) return {};
    return position.derivative(t) + cross(angular_velocity(t), world - position(t));
}

Placement place(const Body& body, double time) {
    return {&body, body.pose(time), body.motion.position.derivative(time), body.motion.angular_velocity(time)};
}

std::vector<Placement> place(std::span<const Body> bodies, double time) {
    std::vector<Placement> result;
    for (const Body& body : bodies) result.push_back(place(body, time));
    return result;
}

field::Surface Body::surface(const Pose& now, int segments) const {
    field::Surface result{name, color, shape.tessellate(segments)};
    for (Vec3f& p : result.mesh.points) p = Vec3f(now.world_from_local(Vec3d(p)));
    return result;
}

field::Surface surface(const Placement& placed) {
    field::Surface result = placed.body->surface(placed.pose);
    if (placed.linear == Vec3d() && placed.angular == Vec3d()) return result;
    for (const Vec3f& p : result.mesh.points) result.velocity.push_back(Vec3f(placed.velocity_at(Vec3d(p))));
    return result;
}

}  // namespace phlo::geom
