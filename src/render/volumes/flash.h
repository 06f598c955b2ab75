// The flash photon map: the glare of an explosion in the air around it.
//
// Flash photons start in the fire as all photons do. Each scattering in the gas takes a share of their energy; once out of the gas they
// fly straight on until their energy is spent, and leave light along their way by a density function:
//
//   way = reach * E * (1 - loss)^scatterings,    E = radiance of the cell over `fire.brightness`
//   density at the share s of the way = (1 - s)^falloff, or the user's expression in s
//
// A ray march adds it to the gas, alpha = alpha_ve + alpha_f, alpha C = alpha_ve C_ve + alpha_f Phi_p C_p, in the limit of small steps:
//
//   dL/dt = T (j + haze Phi),   dT/dt = -T (sigma_t + opacity |Phi|)
//
// with Phi the mean radiance of the flash, in the user's colour. The photons also light the surfaces that they fly towards.
//
//   FlashMap flash(scene, medium, fire, look.flash, look.fire.brightness);
//   Segment s = flash.march(lit, ray, distance, {.step = 0.5f, .jitter = noise});
#pragma once
#include "render/light/emitters.h"
#include "render/volumes/lit_volume.h"
#include "render/volumes/medium.h"
#include "render/preview.h"

namespace phlo::render {

class FlashMap {
public:
    FlashMap() = default;
    FlashMap(const RenderScene& scene, const Medium& medium, const EmissionSampler& fire, const FlashLook& look, double brightness,
             int photons = 240'000);

    bool empty() const { return light_.empty(); }
    /// Mean radiance of the flash at a point; 0 outside its grid.
    Vec3f at(const Vec3f& world) const;
    /// Its irradiance on a surface, over pi. `normal`: towards the side that is lit.
    Vec3f on(const Vec3f& point, const Vec3f& normal) const;
    /// Gas and flash together.
    Segment march(const LitVolume& lit, const Ray& ray, float distance, const MarchParams& params) const;

private:
    std::size_t index(int i, int j, int k) const {
        return std::size_t(i) + std::size_t(count_.x) * (std::size_t(j) + std::size_t(count_.y) * std::size_t(k));
    }
    template <class Value>
    Value interpolated(const std::vector<Value>& values, const Vec3f& world) const;
    void smooth(std::vector<Vec3f>& values) const;

    Vec3f origin_;
    float h_ = 1;  ///< [m]
    Vec3i count_;
    float haze_ = 0;  ///< what air adds to a ray, of the flash's mean radiance [1/m]
    float opacity_ = 0;  ///< and what it hides, per unit of luminance
    float surfaces_ = 0;  ///< how strongly surfaces are lit
    std::vector<Vec3f> light_;
    std::vector<Vec3f> flux_;  ///< the way that its luminance goes: net flux, over 4 pi
};

}  // namespace phlo::render
