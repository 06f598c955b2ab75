// Liquid comes from where liquid was. Beside a wall a few cells thin a level set and its markers may claim otherwise: values on either side of the
// wall meet in one interpolation. This takes such liquid away again.
//
//   std::vector<int> denied = deny_unreached({.dt = dt, .h = h, .u = &u}, solids, before, phi);    // before: the level set one step ago
//   remove_inside(phi.layout(), denied, markers);
//
// A cell near a body that has become liquid must be able to reach one that was liquid before through open faces, no farther away than a cell more than
// its velocity crosses in the step. Where it cannot, phi says that the surface is a cell away. Nothing passes a wall of closed faces, be it much thinner than a cell; one that stands askew must be 1.8 cells thick, or
// a single cell is open on both its sides.
#pragma once
#include <vector>

#include "field/mac.h"
#include "flow/markers.h"
#include "flow/solids.h"

namespace phlo::flow {

struct Reach {
    double dt = 0;                       ///< [s]
    double h = 1;                        ///< [m]
    const field::MacGrid* u = nullptr;   ///< that has carried the level set [m/s]
};

/// The cells that stay dry, as offsets in memory and in their order.
std::vector<int> deny_unreached(const Reach& how, const Solids& solids, const field::Grid& before, field::Grid& phi);

/// A cell with its centre in a body may be liquid only beside one that is liquid with its centre outside, through open faces: its velocity is the body's, and
/// nothing would ever take a film away that the level set left in it. Returns the cells that become dry, as above.
std::vector<int> dry_skins(const Solids& solids, field::Grid& phi);

/// Takes the inside markers in these cells away.
void remove_inside(const field::Layout& layout, const std::vector<int>& cells, Markers& markers);

}  // namespace phlo::flow
