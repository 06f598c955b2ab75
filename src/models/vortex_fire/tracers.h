// Tracers: points that go with the gas and show what it is made of.
//
//   arrange_tracers(lattice, tracers);                      // now and then
//   set_seen(velocity, matter, seen);                       // velocity and matter side by side
//   move_tracers(lattice, seen, air, dt, ratio, {}, tracers);   // one look at the lattice a step, for velocity, temperature and fractions
//
// The fused pass: eight numbers of eight nodes a tracer, each node one cache line's half. A tracer goes by the two-step rule of Adams and Bashforth, with
// the velocity that it had one step before, so that one look is enough for second order.
#pragma once
#include <span>

#include "models/vortex_fire/lattice.h"
#include "models/vortex_fire/vortons.h"

namespace phlo::models {

/// Channels of what tracers see at a node.
struct SeenChannel {
    enum { velocity, excess_temperature = 3, fuel, flame, smoke, lit, count };
};

/// Takes out those that are no longer there, and puts the others in the order of the lattice's bricks: those that look at the same nodes look one after the other.
void arrange_tracers(const VortexLattice& lattice, Tracers& tracers);

void set_seen(const NodeValues<4>& velocity, const NodeValues<8>& matter, NodeValues<8>& seen);

/// `ratio`: of this step to the one before. `velocity`: of each tracer, if somebody else has found it; else empty [m/s].
void move_tracers(const VortexLattice& lattice, const NodeValues<8>& seen, const FireMatter& air, double dt, double ratio, std::span<const Vec3f> velocity,
                  Tracers& tracers);

}  // namespace phlo::models
