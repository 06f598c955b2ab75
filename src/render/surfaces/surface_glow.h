// Bodies that shine, as lights: points of their surfaces, drawn by radiance and area.
//
//   SurfaceGlow glow(surfaces);
//   LightSample s = glow.sample(point, u, v, w);           // as sample_lamp
//   float density = glow.density(hit, ray.direction);      // with which sample() would have drawn the direction of a ray that hit it
#pragma once
#include "render/light/lamps.h"
#include "render/surfaces/surfaces.h"

namespace phlo::render {

class SurfaceGlow {
public:
    SurfaceGlow() = default;
    explicit SurfaceGlow(const Surfaces& surfaces);

    bool empty() const { return triangles_.empty(); }
    Vec3d power() const { return power_; }
    LightSample sample(const Vec3f& point, float choice, float u, float v) const;
    float density(const Hit& hit, const Vec3f& direction) const;
    /// The mean of its power is all of it.
    Emission emit(float offset, RandomStream& random) const;

private:
    struct Triangle {
        double sum;  ///< area times brightness of all up to this one, itself included
        Vec3f corner, a, b, face;  ///< edges from the corner; the unit normal
        Vec3f emission;
    };
    const Triangle& pick(float choice) const;

    std::vector<Triangle> triangles_;
    Vec3d power_;
};

}  // namespace phlo::render
