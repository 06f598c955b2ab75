// How fast the vorticity changes at the nodes, and what that and the velocity do to the vortons.
//
//   set_velocity(velocity, u);                                  // from the solver's three grids
//   add_vorticity_rates(lattice, {.viscosity = 1e-3, .lift = 0.0335}, {.vorticity = …, .velocity = u, .matter = …}, rates);
//   Leftover left = share_rates(lattice, dt, threshold, matter, rates, vortons);   // strengths change, new vortons where there were none
//   move_vortons(lattice, path, dt, vortons);
//
//      d omega / dt = div(omega u) + div((nu + (C h)^2 |omega|) grad omega) + curl(b z) + curl(push) / dt,       b = lift (T - T_ambient)
//
// Stretching and tilting stand in flux form, d_j (omega_j u_i), and every other term is a divergence or a curl too: with central differences the sum over
// the nodes telescopes to nothing, and the total strength stays [cottet2000, sec. 8.3]. The change at a node is shared out among the vortons around
// it in proportion to what each gave to the volume there, so that the strengths change by as much as the nodes do.
#pragma once
#include <array>

#include "field/grid.h"
#include "models/vortex_fire/lattice.h"
#include "models/vortex_fire/vortons.h"

namespace phlo::models {

struct VorticityPhysics {
    double viscosity = 0;     ///< nu [m^2/s]
    double lift = 0.0335;     ///< upward acceleration per kelvin [m/(s^2 K)]
    double eddies = 0;        ///< C of the eddy viscosity (C h)^2 |omega| [smagorinsky1963]
    double cleaning = 0;      ///< rate at which omega goes to curl(u), which has no divergence [1/s]
};

struct VorticityFields {
    const NodeValues<4>& vorticity;   ///< [1/s], and in the fourth channel its length: see add_lengths()
    const NodeValues<4>& velocity;    ///< [m/s]
    const NodeValues<8>& matter;      ///< MatterChannel
    const NodeValues<4>* push;        ///< a change of velocity that bodies and emitters ask for in this step [m/s]; may be null
};

/// The fourth channel becomes the length of the other three, at nodes and their ghosts. Returns the greatest at a node.
float add_lengths(NodeValues<4>& vorticity);

/// Nodes and their ghosts.
void set_velocity(const std::array<field::Grid, 3>& components, NodeValues<4>& velocity);

/// rates = d omega / dt [1/s^2] at every node of the box.
void find_vorticity_rates(const VortexLattice& lattice, const VorticityPhysics& physics, const VorticityFields& fields, double dt, NodeValues<4>& rates);

/// Strengths change by what the rates do in dt seconds. Where no vorton is near and omega changes by more than `threshold` [1/s], a new one of clean air
/// appears; smaller changes there are handed to all vortons in proportion to their strength. `rates` is destroyed. Returns how many are new.
int share_rates(const VortexLattice& lattice, double dt, double threshold, const FireMatter& air, const NodeValues<8>& matter, NodeValues<4>& rates,
                Vortons& vortons);

/// Adds `sum` to the total strength: each vorton gets as much of it as it has of all strength.
void hand_over(const Vec3d& sum, Vortons& vortons);

/// Along the velocity by the midpoint rule. `path` is the velocity in the middle of the step.
void move_vortons(const VortexLattice& lattice, const NodeValues<4>& path, double dt, Vortons& vortons);

/// path = 3/2 now - 1/2 before: the velocity in the middle of the next step.
void find_path(const VortexLattice& lattice, const NodeValues<4>& now, const VortexLattice& lattice_before, const NodeValues<4>& before, double ratio,
               NodeValues<4>& path);

}  // namespace phlo::models
