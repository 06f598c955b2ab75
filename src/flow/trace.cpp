#include "flow/trace.h"

namespace phlo::flow {

Mask stop_at_solids(const Stream& s, const Points& start, Points& end) {
    const Points path{end.x - start.x, end.y - start.y, end.z - start.z};
    const Float length = sqrt(fma(path.x, path.x, fma(path.y, path.y, path.z * path.z)));
    const auto distance_at = [&](Float t) { return sample_linear(s.distance, s.inside(along(start, t, path))) * Float(s.per_cell); };

    const Float one(1.0f), zero(0.0f);
    Float free(0.0f), free_distance = distance_at(zero);          // last point known to be outside, and its distance [cells]
    Float stop(1.0f);
    Mask hit = free_distance < zero;                              // starts inside: stays
    stop = select(hit, zero, stop);
    Mask walking = ~hit & (free_distance < length);
    // Steps are at least half a cell, so the walk ends; nothing thinner than that is resolved by the distance field.
    while (any(walking)) {
        const Float next = min(free + max(free_distance, Float(0.5f)) / length, one), d = distance_at(next);
        const Mask entered = walking & (d < zero);
        const Float crossing = fma(next - free, free_distance / (free_distance - d), free);
        // The distance is not linear along the path: where the crossing itself lies inside, keep the last free point.
        stop = select(entered, select(distance_at(select(entered, crossing, zero)) < zero, free, crossing), stop);
        hit = hit | entered;
        walking = walking & ~entered & (next < one) & (d < (one - next) * length);
        free = select(walking, next, free);
        free_distance = select(walking, d, free_distance);
    }
    const Points stopped = along(start, stop, path);
    end = {select(hit, stopped.x, end.x), select(hit, stopped.y, end.y), select(hit, stopped.z, end.z)};
    return hit;
}

}  // namespace phlo::flow
