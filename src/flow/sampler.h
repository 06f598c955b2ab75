// Linear interpolation of a field at a pack of points, fast because neighbouring cells sample neighbouring places.
//
//   const View density(grid);
//   Float value = sample_linear(density.at(i, j, k), {dx, dy, dz});   // lane l samples at (i + l + dx, j + dy, k + dz)
//
//   const Centre centre(points, density);                                      // serves every field with the same layout
//   Bounded::Value b = sample<Bounded>(density.at(i, j, k), points, centre);   // the value, and the range of the corners around it
//
// Points are displacements from the lane's own entry, in cells: they keep their digits wherever they are in the domain.
//
// A gather fetches each corner of each lane by itself. But the lanes of a pack mostly come from within one cell of a common
// place. Weights that fall from one to zero over a cell on either side of it ("tents") then serve all lanes at once: 27 contiguous
// loads, and nothing to choose. Packs that are torn apart are served in rounds.
//
// Points must lie where the field has entries, between -1 and n; one entry further is read, with no weight.
#pragma once
#include <algorithm>
#include <bit>

#include "base/simd.h"
#include "field/grid.h"

namespace phlo::flow {

using simd::Float;
using simd::Int;
using simd::Mask;

/// A field's memory as the sampler sees it, from one of its entries.
struct View {
    const float* entry = nullptr;
    int stride_y = 0, stride_z = 0;

    View() = default;
    explicit View(const field::Grid& grid)
        : entry(grid.row(0, 0)), stride_y(int(grid.layout().stride_y())), stride_z(int(grid.layout().stride_z())) {}
    PHLO_INLINE View at(int i, int j, int k) const {
        View moved = *this;
        moved.entry += i + std::ptrdiff_t(j) * stride_y + std::ptrdiff_t(k) * stride_z;
        return moved;
    }
};

/// Asks for the next plane that paths from the `count` entries will reach: its rows are too far apart for the processor to foresee.
PHLO_INLINE void prefetch_ahead(const View& field, int count) {
    constexpr int planes = 3, line = 16;
    const float* next = field.entry + planes * std::ptrdiff_t(field.stride_z);
    for (int i = 0; i < count; i += line) _mm_prefetch(reinterpret_cast<const char*>(next + i), _MM_HINT_T0);
}

struct Points {
    Float x, y, z;
};

// ---- places ---------------------------------------------------------------------------------------------------------
PHLO_INLINE float nearest_whole(float a) {
    const __m128 v = _mm_set_ss(a);
    return _mm_cvtss_f32(_mm_round_ss(v, v, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC));
}

/// The whole number that most lanes are near to: displacements mostly rise or fall along a row.
PHLO_INLINE float centre_of(Float p) {
#if PHLO_SIMD_512
    const __m128 last = _mm512_maskz_extractf32x4_ps(0xf, p.v, 3);
    return nearest_whole(0.5f * (_mm512_cvtss_f32(p.v) + _mm_cvtss_f32(_mm_permute_ps(last, 0xff))));
#else
    return nearest_whole(_mm_cvtss_f32(_mm256_extractf128_ps(p.v, 1)));   // the fifth of eight is near enough
#endif
}

/// An entry from which the points of a pack are seen. Found some time before the fields are read, so that addresses are known by then.
struct Centre {
    float x, y, z;
    int offset_x, offset_y, offset_z;   ///< in memory

    Centre() = default;
    PHLO_INLINE Centre(const Points& p, const View& strides) : Centre(centre_of(p.x), centre_of(p.y), centre_of(p.z), strides) {}
    PHLO_INLINE Centre(float x_, float y_, float z_, const View& strides)
        : x(x_), y(y_), z(z_), offset_x(int(x)), offset_y(int(y) * strides.stride_y), offset_z(int(z) * strides.stride_z) {}
};

/// The weights of three entries in a row for points around the middle one. Points too far away have a negative weight there.
struct Tent {
    Float below, own, above;
    int offset;   ///< of the middle one

    PHLO_INLINE Tent(Float p, float centre, int offset_) : offset(offset_) {
        const Float off = p - Float(centre);
        above = max(off, Float(0.0f));
        below = above - off;
        own = Float(1.0f) - above - below;
    }
};

struct Place {
    /// An entry with less weight does not count in a range. Velocities carry about 2^-14 of their size in errors.
    static constexpr float no_weight = 0x1p-14f;

    Tent x, y, z;

    PHLO_INLINE Place(const Points& p, const Centre& c) : x(p.x, c.x, c.offset_x), y(p.y, c.y, c.offset_y), z(p.z, c.z, c.offset_z) {}
    /// The lanes that are near enough.
    PHLO_INLINE Mask served() const { return min(min(x.own, y.own), z.own) > Float(no_weight); }
};

// ---- the kinds of samples -------------------------------------------------------------------------------------------
// Each has the Value it makes, and evaluate(): the value of the lanes that a place serves, from the entry in its centre.

/// Along x, then y, then z, on the three rows of the three planes around the centre.
template <class AlongX, class AlongY, class AlongZ>
PHLO_INLINE auto combine(const View& centre, const AlongX& along_x, const AlongY& along_y, const AlongZ& along_z) {
    const std::ptrdiff_t sy = centre.stride_y, sz = centre.stride_z;
    const auto line = [&](const float* q) { return along_x(simd::load(q - 1), simd::load(q), simd::load(q + 1)); };
    const auto plane = [&](const float* q) { return along_y(line(q - sy), line(q), line(q + sy)); };
    return along_z(plane(centre.entry - sz), plane(centre.entry), plane(centre.entry + sz));
}

struct Linear {
    using Value = Float;
    PHLO_INLINE static Float along(const Tent& t, Float m, Float c, Float p) { return fma(t.above, p, fma(t.below, m, t.own * c)); }
    PHLO_INLINE static Value evaluate(const View& f, const Tent& x, const Tent& y, const Tent& z) {
        const auto with = [](const Tent& t) { return [&t](Float m, Float c, Float p) { return along(t, m, c, p); }; };
        return combine(f.at(x.offset + y.offset + z.offset, 0, 0), with(x), with(y), with(z));
    }
    PHLO_INLINE static Value merge(Mask group, const Value& a, const Value& b) { return select(group, a, b); }
};

/// Exact where the field is constant, which rounded weights are not; a little slower.
struct Even {
    using Value = Float;
    PHLO_INLINE static Value evaluate(const View& f, const Tent& x, const Tent& y, const Tent& z) {
        const auto with = [](const Tent& t) {
            return [&t](Float m, Float c, Float p) { return fma(t.above, p - c, fma(t.below, m - c, c)); };
        };
        return combine(f.at(x.offset + y.offset + z.offset, 0, 0), with(x), with(y), with(z));
    }
    PHLO_INLINE static Value merge(Mask group, const Value& a, const Value& b) { return select(group, a, b); }
};

/// The value, and the least and the greatest of the corners. A corner without weight does not count: the range at a point on a
/// grid plane is that of the plane, whichever side the point was rounded to, so that mirrored flows give mirrored limits.
struct Bounded {
    struct Value {
        Float value, low, high;
    };
    PHLO_INLINE static Value evaluate(const View& f, const Tent& x, const Tent& y, const Tent& z) {
        const auto with = [](const Tent& t) {
            const Mask below = t.below > Float(Place::no_weight), above = t.above > Float(Place::no_weight);
            return [&t, below, above](const Value& m, const Value& c, const Value& p) {
                return Value{Linear::along(t, m.value, c.value, p.value), min(select(below, m.low, c.low), select(above, p.low, c.low)),
                             max(select(below, m.high, c.high), select(above, p.high, c.high))};
            };
        };
        const auto along_x = [alike = with(x)](Float m, Float c, Float p) { return alike({m, m, m}, {c, c, c}, {p, p, p}); };
        return combine(f.at(x.offset + y.offset + z.offset, 0, 0), along_x, with(y), with(z));
    }
    PHLO_INLINE static Value merge(Mask group, const Value& a, const Value& b) {
        return {select(group, a.value, b.value), select(group, a.low, b.low), select(group, a.high, b.high)};
    }
};

// ---- sampling -------------------------------------------------------------------------------------------------------
/// The general case: first the lanes around the common centre, then those around each lane that is left. Which lanes share a round
/// changes no lane's centre, so that none feels what happens to the others.
template <class Kind>
[[gnu::noinline]] typename Kind::Value sample_torn(const View& field, const Points& p, const Centre& common) {
    const Points nearest{round(p.x), round(p.y), round(p.z)};
    alignas(64) float x[simd::width], y[simd::width], z[simd::width];
    simd::store(x, nearest.x), simd::store(y, nearest.y), simd::store(z, nearest.z);
    const Place around(p, common);
    typename Kind::Value values = Kind::evaluate(field, around.x, around.y, around.z);
    for (Mask left = ~around.served(); simd::any(left);) {
        const int first = std::countr_zero(simd::bits(left));
        const Place at(p, Centre(x[first], y[first], z[first], field));
        const Mask alike = left & (nearest.x == Float(x[first])) & (nearest.y == Float(y[first])) & (nearest.z == Float(z[first]));
        values = Kind::merge(alike, Kind::evaluate(field, at.x, at.y, at.z), values);
        left = left & ~alike;
    }
    return values;
}

template <class Kind>
PHLO_INLINE typename Kind::Value sample(const View& field, const Points& p, const Centre& centre) {
    const Place at(p, centre);
    if (!simd::all(at.served())) [[unlikely]] return sample_torn<Kind>(field, p, centre);
    return Kind::evaluate(field, at.x, at.y, at.z);
}
PHLO_INLINE Float sample_linear(const View& field, const Points& p) { return sample<Linear>(field, p, Centre(p, field)); }

}  // namespace phlo::flow
