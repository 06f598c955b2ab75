// Closed triangle surfaces: read, checked, and asked for their signed distance.
//
//   auto dragon = load_mesh("dragon.obj", 0.01);      // a file in centimetres
//   dragon->signed_distance({0, 0, 0.3});
//
// A surface is accepted if it bounds a solid: every edge belongs to exactly two triangles. Anything else is an InputError that
// says how many edges are open. Triangles may be listed in any orientation; shells lying inside another one stay cavities if
// they are oriented as such, all others enclose solid matter.
#pragma once
#include <filesystem>
#include <memory>
#include <string>

#include "field/frame.h"
#include "geom/bounds.h"

namespace phlo::geom {

class ClosedMesh {
public:
    /// Welds equal points, drops triangles without area, checks, and orients outward. `name` is for error messages.
    ClosedMesh(field::TriangleMesh triangles, const std::string& name);
    ~ClosedMesh();
    ClosedMesh(const ClosedMesh&) = delete;
    ClosedMesh& operator=(const ClosedMesh&) = delete;

    /// Exact distance to the nearest triangle, negative inside. Several threads may ask at once.
    double signed_distance(const Vec3d& p) const;
    /// The same up to the distance `exact_within`; farther away from a lattice kept for the purpose, wrong by a percent of the
    /// surface's size at most, and many times faster.
    double quick_distance(const Vec3d& p, double exact_within) const;
    const Bounds& bounds() const;
    double volume() const;
    const field::TriangleMesh& triangles() const;  ///< welded and oriented

private:
    struct Data;
    std::unique_ptr<Data> data_;
};

/// Reads any format assimp knows (obj, ply, stl, gltf, ...); all meshes of the file become one surface, in metres after `scale`.
std::shared_ptr<const ClosedMesh> load_mesh(const std::filesystem::path& file, double scale = 1);

}  // namespace phlo::geom
