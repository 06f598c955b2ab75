// How fast the vorticity changes at the nodes, and what that and the velocity do to the vortons.
//
//   set_velocity(components, velocity);                         // from the solver's three grids
//   const NodeRows busy = busy_rows(filled, pushed);
//   find_vorticity_rates(lattice, {.viscosity = 1e-3, .lift = 0.0335}, {.vorticity = …, .velocity = velocity, …}, busy, dt, rates);
//   share_rates(lattice, {.dt = dt, .threshold = 0.1}, air, matter, busy, rates, vortons);   // strengths change, new vortons where there were none
//   move_vortons({lattice, velocity, lattice_before, before, ratio}, dt, vortons);
//
//      d omega / dt = div(omega u) + div((nu + (C h)^2 |omega|) grad omega) + curl(b z) + curl(push) / dt,       b = lift (T - T_ambient)
//
// Stretching and tilting stand in flux form, d_j (omega_j u_i), and every other term is a divergence or a curl too: with central differences the sum over
// the nodes telescopes to nothing, and the total strength stays [cottet2000, sec. 8.3]. The change at a node is shared out among the vortons around
// it in proportion to what each gave to the volume there, so that the strengths change by as much as the nodes do.
#pragma once
#include <array>
#include <limits>
#include <vector>

#include "field/grid.h"
#include "models/vortex_fire/lattice.h"
#include "models/vortex_fire/node_rows.h"
#include "models/vortex_fire/vortons.h"

namespace phlo::models {

struct VorticityPhysics {
    double viscosity = 0;     ///< nu [m^2/s]
    double lift = 0.0335;     ///< upward acceleration per kelvin [m/(s^2 K)]
    double eddies = 0;        ///< C of the eddy viscosity (C h)^2 |omega| [smagorinsky1963]; with nu at most h^2/(8 dt), so that no step is too long for it
    double cleaning = 0;      ///< rate at which omega goes to curl(u), which has no divergence [1/s]
    bool only_forces = false; ///< true: stretching and diffusion happen elsewhere, without a lattice
};

struct VorticityFields {
    const NodeValues<4>& vorticity;   ///< [1/s], and in the fourth channel its length: see add_lengths()
    const NodeValues<4>& velocity;    ///< [m/s]
    const NodeValues<8>& matter;      ///< MatterChannel
    const NodeValues<4>* push;        ///< a change of velocity that bodies and emitters ask for in this step [m/s]; may be null
};

/// The fourth channel becomes the length of the other three, where it is not zero. Returns the greatest.
float add_lengths(const NodeRows& filled, NodeValues<4>& vorticity);

/// Nodes and their ghosts. Returns the greatest speed at a node [m/s].
float set_velocity(const std::array<field::Grid, 3>& components, NodeValues<4>& velocity);

/// Where anything can change: differences reach one node beyond vorticity, matter (`filled`) and pushes.
NodeRows busy_rows(const NodeRows& filled, const NodeRows& pushed);

/// At every busy node d omega / dt [1/s^2]: in the first three channels by stretching, diffusion and buoyancy, in the fifth to seventh by the push.
void find_vorticity_rates(const VortexLattice& lattice, const VorticityPhysics& physics, const VorticityFields& fields, const NodeRows& busy, double dt,
                          NodeValues<8>& rates);

struct RateSharing {
    double dt = 0;            ///< [s]
    double ratio = 0;         ///< of this step to the one before, if vortons know their rate of that one (Adams and Bashforth); else 0 (Euler). A push is given as it is
    double threshold = 0;     ///< [1/s]; where no vorton is near and omega changes by more, a new one of clean air appears
    std::size_t max_born = std::numeric_limits<std::size_t>::max();   ///< of these at most so many, the strongest
};

/// Strengths change by what the rates do in dt seconds. What the vortons cannot take, where there are none, is handed to all of them in proportion to
/// their strength: the total strength stays to round-off. `rates` is destroyed.
void share_rates(const VortexLattice& lattice, const RateSharing& sharing, const FireMatter& air, const NodeValues<8>& matter, const NodeRows& busy,
                 NodeValues<8>& rates, Vortons& vortons);

/// Adds `sum` to the total strength: each vorton gets as much of it as it has of all strength.
void hand_over(const Vec3d& sum, Vortons& vortons);

/// The velocity in the middle of the coming step, (1 + ratio/2) now - ratio/2 before, from what two lattices hold: places that the one before does not
/// know have the velocity of now.
struct VelocityPath {
    const VortexLattice& lattice;
    const NodeValues<4>& now;
    const VortexLattice& lattice_before;
    const NodeValues<4>& before;      ///< may be empty
    double ratio = 0;                 ///< of this step to the one before
};

/// Along the path by the midpoint rule.
void move_vortons(const VelocityPath& path, double dt, Vortons& vortons);

}  // namespace phlo::models
