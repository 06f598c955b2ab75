// A solid kneaded from simple shapes: parts flow into each other, or are carved out of what was there before them.
//
//   Sculpture head{.parts = {{.shape = Sphere{.radius = 0.1}, .scale = {0.8, 1, 1.3}}, {.shape = Sphere{.radius = 0.03}, .position = {0, -0.1, 0}}}};
//   Shape statue(Mesh{sculpt(head), "", 1, std::make_shared<Sculpture>(head)});
//
// Parts are joined in their order by a minimum of their signed distances that is smooth over the width k (a parabola where two are within k of each
// other), and carved by the corresponding maximum; the surface is found by marching cubes on a lattice. A part that is scaled differently along its
// axes has no exact distance; its surface is exact, its joints are a little tighter.
#pragma once
#include <memory>
#include <vector>

#include "geom/pose.h"
#include "geom/shape.h"

namespace phlo::geom {

struct SculpturePart {
    Shape shape;
    Vec3d position = {};    ///< [m]
    Vec3d rotation = {};    ///< Euler angles [rad], see Rotation::from_euler
    Vec3d scale{1, 1, 1};   ///< along the shape's own axes
    bool carves = false;    ///< taken away instead of added
};

struct Sculpture {
    std::vector<SculpturePart> parts = {};
    double smooth = 0.02;   ///< width over which parts flow into each other [m]
    int detail = 96;        ///< cells of the lattice along the longest side
};

/// < 0 inside; at most the distance to the surface, in size, near it [m].
double signed_distance(const Sculpture& sculpture, const Vec3d& p);

/// Its surface. Throws InputError if nothing is left of it.
std::shared_ptr<const ClosedMesh> sculpt(const Sculpture& sculpture);

}  // namespace phlo::geom
