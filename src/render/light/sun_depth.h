// How much gas lies between the sun and any point: optical depth on a grid whose third axis runs with the light.
//
//        \ \ \ \ \     columns along the light, one cell apart
//         o-o-o-o-o    each keeps the depth gathered so far, node by node:
//          \ \ \ \ \   before the first node it is 0, behind the last it stays: shadows on ground and bodies
//
//   SunDepth depth(volume, lights.to_sun);
//   float transmittance = std::exp(-depth.at(world_point));
#pragma once
#include <vector>

#include "render/volumes/volume.h"

namespace phlo::render {

class SunDepth {
public:
    SunDepth() = default;
    /// `spacing` in cells of the volume.
    SunDepth(const OpticalVolume& volume, const Vec3f& to_sun, float spacing = 1);

    float at(const Vec3f& world) const { return at_node(to_nodes(world)); }
    /// The same as if the sun stood a little aside: `offset` is the slope of its direction along the two side axes.
    float at(const Vec3f& world, float offset_u, float offset_v) const;

    bool empty() const { return depth_.empty(); }
    const Vec3f& side_u() const { return u_; }
    const Vec3f& side_v() const { return v_; }

private:
    Vec3f to_nodes(const Vec3f& world) const {
        const Vec3f p = world - origin_;
        return Vec3f(dot(p, u_), dot(p, v_), dot(p, w_)) * inverse_spacing_;
    }
    float at_node(Vec3f p) const;

    Vec3f u_, v_, w_, origin_;         ///< w_ runs with the light
    float spacing_ = 1, inverse_spacing_ = 1;
    Vec3i count_;                      ///< nodes; w fastest in memory
    std::vector<float> depth_;
};

}  // namespace phlo::render
