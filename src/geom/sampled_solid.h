// A solid known by its signed distance on a lattice in its own frame: what is left of a body that something eats, or any shape that has no formula.
//
//   auto rest = std::make_shared<SampledSolid>(shape, 0.01);         // samples a centimetre apart
//   rest->distance(i, j, k) += 0.002f;  rest->update();               // who changes distances says so
//   Shape what_is_left(Sampled{rest});
//
// Between samples distances are linear along each axis. Beyond the lattice, which reaches a few samples past the surface, the way to the lattice is
// added. The surface is the zero of the samples by marching cubes, closed and oriented outward; it is empty when nothing is left.
#pragma once
#include "field/domain.h"
#include "field/frame.h"
#include "geom/bounds.h"

namespace phlo::geom {

class Shape;

class SampledSolid {
public:
    static constexpr int margin = 4;   ///< samples between a shape and the edge of its lattice

    SampledSolid(const Shape& shape, double spacing);
    /// Distances that somebody else found; `cells` of the domain are the samples' own.
    SampledSolid(const field::Domain& lattice, field::Grid distances);

    field::Domain lattice;     ///< samples stand at the centres of its cells
    field::Grid distance;      ///< [m]; < 0 inside. Call update() after a change

    /// Makes surface, bounds, volume and area anew.
    void update();
    const field::TriangleMesh& surface() const { return surface_; }
    const Bounds& bounds() const { return bounds_; }   ///< of the surface; a point if nothing is left
    double volume() const { return volume_; }          ///< [m^3]
    double area() const { return area_; }              ///< [m^2]
    bool gone() const { return surface_.triangles.empty(); }

    double signed_distance(const Vec3d& p) const { return sample(distance, p, true); }
    /// Another field on the same lattice, between its samples; outside as at its edge.
    double value(const field::Grid& field, const Vec3d& p) const { return sample(field, p, false); }

private:
    double sample(const field::Grid& field, const Vec3d& p, bool grows_outside) const;

    field::TriangleMesh surface_;
    Bounds bounds_;
    double volume_ = 0, area_ = 0;
};

/// The lattice that SampledSolid would take for a shape.
field::Domain sampling_lattice(const Bounds& bounds, double spacing);

}  // namespace phlo::geom
