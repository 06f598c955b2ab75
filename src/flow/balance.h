// Air beside a liquid makes room for it: the velocity that was continued into the air (extend.h) is changed, as little as possible, so that
// cells at the surface have no divergence.
//
//   extend_velocity({.h = h, .layers = 8}, phi, u, scratch);
//   balance_extension({.h = h}, walls, solids, phi, tiles, q, u);          // q: any grid; it is written to
//
// A cell whose centre is in the air may hold liquid, up to half of it, and the pressure knows nothing of that cell. Where liquid spreads along its
// surface, a velocity that is constant along the surface's normals runs together there, and liquid is lost: in a dam break 40 to 50 % of it in 60
// frames, at 32 cells as at 64. So these cells have a pressure of their own, zero in the air farther out, and faces of liquid keep what they have:
//
//      air       0    0    0       u = u_extended - grad q,    outflow(u) = 0  in cells of air with phi < reach h
//      reach     q    q    q
//      liquid    u is known
//
// In air that is shut in this has no solution: a few sweeps spread what comes over the pocket, and the rest stays. Cells with a face that a body covers in
// part are left as they are: through a slit the same flow would be a jet.
#pragma once
#include "field/mac.h"
#include "flow/solids.h"
#include "flow/tiles.h"
#include "flow/walls.h"

namespace phlo::flow {

struct ExtensionBalance {
    double h = 1;       ///< [m]
    double reach = 1;   ///< cells of air this near to the surface are balanced [cells]
    int sweeps = 12;    ///< Gauss-Seidel, in two colours; the farther air is near, so that few are enough
};

/// Cells in the given tiles. Walls and bodies in `u` must be enforced before. The same for any number of threads.
void balance_extension(const ExtensionBalance& how, const Walls& walls, const Solids& solids, const field::Grid& phi, const TileSet& tiles, field::Grid& q,
                       field::MacGrid& u);

}  // namespace phlo::flow
