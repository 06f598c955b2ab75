#include "models/vortex_fire/vortex_invariants.h"

#include "base/parallel.h"

namespace phlo::models {

VortexInvariants vortex_invariants(const Vortons& vortons) {
    constexpr std::size_t chunk = 1024;
    return parallel_reduce(int((vortons.size() + chunk - 1) / chunk), VortexInvariants{}, [&](int c) {
        VortexInvariants sum;
        for (std::size_t p = std::size_t(c) * chunk; p < std::min(vortons.size(), (std::size_t(c) + 1) * chunk); ++p) {
            const Vec3d x(vortons.position[p]), strength(vortons.strength[p]), moment = cross(x, strength);
            sum.strength += strength, sum.strength_sum += length(strength);
            sum.impulse += moment * 0.5, sum.angular_impulse += cross(x, moment) / 3.0;
        }
        return sum;
    }, [](VortexInvariants a, const VortexInvariants& b) {
        a.strength += b.strength, a.strength_sum += b.strength_sum, a.impulse += b.impulse, a.angular_impulse += b.angular_impulse;
        return a;
    });
}

}  // namespace phlo::models
