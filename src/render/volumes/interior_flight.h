// A flight through what fills a clear thing: how far light gets before it scatters, and what is left of each colour.
//
//   InteriorFlight flight(surfaces.interior(inside), weight, random);
//   if (flight.way < distance) weight = weight * flight.scattered(flight.way);   // and turns
//   else weight = weight * flight.passed(distance);
//
// The way is drawn for one colour, chosen by its weight. Whatever colour drew it, it counts by the mean of all their densities (one-sample balance
// heuristic [veach1995]), so no colour grows without bound. What only absorbs is not drawn: Beer and Lambert's law is exact.
//
//   InteriorFlight flight(mix, ray, to_the_next_surface, weight, random);        // through mixed liquids
//
// Where liquids are mixed the extinction changes on the way. Steps are drawn for the densest of them, and at each end light scatters, or nothing happens, by chance;
// colours count by weights (spectral tracking [kutz2017]). Of such a flight only its end is known: passed() and scattered() are those there.
#pragma once
#include <cmath>
#include <limits>

#include "render/surfaces/liquid_mix.h"
#include "render/random_stream.h"

namespace phlo::render {

/// exp(-sigma way) of each colour.
inline Vec3f passed_through(const Vec3f& sigma, float way) { return {std::exp(-sigma.x * way), std::exp(-sigma.y * way), std::exp(-sigma.z * way)}; }

class InteriorFlight {
public:
    float way = std::numeric_limits<float>::infinity();  ///< to where it scatters [m]

    InteriorFlight(const optics::Interior& interior, const Vec3f& weight, RandomStream& random)
        : scattering_(interior.scattering), extinction_(interior.extinction()) {
        if (!interior.scatters()) return;
        const float sum = weight.x + weight.y + weight.z;
        chance_ = weight / sum;
        const float choice = random.next();
        const int colour = choice < chance_.x ? 0 : choice < chance_.x + chance_.y ? 1 : 2;
        if (extinction_[colour] > 0) way = -std::log(1 - random.next()) / extinction_[colour];
    }

    InteriorFlight(const LiquidMix& mix, const Ray& ray, float distance, const Vec3f& weight, RandomStream& random) : ends_(true), left_(1.f) {
        const float densest = mix.densest();
        if (!(densest > 0)) return;
        for (float t = 0;;) {
            t -= std::log(1 - random.next()) / densest;
            if (t >= distance) return;
            const optics::Interior here = mix.at(ray.origin + ray.direction * t);
            const Vec3f scattering = here.scattering, nothing = Vec3f(densest) - here.extinction(), carried = weight * left_;
            const float scatters = dot(carried, scattering), goes_on = dot(carried, nothing), chance = scatters / (scatters + goes_on);
            if (!(scatters + goes_on > 0)) {
                left_ = Vec3f();
                return;
            }
            if (random.next() < chance) {
                left_ = left_ * scattering / (densest * chance), way = t;
                return;
            }
            left_ = left_ * nothing / (densest * (1 - chance));
        }
    }

    /// Factors on the weight of light that got as far as this, and of light that scattered there.
    Vec3f passed(float distance) const {
        if (ends_) return left_;
        const Vec3f left = passed_through(extinction_, distance);
        return chance_ == Vec3f() ? left : left / dot(chance_, left);
    }
    Vec3f scattered(float distance) const {
        if (ends_) return left_;
        const Vec3f left = passed_through(extinction_, distance);
        return scattering_ * left / dot(chance_, extinction_ * left);
    }

private:
    Vec3f scattering_, extinction_;
    Vec3f chance_;  ///< of each colour to draw the way; zero: it is not drawn
    bool ends_ = false;  ///< through mixed liquids: the factor at its end is `left_`
    Vec3f left_;
};

}  // namespace phlo::render
