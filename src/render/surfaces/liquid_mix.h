// What several liquids that are mixed do with light: what each does, in proportion to its share at a place.
//
//   LiquidMix mix(water, liquid_shares(frame), {milk});                      // what fills the surface, and the interiors of the other liquids
//   optics::Interior there = mix.at(point);
//   Vec3f depth = mix.depth({point, direction}, metres);                    // integral of the extinction
//   Vec3f white = mix.albedo(point, inward);                                // of light that enters there and comes out again
//
// Absorption and scattering of a mixture are the sums of those of its parts, weighted by volume. The index of refraction is the first liquid's: the border is a
// mirror of one kind, and nothing is bent inside.
#pragma once
#include <span>
#include <vector>

#include "field/liquid_shares.h"
#include "optics/liquids.h"
#include "render/film/camera.h"

namespace phlo::render {

class LiquidMix {
public:
    LiquidMix(const optics::Interior& first, std::vector<field::LiquidShare> shares, std::span<const optics::Interior> others);

    optics::Interior at(const Vec3f& point) const;
    /// Integral of the extinction over a way [1].
    Vec3f depth(const Ray& ray, float way) const;
    /// The largest extinction of any colour of any of the liquids [1/m].
    float densest() const { return densest_; }
    /// Of even light that has entered through a flat border with this direction inward: the share that is sent back to the border. Layers of the mixture below are
    /// added up from the deepest one that light reaches [kubelka1948].
    Vec3f albedo(const Vec3f& point, const Vec3f& inward) const;
    const std::vector<optics::Interior>& interiors() const { return interiors_; }

private:
    std::vector<optics::Interior> interiors_;
    std::vector<field::LiquidShare> shares_;  ///< of all but the first
    float densest_ = 0;
    float step_ = 0;                     ///< half a cell of theirs [m]
};

/// The share of even light inside a half-space that is sent back to its border, were it open: light that scatters evenly [hapke1981].
Vec3f half_space_albedo(const optics::Interior& interior);

}  // namespace phlo::render
