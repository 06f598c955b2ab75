// Light that surfaces receive: the sky's, dimmed by gas and bodies (soft: baked at vertices and on a coarse map of the ground), and
// the sun's, with soft shadows.
#pragma once
#include "render/preview.h"
#include "render/sky_light.h"
#include "render/sun_depth.h"

namespace phlo::render {

class SurfaceLight {
public:
    SurfaceLight(const RenderScene& scene, Surfaces& surfaces, const SkyLight& sky, const SunDepth& depth);

    /// Radiance towards the camera. `noise` and `sample` choose the points on the sun's disc.
    Vec3f radiance(const Hit& hit, float noise, int sample) const;

private:
    Vec3f sky_light(const Vec3f& point, const Vec3f& normal) const;
    Vec3f ground_sky_light(const Vec3f& point) const;
    void map_ground();

    const RenderScene& scene_;
    const Surfaces& surfaces_;
    const SkyLight& sky_;
    const SunDepth& depth_;
    float offset_ = 0;                  ///< shadow rays start this far off the surface [m]
    static constexpr int map_size = 56;
    Vec3f map_low_, map_scale_;         ///< ground point to map cells
    std::vector<Vec3f> map_;
    Vec3f open_ground_;                 ///< sky light far from everything
};

}  // namespace phlo::render
