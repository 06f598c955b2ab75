// What a solver shows of one moment, and all that rendering sees: volumes, a velocity, surfaces and points, and where they are.
// Caches on disk are Frames; a Frame can come from any program that writes the usual grid names.
//
//   Frame frame{.time = 0.5, .world = Bounds{{0, 0, 0}, {1, 1, 2}}};
//   frame.volumes.push_back({.name = "density", .unit = "1", .domain = domain, .room = domain, .grid = grid});
//   frame.points.push_back({.name = "sparks", .position = places, .radius = radii, .columns = {{"temperature", kelvin}}});
//   if (const Volume* density = frame.find("density")) ...
//
// A Frame owns what it holds, and what it holds never changes: a view may read it on another thread while the solver goes on.
#pragma once
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "field/bounds.h"
#include "field/domain.h"
#include "field/mac.h"

namespace phlo::field {

enum class VolumeClass {
    fog,        ///< an amount in each cell; empty space has the background value
    level_set,  ///< distance to a surface [m], negative inside; correct within `background` of it
};

/// A number in each cell of a lattice. Volumes of one frame may lie on different lattices.
struct Volume {
    std::string name;                   ///< density, temperature, flame, c_<species> ...
    std::string unit = {};              ///< "kg/m^3", "K", ...
    VolumeClass kind = VolumeClass::fog;
    float background = 0;               ///< value of empty space; of a level set the width of its band on either side [m]
    float negligible = 0;               ///< of fog: a value this close to the background counts as empty space, and is not stored
    Domain domain = {};                 ///< the cells that are stored
    Domain room = {};                   ///< the whole lattice of which they are a part; all of it is empty elsewhere
    std::shared_ptr<const Grid> grid = {};
};

/// The velocity on the faces of a lattice [m/s].
struct FaceVelocity {
    Domain domain, room;                ///< as of a Volume
    std::shared_ptr<const MacGrid> faces;
};

struct TriangleMesh {
    std::vector<Vec3f> points;          ///< world space [m]
    std::vector<Vec3i> triangles;       ///< counter-clockwise seen from outside
};

struct Surface {
    std::string name;                   ///< the body's name
    Vec3f color{0.5f, 0.5f, 0.5f};      ///< linear RGB reflectance
    TriangleMesh mesh;
    std::vector<Vec3f> velocity = {};   ///< of each point of the mesh [m/s]; empty: it stands still
    std::string substance = {};         ///< the liquid that fills it: water, milk, ...; empty: it is a body
};

/// One value a point.
using Column = std::variant<std::vector<float>, std::vector<std::int32_t>, std::vector<Vec3f>>;

/// Particles to be seen: soot, sparks, tracers. Their order survives a cache.
struct Points {
    std::string name;                          ///< soot, ...
    std::vector<std::uint64_t> id = {};        ///< the same point has the same one in every frame; empty: nobody knows
    std::vector<Vec3f> position = {};          ///< world space [m]
    std::vector<Vec3f> velocity = {};          ///< [m/s]; empty: nobody knows
    std::vector<float> radius = {};            ///< [m]; one a point
    std::map<std::string, Column> columns = {};///< temperature, age, ...

    std::size_t size() const { return position.size(); }
    /// Null if there is no such column, or one of another type.
    template <class T>
    const std::vector<T>* column(const std::string& column_name) const {
        const auto found = columns.find(column_name);
        return found == columns.end() ? nullptr : std::get_if<std::vector<T>>(&found->second);
    }
};

struct Frame {
    int number = 1;
    double time = 0;                    ///< [s]
    double fps = 24;
    std::optional<Bounds> world = {};   ///< the box in which the model lives [m]; none: it has no walls
    std::vector<Volume> volumes = {};
    std::optional<FaceVelocity> velocity = {};
    std::vector<Surface> surfaces = {};
    std::vector<Points> points = {};
    std::map<std::string, std::string> metadata = {};   ///< scene hash, units, program version

    /// The world, or, if there is none, the box of all that the frame holds; empty if that is nothing.
    Bounds bounds() const;
    const Volume* find(const std::string& name) const;
    const Points* find_points(const std::string& name) const;
};

/// Cells from the lower corner of a lattice to that of a part of it.
Vec3i cells_between(const Domain& room, const Domain& part);

}  // namespace phlo::field
