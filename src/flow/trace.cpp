#include "flow/trace.h"

namespace phlo::flow {
namespace {

/// Points less than two cells inside a solid moved to a tenth of a cell outside; the others as they are. `depth` < 0 tells which.
template <class Distance>
Float3 moved_out(const Distance& distance_at, const Float3& p, Float depth) {
    const Float half(0.5f);
    const Float3 slope{distance_at({p.x + half, p.y, p.z}) - distance_at({p.x - half, p.y, p.z}),
                       distance_at({p.x, p.y + half, p.z}) - distance_at({p.x, p.y - half, p.z}),
                       distance_at({p.x, p.y, p.z + half}) - distance_at({p.x, p.y, p.z - half})};
    const Float steepness = fma(slope.x, slope.x, fma(slope.y, slope.y, slope.z * slope.z));
    const Mask moves = (depth < Float(0.0f)) & (depth > Float(-2.0f)) & (steepness > Float(0.1f));
    return along(p, select(moves, (Float(0.1f) - depth) / steepness, Float(0.0f)), slope);
}

/// Where the straight path from start to end first enters a solid; `hit` tells the lanes that do.
/// A start inside stands for the open part of its face or cell: the path is moved to the surface beside it. One far inside stays.
Float3 first_contact(const View& distance, float per_cell, const PathStarts& pack, const Float3& start, const Float3& end, Mask& hit) {
    const Float3 path{end.x - start.x, end.y - start.y, end.z - start.z};
    const Float length = sqrt(fma(path.x, path.x, fma(path.y, path.y, path.z * path.z)));
    const auto distance_at = [&](const Float3& p) { return sample_linear(distance, pack.inside(p)) * Float(per_cell); };

    const Float one(1.0f), zero(0.0f);
    Float3 begin = start;
    Float free(0.0f), free_distance = distance_at(start);  // last point known to be outside, and its distance [cells]
    hit = free_distance < zero;
    if (any(hit)) begin = moved_out(distance_at, start, free_distance), free_distance = distance_at(begin);
    const auto distance_along = [&](Float t) { return distance_at(along(begin, t, path)); };
    const Mask buried = free_distance < zero;
    Float stop = select(buried, zero, one);
    Mask walking = ~buried & (free_distance < length);
    // Steps are at least half a cell, so the walk ends; nothing thinner than that is resolved by the distance field.
    while (any(walking)) {
        const Float next = min(free + max(free_distance, Float(0.5f)) / length, one), d = distance_along(next);
        const Mask entered = walking & (d < zero);
        const Float crossing = fma(next - free, free_distance / (free_distance - d), free);
        // The distance is not linear along the path: where the crossing itself lies inside, keep the last free point.
        stop = select(entered, select(distance_along(select(entered, crossing, zero)) < zero, free, crossing), stop);
        hit = hit | entered;
        walking = walking & ~entered & (next < one) & (d < (one - next) * length);
        free = select(walking, next, free);
        free_distance = select(walking, d, free_distance);
    }
    return along(begin, stop, path);
}

}  // namespace

void third_order_ends(const Stream& s, int i, int j, int k, int packs, const Float3& start, const Float3* first, const Float3* second,
                      Paths& paths) {
    Float3 third[batch], point[batch];
    PathStarts pack(s, i, j, k);
    for (int p = 0; p < packs; ++p, pack.next()) point[p] = pack.inside(along(start, Float(0.75f) * s.scale, second[p]));
    velocities_at(s, i, j, k, packs, point, third);
    for (int p = 0; p < packs; ++p) {
        const Float3 two = along(along(start, Float(2.0f / 9) * s.scale, first[p]), Float(3.0f / 9) * s.scale, second[p]);
        paths.end[p] = along(two, Float(4.0f / 9) * s.scale, third[p]);
    }
}

void stop_at_solids(const Stream& s, int i, int j, int k, int packs, const Float3& start, Paths& paths) {
    const Vec3i last = s.near_solid->cells() - Vec3i(1);
    for (int p = 0; p < packs; ++p) {
        const PathStarts pack(s, i + p * simd::width, j, k);
        if (!s.near_solid->active_at_cell(std::min(pack.i, last.x), std::min(j, last.y), std::min(k, last.z))) continue;
        Float3& end = paths.end[p];
        // Most paths are shorter than the way to the nearest solid. The start is within a cell of the cell's centre.
        const Float3 path{end.x - start.x, end.y - start.y, end.z - start.z};
        const Float room = fma(simd::load(s.distance.at(pack.i, j, k).entry), Float(s.per_cell), Float(-1.0f));
        if (!any(room * abs(room) <= fma(path.x, path.x, fma(path.y, path.y, path.z * path.z)))) continue;
        Mask hit;
        const Float3 contact = first_contact(s.distance.at(pack.i, j, k), s.per_cell, pack, start, pack.inside(end), hit);
        end = {select(hit, contact.x, end.x), select(hit, contact.y, end.y), select(hit, contact.z, end.z)};
        paths.stopped[p] = paths.stopped[p] | hit;
    }
}

}  // namespace phlo::flow
