// Tracers: points that go with the gas and show what it is made of.
//
//   arrange_tracers(lattice, tracers);                                         // now and then
//   move_tracers(lattice, {velocity, &matter}, air, dt, ratio, {}, tracers);    // one look at the lattice a step, for velocity, temperature and fractions
//
// A tracer goes by the two-step rule of Adams and Bashforth, with the velocity that it had one step before, so that one look is enough for second order.
#pragma once
#include <span>

#include "models/vortex_fire/lattice.h"
#include "models/vortex_fire/vortons.h"

namespace phlo::models {

/// What tracers see at the nodes.
struct SeenByTracers {
    const NodeValues<4>& velocity;   ///< [m/s]
    const NodeValues<8>* matter;     ///< MatterChannel; nullptr: nobody looks at them after this step
};

/// Takes out those that are no longer there, and puts the others in the order of the lattice's bricks: those that look at the same nodes look one after the other.
void arrange_tracers(const VortexLattice& lattice, Tracers& tracers);

/// `ratio`: of this step to the one before. `velocity`: of each tracer, if somebody else has found it; else empty [m/s].
void move_tracers(const VortexLattice& lattice, const SeenByTracers& seen, const FireMatter& air, double dt, double ratio, std::span<const Vec3f> velocity,
                  Tracers& tracers);

}  // namespace phlo::models
