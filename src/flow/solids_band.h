// The closed faces and covered cells near the fluid, layer by layer: where the flow is continued into bodies.
#pragma once
#include "flow/solids.h"

namespace phlo::flow {

/// Fills solids.band_faces and solids.band_cells from the apertures, volumes and spans.
void find_bands(const field::Domain& domain, Solids& solids);

}  // namespace phlo::flow
