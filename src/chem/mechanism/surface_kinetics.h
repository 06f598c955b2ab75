// Reactions that take from a solid, as the integrator sees them. A solid has the activity one [atkins2006]: what counts is how much of its surface
// a cell holds, and that stays while a step lasts.
//
//   const SurfaceMechanism m = on_surfaces(mechanism);          // Acid + 2 Stone => Salt   becomes   Acid + Stone => Salt + Stone + 2 Stone_taken
//   amounts[m.solids[0].species] = area / cell_volume;           // [1/m]; so a rate in mol/(m² s) becomes one in mol/(m³ s)
//   amounts[m.solids[0].taken] = 0;                              // and, after the step, what the solid lost [mol/m³]
//
// No collision with a third molecule counts a solid.
#pragma once
#include <vector>

#include "chem/mechanism/mechanism.h"

namespace phlo::chem {

struct SurfaceMechanism {
    struct Solid {
        int species = 0;  ///< in both mechanisms
        int taken = 0;    ///< the species that counts what is taken from it
    };
    Mechanism mechanism;        ///< counters stand behind the species of the original
    std::vector<Solid> solids;  ///< none: the mechanism is as it was
};

SurfaceMechanism on_surfaces(Mechanism mechanism);

}  // namespace phlo::chem
