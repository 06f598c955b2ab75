// Where material particles come from [kang2007, sec. 2.2]: jittered in a source, in number proportional to the concentration.
//
//   Feeder feeder;                                                     // one for every emitter and species
//   feed(coverage, domain, {.species = 1, .amount = 1e-4}, mol, solids, key, feeder, particles);
//
// A source's cells, weighted by how much of each it covers, are strung on a space-filling (Morton) curve; the curve is cut into parts of
// equal weight, and each part gets one particle at a random place in it: even in space, and the sum is exact. What is not enough for a whole
// particle waits in the feeder.
#pragma once
#include <vector>

#include "base/random.h"
#include "field/mac.h"
#include "flow/sources.h"
#include "models/gas/material_particles.h"

namespace phlo::models {

struct Feeder {
    double pending = 0;                ///< amount that waits [mol]
    double fed = 0;                    ///< particles fed so far: a whole number, so that draws never repeat
    std::vector<int> curve;            ///< cells of the coverage's box along the curve
    Vec3i first, last;                 ///< of the box for which `curve` was made
};

struct Feed {
    std::uint8_t species = 0;
    double amount = 1;                 ///< that one particle carries [mol]
    const field::MacGrid* gas = nullptr;   ///< whose velocity particles start with; null: none
    Vec3f velocity = {};               ///< more than that [m/s]
    double scatter = 0;                ///< and up to so much in any direction [m/s]
    float radius = 0;                  ///< of influence [m]; 0: the usual one
};

/// Lets `mol` more into the gas, as whole particles. Returns what went in [mol].
double feed(const flow::Coverage& coverage, const field::Domain& domain, const Feed& what, double mol, const flow::Solids* solids,
            const RandomKey& key, Feeder& feeder, MaterialParticles& particles);

/// Σ weight h³: the volume that a source fills [m³].
double covered_volume(const flow::Coverage& coverage, const field::Domain& domain);

/// What a source still holds of a species [mol]: Σ weight · amount over its particles, times Σ weight / Σ weight², so that a source whose
/// particles are as dense as its weights, soft edge included, holds all of them.
double held_inside(const flow::Coverage& coverage, const field::Domain& domain, int species, const MaterialParticles& particles);

constexpr double glue_height = 0.1;   ///< of glued particles above their surface, so that they are in the gas [cells]

/// Particles of a catalyst on a body's surface: `per_area` a square metre, `amount` each [mol]. Those that would stick in another body or
/// beyond a wall are left out. Returns how many there are.
int glue(const field::Domain& domain, const flow::Solids& solids, int body, std::uint8_t species, double per_area, double amount,
         std::uint64_t seed, MaterialParticles& particles);

}  // namespace phlo::models
