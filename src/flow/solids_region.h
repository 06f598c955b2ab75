// One box of cells made anew from the bodies that reach into it.
#pragma once
#include "flow/solids.h"

namespace phlo::flow {

struct Region {
    Vec3i first, last;  ///< cells [first, last), ghosts included

    bool empty() const { return first.x >= last.x || first.y >= last.y || first.z >= last.z; }
    double cells() const { return empty() ? 0.0 : double(last.x - first.x) * double(last.y - first.y) * double(last.z - first.z); }
};

/// Distance, apertures, volumes and velocities in the region, from solids.placed alone: a pure function of the place.
void rasterize_region(const field::Domain& domain, const Region& region, Solids& solids);

}  // namespace phlo::flow
