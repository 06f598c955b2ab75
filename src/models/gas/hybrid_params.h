// What an animator can say about the particles of the hybrid method: material, soot and vortex particles. docs/models/reactive-gas.md has the
// equations.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "base/curve.h"
#include "base/vec.h"
#include "config/table.h"

namespace phlo::models {

/// What is different about the particles of one species.
struct ParticleKind {
    std::string species;
    std::optional<double> radius = {};          ///< r_sp [m]
    std::optional<double> amount = {};          ///< that one carries at the start [mol]
    std::optional<double> response = {};        ///< time to follow the flow of one with `amount` [s]; as it loses amount it follows faster
    std::optional<Curve<Vec3d>> force = {};     ///< acceleration of their own [m/s²]
};

struct MaterialParticleParams {
    std::optional<double> radius;    ///< r_sp [m]; three cells if not given
    std::optional<double> amount;    ///< that a seeded particle carries [mol]; if not given, twenty fill a sphere of the strongest emitter
    double max_amount = 2;           ///< times `amount`: products' carriers do not grow beyond it on average
    double min_amount = 0.01;        ///< times `amount`: below it a particle hands its amount on
    int min_carriers = 4;            ///< carriers that a product should have within reach
    int sweeps = 1;                  ///< n_s: how often all particles are visited in a step
    double response = 0;             ///< time to follow the flow [s], of a particle of `amount` as heavy as air
    double external = 0;             ///< share of the gas's acceleration by buoyancy and vorticity that particles feel themselves
    Curve<Vec3d> force{Vec3d()};     ///< acceleration of their own [m/s²]
    std::vector<ParticleKind> kinds = {};   ///< species whose particles are not like the others
    int limit = 500'000;
};

struct SootParams {
    double threshold = 900;     ///< [K]
    std::string per_kelvin = "0";  ///< κ, a control function: particles per kelvin of cooling and mol of visible species [1/(K mol)]; 0: no soot
    std::optional<double> amount = {};  ///< a: of visible species that one stands for and takes along [mol]; see soot.h if not given
    double life = 1.5;          ///< mean; each lives between half of it and one and a half [s]
    double radius = 0.01;       ///< at birth [m]; it shrinks to nothing as the square root of the life that is left
    int limit = 2'000'000;      ///< particles; no more are formed beyond it, which is said once
};

struct VortexParams {
    double confinement = 1;     ///< ε [1]
    double radius = 0.05;       ///< of influence [m]
    double life = 0.5;          ///< [s]
    int limit = 100'000;        ///< no more are born beyond it, which is said once
};

struct HybridParams {
    MaterialParticleParams particles;
    SootParams soot;
    VortexParams vortices;
    std::string vortex_number;          ///< control function: vortex particles born at a reacting particle [1/s]
    std::string vortex_strength = "0";  ///< c_vort, a control function [1/s]
};

bool forms_soot(const SootParams& params);

const config::Table<MaterialParticleParams>& material_table();
const config::Table<SootParams>& soot_table();
const config::Table<HybridParams>& vortices_table();

}  // namespace phlo::models
