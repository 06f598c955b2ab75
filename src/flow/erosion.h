// A surface that gas eats: how much of it each cell of the gas has before it, and how it recedes.
//
//   expose(gas, pose, rest, softness, area);                           // area [1/m]: surface before each cell, over the volume of its gas
//   ...                                                                // chemistry finds what it takes from there: taken [mol/m^3]
//   const Bite bite{area, taken, molar_density};
//   moles -= molar_density * eaten_volume(gas, bite, pose, rest, softness);
//   recede(gas, bite, pose, {.scale = 1, .band = 8}, softness, rest, scratch);
//
// Every triangle of the surface is spread over the open cells around it, with trilinear weights w that sum to one, and counts by its area A times the
// softness f of the solid there. So, with d = taken / (molar density x area) the depth of a bite in a cell,
//
//      area_c V_c = sum_e w_ec f_e A_e,        s_e = f_e sum_c w_ec d_c        =>        sum_e A_e s_e = sum_c taken_c V_c / molar density
//
// V_c being the volume of gas in a cell: the surface recedes by s smoothly, without steps at the cells' borders, and loses exactly what the gas has taken. In a uniform gas d is uniform, on
// any grid. Surface without an open cell around it (under a foot, in a slit narrower than a cell) is not eaten.
//
// The level set obeys d(phi)/dt = s/dt |grad phi| with s taken at the nearest point of the surface; phi is a distance, so it grows by s, and is made a
// distance again (redistance.h). No step is larger than half a sample.
#pragma once
#include "field/domain.h"
#include "flow/redistance.h"
#include "flow/solids.h"
#include "geom/placement.h"
#include "geom/sampled_solid.h"

namespace phlo::flow {

struct GasAround {
    const field::Domain& domain;
    const Solids& solids;
    const field::Grid& room;   ///< of the gas in each cell (room.h)
};

/// Adds to `area` what the gas sees of a body's surface, times its softness (on the lattice of `rest`) [1/m].
void expose(const GasAround& gas, const geom::Pose& pose, const geom::SampledSolid& rest, const field::Grid& softness, field::Grid& area);

/// What the gas took of a solid in a step.
struct Bite {
    const field::Grid& area;    ///< as expose() made it, for all bodies of this solid [1/m]
    const field::Grid& taken;   ///< [mol/m^3]
    double molar_density = 1;   ///< [mol/m^3]
};

/// How much of that was this body's [m^3].
double eaten_volume(const GasAround& gas, const Bite& bite, const geom::Pose& pose, const geom::SampledSolid& rest, const field::Grid& softness);

struct Receding {
    double scale = 1;   ///< of the depth: makes up for what the last steps took too much or too little of the volume
    double band = 8;    ///< in which distances are kept [samples]
};
void recede(const GasAround& gas, const Bite& bite, const geom::Pose& pose, const Receding& how, const field::Grid& softness, geom::SampledSolid& rest,
            MarchScratch& scratch);

}  // namespace phlo::flow
