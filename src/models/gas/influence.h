// How far a particle reaches: a Gaussian of standard deviation r_sp that ends at r_sp, and integrates to one over its sphere
// [kang2007, sec. 3.4.2, with the normalisation of the part that is used].
//
//   const Influence influence(r_sp);
//   influence.shape(d2);               // w / w(0) at the squared distance d2 <= r_sp²
//   1 / influence.volume;              // w(0) [1/m³]
//   influence.share_inside(d);         // how much of it lies on this side of a wall at distance d
#pragma once
#include <cmath>
#include <numbers>

namespace phlo::models {

struct Influence {
    double radius;                 ///< r_sp [m]
    float radius_squared, scale;   ///< [m²], and 1 / (2 r_sp²)
    double volume;                 ///< 1 / w(0): of gas that the sphere stands for [m³]

    explicit Influence(double r_sp)
        : radius(r_sp), radius_squared(float(r_sp * r_sp)), scale(float(0.5 / (r_sp * r_sp))),
          volume(4 * std::numbers::pi * r_sp * r_sp * r_sp * (half_bell(1) - std::exp(-0.5))) {}

    /// The same with another radius.
    Influence with_radius(double r) const {
        Influence other = *this;
        const double times = r / radius;
        other.radius = r, other.radius_squared = float(r * r), other.scale = float(0.5 / (r * r)), other.volume = volume * times * times * times;
        return other;
    }

    /// exp(-d²/2r²) for d <= r, by its series: 1e-8 exact on [0, 1/2].
    float shape(float distance_squared) const {
        const float q = distance_squared * scale;
        float sum = 1.0f / 40320;
        for (const float c : {-1.0f / 5040, 1.0f / 720, -1.0f / 120, 1.0f / 24, -1.0f / 6, 0.5f, -1.0f, 1.0f}) sum = sum * q + c;
        return sum;
    }

    /// Of the whole kernel; `distance` of the wall from its centre [m]. Integral of the marginal 2π (exp(-z²/2) - exp(-1/2)).
    double share_inside(double distance) const {
        const double u = distance / radius;
        if (u >= 1) return 1;
        const double part = half_bell(u) + half_bell(1) - std::exp(-0.5) * (u + 1);
        return part / (2 * (half_bell(1) - std::exp(-0.5)));
    }

private:
    /// Integral of exp(-s²/2) from 0 to u.
    static double half_bell(double u) { return std::sqrt(std::numbers::pi / 2) * std::erf(u / std::numbers::sqrt2); }
};

}  // namespace phlo::models
