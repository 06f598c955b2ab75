// Vortex particles [selle2005; kang2007, sec. 3.4.4 and 3.5]: born where reactions are violent, they drift with the gas and stir it.
//
//   spawn({.radius = 0.06, .life = 0.5}, gas, material, effects, r_sp, key, vortices);
//   drift(domain, u, solids, dt, vortices);
//   stir({.radius = 0.06}, domain, dt, solids, vortices, u);
//
// A vortex particle carries ω = c_vort ∇r/|∇r|, c_vort a control function and r the rate at which the reactions make Eulerian species. At a place at distance d it pushes
//   f = ε h (N' × ω) exp(-d²/2σ²),   N' = the direction from the place to the particle, σ = half the radius, d < radius:
// the confinement force of Fedkiw et al. with the particle's own, Gaussian-smoothed vorticity, whose gradient points to the particle.
#pragma once
#include <span>
#include <vector>

#include "base/random.h"
#include "field/domain.h"
#include "field/mac.h"
#include "flow/solids.h"
#include "models/gas/births.h"
#include "models/gas/hybrid_params.h"
#include "models/gas/material_particles.h"
#include "models/gas/particle_kinetics.h"

namespace phlo::models {

struct VortexParticles {
    std::vector<Vec3f> position;    ///< [m]
    std::vector<Vec3f> vorticity;   ///< ω [1/s]
    std::vector<float> life;        ///< what is left of it [s]

    int count() const { return int(position.size()); }
    static constexpr std::tuple columns{&VortexParticles::position, &VortexParticles::vorticity, &VortexParticles::life};
};

/// As many as `effects.vortices` expects at each particle, as strong as `effects.vortex_strength` says, scattered in its sphere of influence. `particles` are those of the sweep.
Births spawn(const VortexParams& params, const Surroundings& gas, const MaterialParticles& particles, const Effects& effects, double influence_radius,
           const RandomKey& key, VortexParticles& vortices);

/// RK2 with the velocity u; away with those that leave the domain, run into a body, or have lived long enough.
void drift(const field::Domain& domain, const field::MacGrid& u, const flow::Solids* solids, double dt, VortexParticles& vortices);

/// u += dt f on the open faces inside the domain.
void stir(const VortexParams& params, const field::Domain& domain, double dt, const flow::Solids* solids, const VortexParticles& vortices,
          field::MacGrid& u);

}  // namespace phlo::models
