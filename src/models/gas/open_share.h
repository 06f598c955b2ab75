// How much of a particle's sphere of influence bodies leave to the gas. The parcel of a visit (particle_kinetics.h) is gas: the part of the
// sphere that a body fills holds none.
//
//   const OpenShare open;
//   open(domain, &solids, position, r_sp);      // 1 far from bodies, 1/2 at a plane surface
//
// The kernel is cut into lumps of equal weight, on shells of equal weight; a lump beside a surface counts in part.
#pragma once
#include <vector>

#include "field/domain.h"
#include "flow/solids.h"

namespace phlo::models {

class OpenShare {
public:
    OpenShare();

    /// `solids` may be null. Never 0: at least one lump is gas, because the particle is in the gas.
    double operator()(const field::Domain& domain, const flow::Solids* solids, const Vec3f& place, double radius) const;

private:
    std::vector<Vec3f> lumps_;   ///< their centres, from the particle's place, in radii
};

}  // namespace phlo::models
