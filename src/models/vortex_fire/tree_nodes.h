// What the tree knows of its nodes: where they are, how large, and their moments.
//
// Only for sources that are compiled for each CPU.
#pragma once
#include <algorithm>
#include <cmath>
#include <span>

#include "base/parallel.h"
#include "models/vortex_fire/biot_savart.h"
#include "models/vortex_fire/expansion.h"

namespace phlo::models {

/// A node of the tree of vortons, or a group of targets: where it is and how large.
struct Extent {
    Vec3f centre, low, high;
    float weight = 0;        ///< Σ |Γ|; for targets their number
    float second = 0;        ///< Σ weight · distance² from the centre

    float size() const { return weight > 0 ? std::sqrt(second / weight) : 0; }
    /// Distance of the centre from the farthest corner of the box.
    float reach() const { return length(max(high - centre, centre - low)); }
};

/// A node of the tree of vortons.
template <int order>
struct SourceNode {
    Extent extent;
    float size = 0, reach = 0;   ///< of the extent
    Moments<order> moments{};
};

/// Lengths of the order of one: powers of them stay within the range of floats, wherever and however large the vortons are.
struct TreeFrame {
    Vec3f origin;
    float per_length = 1;
    Vec3f operator()(const Vec3f& p) const { return (p - origin) * per_length; }
};

inline TreeFrame frame_of(const VortonView& vortons) {
    const std::span<const Vec3f> p = vortons.position;
    if (p.empty()) return {};
    constexpr int chunk = 4096;
    const int count = int(p.size()), chunks = (count + chunk - 1) / chunk;
    const auto sum = [&](auto&& value) {
        return parallel_sum(chunks, [&](int c) {
            double part = 0;
            for (int i = c * chunk; i < std::min(count, (c + 1) * chunk); ++i) part += value(Vec3d(p[std::size_t(i)]));
            return part;
        });
    };
    const Vec3d centre = Vec3d(sum([](const Vec3d& q) { return q.x; }), sum([](const Vec3d& q) { return q.y; }), sum([](const Vec3d& q) { return q.z; })) / double(count);
    const double size = std::sqrt(sum([&](const Vec3d& q) { return dot(q - centre, q - centre); }) / count);
    return {Vec3f(centre), float(1 / std::max(size, vortons.core_radius))};
}

inline Extent extent_of(const PackedVorton* first, const PackedVorton* last, bool by_strength) {
    const auto place = [](const PackedVorton& v) { return Vec3f(v.x, v.y, v.z); };
    const auto weight = [&](const PackedVorton& v) { return by_strength ? length(Vec3f(v.gx, v.gy, v.gz)) : 1.0f; };
    Extent e;
    e.low = e.high = place(*first);
    const Vec3f base = e.low;   // sums near zero, wherever the vortons are
    Vec3f moment, plain;
    for (const PackedVorton* v = first; v != last; ++v) {
        const Vec3f p = place(*v);
        e.low = min(e.low, p), e.high = max(e.high, p);
        e.weight += weight(*v), moment += (p - base) * weight(*v), plain += p - base;
    }
    e.centre = base + (e.weight > 0 ? moment / e.weight : plain / float(last - first));
    for (const PackedVorton* v = first; v != last; ++v) e.second += weight(*v) * dot(place(*v) - e.centre, place(*v) - e.centre);
    return e;
}

inline Extent joined(const Extent& a, const Extent& b) {
    Extent e;
    e.low = min(a.low, b.low), e.high = max(a.high, b.high), e.weight = a.weight + b.weight;
    const float share = e.weight > 0 ? b.weight / e.weight : 0.5f;
    e.centre = a.centre + (b.centre - a.centre) * share;
    e.second = a.second + b.second + a.weight * dot(a.centre - e.centre, a.centre - e.centre) + b.weight * dot(b.centre - e.centre, b.centre - e.centre);
    return e;
}

}  // namespace phlo::models
