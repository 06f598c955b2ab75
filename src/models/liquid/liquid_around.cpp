#include "models/liquid/liquid_around.h"

namespace phlo::models {

Vec3f LiquidAround::normal(const Vec3f& p) const {
    const Vec3f at = cells(p);
    Vec3f slope;
    for (int a = 0; a < 3; ++a) {
        Vec3f half;
        half[a] = 0.5f;
        slope[a] = particles::sample(*phi, at + half) - particles::sample(*phi, at - half);
    }
    const float steep = length(slope);
    return steep > 1e-3f * float(domain.h) ? slope / steep : Vec3f(0, 0, 1);
}

Vec3f LiquidAround::up() const {
    const double g = length(gravity);
    return g > 0 ? Vec3f(gravity / -g) : Vec3f();
}

}  // namespace phlo::models
