// One sweep of the conserving transport along an axis: what conserve.cpp and conserve_share.cpp both need of it.
#pragma once
#include <array>
#include <optional>

#include "base/simd.h"
#include "flow/conserve.h"

namespace phlo::flow {

using simd::Float;
using simd::Mask;

struct Sweep {
    const field::MacGrid& u;
    const field::MacGrid* aperture;
    const field::Grid* volume;
    float scale;  ///< sub-step / h: velocity to volume fraction
    int axis;
    std::array<bool, 3> done;  ///< axes already swept in this sub-step
    std::optional<float> lower_value, upper_value;
    field::Grid& amount;
    const field::Grid* share;  ///< of the central slope that all fields of a group may take; null: each has its own limiter
    bool bounded;  ///< of a group: its own limiter holds as well
};

inline std::ptrdiff_t stride(const field::Layout& layout, int axis) {
    return axis == 0 ? 1 : axis == 1 ? layout.stride_y() : layout.stride_z();
}

/// Volume through the faces of component `axis` at `at` (offset from the first entry) and the lanes after it.
PHLO_INLINE Float crossing(const Sweep& s, int axis, std::ptrdiff_t at) {
    Float phi = simd::load(s.u[axis].row(0, 0) + at) * Float(s.scale);
    if (s.aperture) phi = phi * simd::load((*s.aperture)[axis].row(0, 0) + at);
    return phi;
}

PHLO_INLINE Float full_volume(const Sweep& s, std::ptrdiff_t at) {
    return s.volume ? max(simd::load(s.volume->row(0, 0) + at), Float(smallest_volume)) : Float(1.0f);
}

/// Volume of the cells at `at` before this sweep.
PHLO_INLINE Float volume_now(const Sweep& s, std::ptrdiff_t at) {
    Float v = full_volume(s, at);
    for (int axis = 0; axis < 3; ++axis)
        if (s.done[std::size_t(axis)]) v = v - (crossing(s, axis, at + stride(s.u.layout(), axis)) - crossing(s, axis, at));
    return v;
}

/// Slope by the monotonized central limiter [vanleer1977].
PHLO_INLINE Float limited_slope(Float before, Float after) {
    const Float zero(0.0f), two(2.0f), central = Float(0.5f) * (before + after);
    const Float least = min(min(two * abs(before), two * abs(after)), abs(central));
    return select(before * after > zero, select(central < zero, -least, least), zero);
}

/// No slope across a closed face: the other side belongs to somebody else.
PHLO_INLINE Float difference(const Sweep& s, std::ptrdiff_t face, Float q0, Float q1) {
    const Float d = q1 - q0;
    if (!s.aperture) return d;
    return select(simd::load((*s.aperture)[s.axis].row(0, 0) + face) > Float(0.0f), d, Float(0.0f));
}

/// Slope of the cells at `at` from the differences to the cells before and after them.
PHLO_INLINE Float slope_of(const Sweep& s, std::ptrdiff_t at, Float before, Float after) {
    const Float own = limited_slope(before, after);
    if (!s.share) return own;
    const Float common = simd::load(s.share->row(0, 0) + at) * Float(0.5f) * (before + after);
    return s.bounded ? select(abs(common) < abs(own), common, own) : common;
}

/// The share of the central slope that the most limited of the fields allows, cell by cell, for a sweep along s.axis.
void find_common_share(const Sweep& s, std::span<const Companion> fields, const TileSet& tiles, field::Grid& share);

}  // namespace phlo::flow
