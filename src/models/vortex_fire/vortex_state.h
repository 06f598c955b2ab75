// All that a vortex fire is at a moment, and what its stages share. A stage (vortex_stages.h) is a free function of it.
#pragma once
#include <cstdint>
#include <optional>
#include <vector>

#include "flow/sources.h"
#include "models/model.h"
#include "models/vortex_fire/immersed_bodies.h"
#include "models/vortex_fire/lattice_velocity.h"
#include "models/vortex_fire/node_rows.h"
#include "models/vortex_fire/remesh.h"
#include "models/vortex_fire/tree_velocity.h"
#include "models/vortex_fire/vortex_setup.h"
#include "models/vortex_fire/vortons.h"

namespace phlo::models {

/// Numbers at the nodes. Those of one step are made anew in the next, but for `before`.
struct VortexFields {
    VortexLattice lattice;
    NodeValues<4> vorticity, velocity, push;
    NodeValues<8> matter, rates;
    NodeRows filled, pushed;            ///< where vorticity and matter, and where the push are not zero
    VortexLattice lattice_before;
    NodeValues<4> before;               ///< velocity of the step before

    std::size_t bytes() const { return vorticity.bytes() + velocity.bytes() + push.bytes() + rates.bytes() + matter.bytes() + before.bytes(); }
};

/// Whole numbers and the clock, kept as the rest of the state is.
struct VortexClock {
    double time = 0;                    ///< [s]
    double steps = 0;                   ///< done
    double step_before = 0;             ///< length of the last one [s]
    double fastest = 0;                 ///< speed of the gas in the last step [m/s]
    double strongest = 0;               ///< vorticity in the last step [1/s]
    double vortons_kept = 0;            ///< by the last remeshing
    double steps_since = 0;             ///< it
    double born = 0;                    ///< how many tracers there ever were
    double owed = 0;                    ///< tracers that are due, less than one
};

struct VortexState {
    VortexState(const Shot& shot, const VortexSetup& setup);
    VortexState(const VortexState&) = delete;
    VortexState& operator=(const VortexState&) = delete;

    const Shot shot;
    const VortexSetup setup;
    const FireMatter air;
    VortexClock clock;
    Vortons vortons;
    Tracers tracers;
    ImmersedBodies bodies;
    std::vector<std::optional<field::Surface>> still;   ///< of the bodies that never move: tessellated once
    LatticeVelocity solver;
    TreeVelocity tree;                      ///< of the vortons at the start of the step; velocity: tree
    VortexFields fields;
    std::vector<flow::Coverage> coverage;   ///< of the emitters, on the lattice
    Ledger ledger;
    LatticeVelocity::Report solved;         ///< of the last step
    bool shown = true;                      ///< somebody may look at the tracers after this step

    const VortexFireParams& params() const { return setup.vortex; }
    bool closed() const { return setup.vortex.box.closed; }
    double to_mass() const { return setup.vortex.air_density; }                                          ///< [kg/m^3]
    double to_heat() const { return setup.vortex.air_density * setup.vortex.combustion.heat_capacity; }  ///< [J/(m^3 K)]
};

}  // namespace phlo::models
