// Light that surfaces receive: the sky's and the fire's, dimmed by gas and bodies (soft: baked at vertices and on coarse maps of the
// ground), and the sun's, with soft shadows. Light of sky and fire comes straight through liquids, dimmed; that of sun and lamps by caustic photons.
#pragma once
#include "render/light/fire_light.h"
#include "render/photons/caustics.h"
#include "render/surfaces/ground_map.h"
#include "render/surfaces/subsurface.h"
#include "render/preview.h"
#include "render/light/sky_light.h"
#include "render/light/sun_depth.h"

namespace phlo::render {

class SurfaceLight {
public:
    SurfaceLight(const RenderScene& scene, Surfaces& surfaces, const SkyLight& sky, const SunDepth& depth, const FireLight& fire,
                 const CausticMap& caustics);

    /// Radiance that a surface sends against `direction`, without what glossy and clear ones reflect of gas, sky and other surfaces.
    /// `noise` and `sample` choose the points on the sun's disc and on lamps.
    Vec3f radiance(const Hit& hit, const Vec3f& direction, float noise, int sample) const;

private:
    Vec3f entering(const Vec3f& point, const Vec3f& normal, const Material& material) const;
    Vec3f straight(const Hit& hit, const Vec3f& direction, float noise, int sample) const;
    Vec3f sunlight(const Hit& hit, const Vec3f& direction, float noise, int sample) const;
    Vec3f sky_light(const Vec3f& point, const Vec3f& normal) const;
    Vec3f fire_light(const Vec3f& point, const Vec3f& normal) const;

    const RenderScene& scene_;
    const Surfaces& surfaces_;
    const SkyLight& sky_;
    const SunDepth& depth_;
    const FireLight& fire_;
    const CausticMap& caustics_;        ///< what sun and lamps send through clear things
    std::vector<Lights::Ray> rays_;     ///< of the sky
    float offset_ = 0;                  ///< shadow rays start this far off the surface [m]
    GroundMap sky_map_, fire_map_;      ///< the second is empty without fire
    Subsurface cloudy_;
};

}  // namespace phlo::render
