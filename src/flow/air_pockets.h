// Air that liquid, bodies and walls have shut in. As a fluid without mass that cannot be compressed it has one pressure, which makes as much
// liquid flow away from it as towards it.
//
//   std::vector<AirPocket> pockets = find_air_pockets(cells);
//   double inflow = flux_into(pockets[0], u);
//
// The outside air is what reaches an open wall of the box, or in a closed box the largest connected part of the air. With g the conductances
// of a pocket's faces, G their sum and V* the flow into it, its pressure is q = (g . q_liquid + V*) / G, so that the system becomes
//
//      (A - g g^T / G) q_liquid = b + g V* / G
#pragma once
#include <vector>

#include "field/mac.h"
#include "flow/liquid_cells.h"
#include "numerics/rank_term.h"

namespace phlo::flow {

struct AirPocket {
    struct Face {
        int axis;
        Vec3i face, cell;        ///< and the liquid cell on one side of it
        float sign;              ///< of a velocity towards the pocket
        float aperture, slope;   ///< open fraction, 1 / theta
    };
    std::vector<Face> faces;
    long cells = 0;
    double conductance = 0;  ///< G
};

/// In the order in which a walk through the liquid meets them; those that touch none are left out.
std::vector<AirPocket> find_air_pockets(const LiquidCells& cells);

/// Through the open parts of its faces, in units of a cell's face [m/s].
double flux_into(const AirPocket& pocket, const field::MacGrid& u);

/// What it takes from the system: - g g^T / G.
numerics::RankTerm pocket_term(const AirPocket& pocket);

}  // namespace phlo::flow
