// Motion of material particles [kang2007, sec. 3.3]: dx/dt = v, dv/dt = (u - v)/τ + a, a a share of the gas's acceleration and a force of their own.
//
//   const MotionReport report = move({.domain = domain, .velocity = &u, .walls = walls, .solids = &solids}, {.response = 0.02}, dt, particles);
//   report.left[s];                                             // mol of species s that went out through open walls
//
// The drag is integrated exactly for a flow that is steady over the step, so any dt is stable and light particles (τ -> 0) move with the
// flow. u is taken half a step ahead: second order. τ goes with the particle's mass, amount × molar mass.
// Closed walls and bodies stop a particle and let it slide along; none ends inside a body. Glued particles move with their body.
#pragma once
#include <optional>
#include <span>
#include <vector>

#include "field/domain.h"
#include "field/mac.h"
#include "flow/solids.h"
#include "flow/walls.h"
#include "models/gas/material_particles.h"

namespace phlo::models {

struct ParticleStream {
    field::Domain domain;
    const field::MacGrid* velocity = nullptr;       ///< [m/s]
    flow::Walls walls;
    const flow::Solids* solids = nullptr;           ///< where the bodies are at the end of the step; may be null
    const field::MacGrid* acceleration = nullptr;   ///< of the gas by buoyancy and vorticity [m/s²]; may be null
};

struct MotionParams {
    double response = 0;                            ///< τ of a particle of amount `reference` that is as heavy as air [s]; 0: it moves with the flow
    double reference = 1;                           ///< [mol]
    std::vector<double> molar_mass = {};            ///< by species [kg/mol]; 0 or missing: as air
    double external = 0;                            ///< share of the gas's acceleration that a particle feels itself
    Vec3d force = {};                               ///< acceleration of their own [m/s²]
    /// By species; what is given takes the place of the above.
    struct Kind {
        std::optional<double> response_per_mol = {};   ///< τ over the amount [s/mol]
        std::optional<Vec3d> force = {};
    };
    std::vector<Kind> kinds = {};
};

struct MotionReport {
    std::vector<double> left;                       ///< amount that left through walls, by species [mol]
    long gone = 0;                                  ///< particles that left
    long pushed = 0;                                ///< particles that a moving body had to carry along
};

MotionReport move(const ParticleStream& stream, const MotionParams& params, double dt, MaterialParticles& particles);

/// Moves `position` to `position + step`, but not into a body: along its surface instead. Returns the place reached, which is in the gas
/// unless `position` was not and no way out was found.
Vec3f slide(const field::Domain& domain, const flow::Solids* solids, const Vec3f& position, const Vec3f& step);

}  // namespace phlo::models
