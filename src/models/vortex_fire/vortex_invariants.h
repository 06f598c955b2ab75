// What a flow without forces keeps: its total vorticity, linear and angular impulse [saffman1992, sec. 3.2].
//
//   VortexInvariants now = vortex_invariants(vortons);
//   length(now.strength) / now.strength_sum;               // next to nothing: vortex lines are closed
#pragma once
#include "models/vortex_fire/vortons.h"

namespace phlo::models {

struct VortexInvariants {
    Vec3d strength;              ///< sum of Gamma [m^3/s]
    double strength_sum = 0;     ///< sum of |Gamma|
    Vec3d impulse;               ///< 1/2 sum x cross Gamma [m^4/s]
    Vec3d angular_impulse;       ///< 1/3 sum x cross (x cross Gamma) [m^5/s]
};

VortexInvariants vortex_invariants(const Vortons& vortons);

}  // namespace phlo::models
