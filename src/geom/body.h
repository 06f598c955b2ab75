// A solid in the scene: a shape, how it moves, how the fluid meets it, and what it does to the fluid.
//
//   Body ball{.name = "ball", .shape = Sphere{.radius = 0.2}, .motion = {.position = Curve<Vec3d>{Vec3d(0, 0, 1)}}};
//   ball.signed_distance(world_point, t);
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "base/curve.h"
#include "base/vec.h"
#include "geom/motion.h"
#include "geom/shape.h"

namespace phlo::geom {

/// What a body needs that forces move.
struct FreeMotion {
    double density = 600;  ///< [kg/m^3]
    Vec3d velocity;  ///< at the start [m/s]
    Vec3d spin;  ///< angular velocity at the start [rad/s]
    double restitution = 0.3;  ///< share of the speed that a bounce keeps
    double friction = 0.5;  ///< Coulomb's coefficient
    double expansion = 0;  ///< beta: a warm body's density is density / (1 + beta (T - T at the start)) [1/K]
    double drag = 0.02;  ///< friction of the gas along the surface: stress over rho v^2 / 2
};

/// What gas can eat of a body.
struct Erosion {
    std::string species = {};  ///< the solid that it is made of; empty: gas does not eat it
    bool loose_falls = true;  ///< parts that come loose become free bodies; false: they vanish
    double loose_density = 600;  ///< of such bodies, if the whole is not a free body itself [kg/m^3]
    double detail = 2;  ///< samples of its surface along a cell of the gas
    double grain = 0;  ///< its hard and soft spots: the rate is multiplied by exp(grain n), n noise of about -1 to 1
    double grain_scale = 0.05;  ///< size of the largest of them [m]
    int grain_octaves = 3;
    int grain_seed = 1;

    bool any() const { return !species.empty(); }
};

struct Body {
    std::string name;
    Shape shape;
    Motion motion;
    std::optional<FreeMotion> free = {};  ///< moved by forces; `motion` then says where it starts
    bool no_slip = false;  ///< true: the fluid sticks to it; false: it slides along
    Vec3f color{0.5f, 0.5f, 0.5f};  ///< linear RGB reflectance
    std::optional<Curve<double>> temperature = {};  ///< [K]; none: no heat passes its surface
    double heat_transfer = 25;  ///< [W/(m^2 K)] through its surface
    double heat_capacity = 0;  ///< [J/(kg K)] of a free body, which then warms and cools; 0: it keeps to `temperature`
    struct Catalyst {
        using Value = double;
        std::string name;
        double value = 0;  ///< [mol/m^3]
    };
    std::vector<Catalyst> catalyst = {};  ///< species on its surface
    double catalyst_layer = 0.01;  ///< in which they have these concentrations [m]
    Erosion erosion = {};  ///< what it is made of, if gas can eat it
    int revision = 0;  ///< counts the changes of its shape: who made something of the shape looks here whether it still holds

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
