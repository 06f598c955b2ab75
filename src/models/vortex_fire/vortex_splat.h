// From vortons to the lattice, in one pass over them.
//
//   splat_vortons(lattice, vortons, air, filled, vorticity, matter);
//   vorticity.node(i, j, k);       // omega [1/s]: the strengths by the kernel M4' [monaghan1985], over the cell's volume
//   matter.node(i, j, k);          // amounts by trilinear weights, over the cell's volume: see MatterChannel
//
// M4' keeps total, centre and second moments of the strengths, so that remeshing keeps linear and angular impulse; but it has negative lobes. Fractions
// and temperatures are therefore spread by trilinear weights, which cannot leave their range.
//
// Slabs of four planes take their vortons in order, every second slab at a time, so that no two tasks meet in a node and the sums do not depend on
// the number of threads. `air` is the clean air around.
#pragma once
#include "models/vortex_fire/lattice.h"
#include "models/vortex_fire/node_rows.h"
#include "models/vortex_fire/vortons.h"

namespace phlo::models {

/// What a node of the matter holds: first amounts in the cell over the cell's volume; after normalise_matter() what the gas there is made of.
/// Temperature is what it is over that of the air, oxygen what is missing of it: clean air is all zeros, and mixing with it is a sum.
struct MatterChannel {
    enum { volume, excess_temperature, fuel, flame, smoke, oxygen_used, lit, count = 8 };
};

/// A node with less gas of vortons than this share of its cell has so much: the rest is the air around.
inline constexpr float full_share = 0.7f;
/// In a closed box no air comes from anywhere: a node has as much gas as it has.
inline constexpr float closed_share = 1e-4f;

/// Vortons must lie two cells or more inside the box unless its walls are closed; those that do not are left out. `filled`: where the values are not
/// zero; the same one for the same values every time, since only what it names is cleared.
void splat_vortons(const VortexLattice& lattice, const Vortons& vortons, const FireMatter& air, NodeRows& filled, NodeValues<4>& vorticity, NodeValues<8>& matter);

/// What the kernels have put beyond closed walls comes back as from a mirror: the vorticity along the wall with the other sign.
void fold_ghosts(NodeValues<4>& vorticity, NodeValues<8>& matter);

/// Amounts become values of the gas, by the summed weights and not less than `least`, which is full_share but in a closed box. The volume stays as it is.
void normalise_matter(float least, const NodeRows& filled, NodeValues<8>& matter);

/// Weights of the nodes -1, 0, 1, 2 for a place that lies f after node 0 [monaghan1985].
inline void m4_prime(float f, float (&w)[4]) {
    const auto inner = [](float x) { return 1 - x * x * (2.5f - 1.5f * x); };
    const auto outer = [](float x) { return 0.5f * (2 - x) * (2 - x) * (1 - x); };
    w[0] = outer(1 + f), w[1] = inner(f), w[2] = inner(1 - f), w[3] = outer(2 - f);
}

}  // namespace phlo::models
