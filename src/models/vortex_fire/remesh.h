// Remeshing: the vortons that a flow has drawn apart and heaped up give way to new ones, one at each node where there is something.
//
//   splat_vortons(lattice, vortons, air, filled, vorticity, matter);
//   RemeshReport report = remesh(lattice, {.quiet = 2e-3, .max_vortons = 100'000}, air, filled, vorticity, matter, vortons);
//
// Strengths, with their first and second moments, stay by the kernel M4', amounts of matter by the trilinear one. What the report says was let go is the rest: nodes
// with less than `quiet` of the greatest vorticity and next to no matter become clean air; their strength goes to the others, their matter is told.
// A node that vortons fill by less than full_share takes in air up to it: this is how a fire draws in air, and what bounds the number of vortons.
#pragma once
#include <span>

#include "models/vortex_fire/lattice.h"
#include "models/vortex_fire/node_rows.h"
#include "models/vortex_fire/vortons.h"

namespace phlo::models {

struct RemeshParams {
    double quiet = 2e-3;              ///< of the greatest |omega|: less is let go
    double quiet_temperature = 2;     ///< excess that is let go [K]
    double quiet_fraction = 2e-3;     ///< of fuel, flame and smoke together
    int max_vortons = 200'000;        ///< if there would be more, all three are raised until they fit
    bool fill = false;                ///< of a closed box: a vorton at every node, and no air from outside
};

/// Amounts over the density of air: kg become m^3.
struct RemeshReport {
    double heat = 0;                  ///< let go [K m^3]
    double fuel = 0, flame = 0, smoke = 0, oxygen_used = 0;   ///< let go [m^3]
    double raised = 1;                ///< factor by which the thresholds were raised
};

/// |omega| of the node where it is greatest [1/s].
float greatest_vorticity(const NodeRows& filled, const NodeValues<4>& vorticity);

/// `matter` holds amounts, and after this what the new vortons have; `vorticity` theirs. `filled`: where they are not zero.
RemeshReport remesh(const VortexLattice& lattice, const RemeshParams& params, const FireMatter& air, const NodeRows& filled, NodeValues<4>& vorticity,
                    NodeValues<8>& matter, Vortons& vortons);

}  // namespace phlo::models
