// A solid in the scene: a shape, how it moves, and how the fluid meets it.
//
//   Body ball{.name = "ball", .shape = Sphere{.radius = 0.2}, .motion = {.position = Curve<Vec3d>{Vec3d(0, 0, 1)}}};
//   ball.signed_distance(world_point, t);
#pragma once
#include <string>

#include "base/vec.h"
#include "geom/motion.h"
#include "geom/shape.h"

namespace phlo::geom {

struct Body {
    std::string name;
    Shape shape;
    Motion motion;
    bool no_slip = false;  ///< true: the fluid sticks to it; false: it slides along
    Vec3f color{0.5f, 0.5f, 0.5f};  ///< linear RGB reflectance

    Pose pose(double t) const { return motion.pose(t); }
    bool moves() const { return motion.moves(); }
    double signed_distance(const Vec3d& world, double t) const { return shape.signed_distance(pose(t).local_from_world(world)); }
    Bounds bounds(double t) const { return pose(t).world_from_local(shape.bounds()); }
    Vec3d velocity_at(const Vec3d& world, double t) const { return motion.velocity_at(world, t); }
    /// Its surface in the world, for rendering.
    field::Surface surface(const Pose& now, int segments = 96) const;
    field::Surface surface(double t, int segments = 96) const { return surface(pose(t), segments); }
};

}  // namespace phlo::geom
