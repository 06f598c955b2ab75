// Tracers: points that go with the gas and show what it is made of.
//
//   set_seen(velocity, matter, seen);                       // velocity and matter side by side
//   move_tracers(lattice, seen, air, dt, ratio, tracers);   // one look at the lattice a step, for velocity, temperature and fractions
//
// The fused pass: eight numbers of eight nodes a tracer, each node one cache line's half. A tracer goes by the two-step rule of Adams and Bashforth, with
// the velocity that it had one step before, so that one look is enough for second order.
#pragma once
#include "models/vortex_fire/lattice.h"
#include "models/vortex_fire/vortons.h"

namespace phlo::models {

/// Channels of what tracers see at a node.
struct SeenChannel {
    enum { velocity, excess_temperature = 3, fuel, flame, smoke, lit, count };
};

void set_seen(const NodeValues<4>& velocity, const NodeValues<8>& matter, NodeValues<8>& seen);

/// `ratio`: of this step to the one before.
void move_tracers(const VortexLattice& lattice, const NodeValues<8>& seen, const FireMatter& air, double dt, double ratio, Tracers& tracers);

}  // namespace phlo::models
