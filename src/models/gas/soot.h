// Soot particles [kang2007, sec. 2.2, 3.4.4]: where a cell cools through a threshold, some of what is seen there becomes soot. They drift with
// the gas, live for a while and shrink; they weigh nothing and change nothing.
//
//   form_soot({.threshold = 900, .per_kelvin = 40, .life = 1.5, .radius = 0.01}, domain, before, after, ambient, densities, tiles, key, soot);
//   remember_hot(params, after, ambient, tiles, before);
//   drift(domain, u, solids, dt, soot);
//   age(dt, soot);
//
// A cell that was at least as hot as the threshold before the step and is colder after it gives, on average,
//   per_kelvin · (drop of its temperature in K) · (its visible density) · h³
// particles: the number is rounded up or down at random.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "base/random.h"
#include "field/domain.h"
#include "field/mac.h"
#include "flow/solids.h"
#include "flow/tiles.h"
#include "models/gas/births.h"
#include "models/gas/hybrid_params.h"
#include "particles/columns.h"

namespace phlo::models {

struct SootParticles {
    std::vector<float> x, y, z;        ///< [m]
    std::vector<float> life, span;     ///< what is left of it, and what it was at birth [s]

    std::size_t count() const { return x.size(); }
    float radius(std::size_t i, const SootParams& params) const;
    static constexpr std::tuple columns{&SootParticles::x, &SootParticles::y, &SootParticles::z, &SootParticles::life, &SootParticles::span};
};

/// `before` and `after` are temperatures over `ambient` [K]; the visible density is the sum of `densities`.
Births form_soot(const SootParams& params, const field::Domain& domain, const field::Grid& before, const field::Grid& after, double ambient,
               std::span<const field::Grid* const> densities, const flow::TileSet& tiles, const RandomKey& key, SootParticles& soot);

/// What form_soot needs as `before` in the next step: `hot` becomes `now` where that is not below the threshold, else 0 (or
/// less, if 0 were hot). Only inside `tiles`.
void remember_hot(const SootParams& params, const field::Grid& now, double ambient, const flow::TileSet& tiles, field::Grid& hot);

/// RK2 with the velocity u. Those that leave the domain are removed; bodies stop them.
void drift(const field::Domain& domain, const field::MacGrid& u, const flow::Solids* solids, double dt, SootParticles& soot);

/// Takes dt off their lives, and away those that have none left.
void age(double dt, SootParticles& soot);

}  // namespace phlo::models
