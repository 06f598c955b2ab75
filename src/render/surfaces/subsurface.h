// Light that enters a cloudy liquid, milk above all, and comes out of it nearby: diffusion from a dipole under each point of the surface [jensen2001b],
// summed over the corners of the mesh by a tree [jensen2002].
//
//   Subsurface milk(surfaces, entering);   // entering(point, normal, material): irradiance / pi, without what is reflected
//   Vec3f radiance = milk.towards(hit, eye);                    // that leaves the liquid
//
// What leaves is worked out once for each corner and is smooth between them. It is a mean of the light that enters around, weighted by the dipole, times the
// share that comes out of a flat surface; so slivers of a mesh, and meshes much coarser than light spreads, do no harm. A corner near by counts with the
// dipole's mean over a ring as wide as its patch, in closed form. It is all the light that goes through the liquid: nothing else shines through it.
//
//   symbol    meaning                                              unit
//   sigma_s'  reduced scattering, (1 - g) sigma_s                  1/m
//   sigma_tr  effective: light falls off as exp(-sigma_tr r)       1/m
//   z_r, z_v  depth of the true source, height of the mirrored     m
#pragma once
#include <functional>
#include <vector>

#include "render/surfaces/surfaces.h"

namespace phlo::render {

/// One colour of a cloudy material: how light spreads that enters a flat surface at a point.
struct Dipole {
    float albedo = 0, sigma_tr = 0, z_r = 0, z_v = 0;

    Dipole() = default;
    Dipole(float absorption, float reduced_scattering, float ior);
    /// Radiant exitance at a distance over the light that entered [1/m^2].
    float at(float distance_squared) const;
    /// The same, integrated over a disc around the point.
    float within(float radius) const;
    /// Its mean over a ring from `distance` - `half_width` to `distance` + `half_width`.
    float around(float distance, float half_width) const;
    /// Over everything: the share of the light that entered which comes out again.
    float total() const;
};

/// From now on it is a surface for all but the path tracer.
void make_cloudy(Material& material);
/// Of light that has entered a cloudy material through a flat border: the share that comes out again, if its inside sends back `albedo` to the border.
Vec3f comes_out(const Material& material, const Vec3f& albedo);

class Subsurface {
public:
    Subsurface() = default;
    Subsurface(const Surfaces& surfaces, const std::function<Vec3f(const Vec3f& point, const Vec3f& normal, const Material& of)>& entering);

    bool empty() const { return leaving_.empty(); }
    /// Of a hit on a cloudy material.
    Vec3f towards(const Hit& hit, const Vec3f& direction) const;

private:
    std::vector<Vec3f> leaving_;  ///< radiant exitance / pi at each corner of the surfaces
};

}  // namespace phlo::render
