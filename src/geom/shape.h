// The solids an animator can name, each around its own origin. A Shape is a value: copy it freely.
//
//   Shape ball(Sphere{.radius = 0.2});
//   Shape plank(Box{.size = {1, 0.3, 0.05}, .rounding = 0.01});
//   Shape dragon(Mesh{load_mesh("dragon.obj")});
//   ball.signed_distance({0.5, 0, 0});     // 0.3: exact Euclidean distance to the surface, negative inside
//
// Capsules, cylinders and cups stand along z. A Pose (pose.h) puts a shape into the world.
#pragma once
#include <array>
#include <memory>
#include <string>
#include <variant>

#include "base/vec.h"
#include "field/frame.h"
#include "geom/bounds.h"
#include "geom/mesh.h"

namespace phlo::geom {

struct Sphere {
    double radius = 0.1;  ///< [m]
};

struct Box {
    Vec3d size{0.2, 0.2, 0.2};  ///< full edge lengths, rounding included [m]
    double rounding = 0;  ///< radius of edges and corners, at most half the smallest edge [m]
};

struct Capsule {
    double radius = 0.1;  ///< [m]
    double height = 0.2;  ///< between the centres of its two half spheres: it is height + 2 radius tall [m]
};

struct Cylinder {
    double radius = 0.1;  ///< [m]
    double height = 0.2;  ///< [m]
};

/// A drinking glass, a bowl, a bucket: open at the top.
struct Cup {
    double radius = 0.035;  ///< outer one, at the bottom [m]
    double height = 0.1;  ///< [m]
    double wall = 0.003;  ///< its thickness, across the axis [m]
    double base = 0.006;  ///< thickness of the bottom [m]
    double flare = 0;  ///< so much wider at the top than at the bottom: added to the radius [m]
};

/// A closed line of (radius, z) around which a cup is turned: from the axis up its outside, down its inside, back to the axis.
struct ProfilePoint {
    double r = 0, z = 0;
};
std::array<ProfilePoint, 6> profile(const Cup& cup);

struct Sculpture;
struct Mesh {
    std::shared_ptr<const ClosedMesh> surface;  ///< from load_mesh() or a triangle soup that passes ClosedMesh's checks
    std::string file = {};  ///< where it came from, for the scene file
    double scale = 1;  ///< of the file's lengths
    std::shared_ptr<const Sculpture> recipe = {};  ///< that it was made by, instead of a file (sculpture.h)
};

class SampledSolid;
/// What is left of a body that is being eaten (sampled_solid.h); no scene can say it. Copies share the samples.
struct Sampled {
    std::shared_ptr<const SampledSolid> solid;
};

class Shape {
public:
    using Kind = std::variant<Sphere, Box, Capsule, Cylinder, Cup, Mesh, Sampled>;

    Shape() = default;  ///< a sphere of 10 cm radius
    /// Throws InputError for a shape without volume (zero, negative or non-finite sizes, too much rounding, no mesh).
    Shape(Kind kind);  // NOLINT: implicit on purpose, a Sphere is a Shape
    template <class K>
    requires std::is_constructible_v<Kind, K> &&(!std::is_same_v<std::remove_cvref_t<K>, Shape>)Shape(K kind)
        : Shape(Kind(std::move(kind))) {}

    const Kind& kind() const { return kind_; }
    /// Exact distance from `p` to the surface, negative inside [m].
    double signed_distance(const Vec3d& p) const;
    /// The same up to the distance `exact_within`; farther away a mesh may be wrong by a percent of its size, but answers at once.
    double quick_distance(const Vec3d& p, double exact_within) const;
    Bounds bounds() const;
    double volume() const;  ///< [m^3]
    /// A closed triangle surface, oriented outward; `segments` triangles go around a full turn of anything round.
    field::TriangleMesh tessellate(int segments = 96) const;

private:
    Kind kind_;
};

}  // namespace phlo::geom
