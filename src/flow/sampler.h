// Linear interpolation of a field at a pack of points, fast because neighbouring cells sample neighbouring places.
//
//   const View density(grid);
//   Float value = sample_linear(density.at(i, j, k), {dx, dy, dz});   // lane l samples at (i + l + dx, j + dy, k + dz)
//
//   const Centre centre(points, density.strides);                                     // serves every field with the same layout
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
using simd::Float3;
using simd::Int;
using simd::Mask;

/// Floats from one row and one plane of a field to the next.
struct Strides {
    std::ptrdiff_t y = 0, z = 0;
};

/// A field's memory as the sampler sees it, from one of its entries.
struct View {
    const float* entry = nullptr;
    Strides strides;

    View() = default;
    PHLO_INLINE View(const float* entry_, const Strides& strides_) : entry(entry_), strides(strides_) {}
    explicit View(const field::Grid& grid) : View(grid.row(0, 0), {grid.layout().stride_y(), grid.layout().stride_z()}) {}
    PHLO_INLINE View at(int i, int j, int k) const { return {entry + i + j * strides.y + k * strides.z, strides}; }
};

/// Asks for memory that paths will reach when the next plane is done: its rows are too far apart for the processor to foresee. A box
/// needs rows before and after its own as well, so that packs ask in turn for what is ahead and for what is behind. Asked for all at
/// once, lines get in each other's way.
class Ahead {
public:
    PHLO_INLINE explicit Ahead(const Strides& s) : offsets_{3 * s.z + 3 * s.y, 3 * s.z - 2 * s.y} {}
    /// For pack p of a row, which begins at `entry`.
    PHLO_INLINE void ask(const float* entry, int p) const {
        constexpr int packs_a_line = 16 / simd::width;
        if constexpr (packs_a_line == 1) prefetch(entry + offsets_[0]), prefetch(entry + offsets_[1]);
        else prefetch(entry + offsets_[p % packs_a_line]);
    }

private:
    PHLO_INLINE static void prefetch(const float* p) { _mm_prefetch(reinterpret_cast<const char*>(p), _MM_HINT_T0); }
    std::ptrdiff_t offsets_[2];
};

// ---- places ---------------------------------------------------------------------------------------------------------
/// x, y and z of the middle of a pack; the fourth means nothing. Displacements mostly rise or fall along a row, so that most lanes are
/// near the middle.
PHLO_INLINE __m128 middle_of(const Float3& p) {
#if PHLO_SIMD_512
    const auto first = [](Float a) { return simd::first_four(a); };
    const auto last = [](Float a) { return _mm512_maskz_extractf32x4_ps(0xf, a.v, 3); };
    const __m128 firsts = _mm_movelh_ps(_mm_unpacklo_ps(first(p.x), first(p.y)), first(p.z));
    const __m128 lasts = _mm_shuffle_ps(_mm_unpackhi_ps(last(p.x), last(p.y)), last(p.z), _MM_SHUFFLE(3, 3, 3, 2));
    return _mm_mul_ps(_mm_set1_ps(0.5f), _mm_add_ps(firsts, lasts));
#else
    const auto fifth = [](Float a) { return _mm256_extractf128_ps(a.v, 1); };
    return _mm_movelh_ps(_mm_unpacklo_ps(fifth(p.x), fifth(p.y)), fifth(p.z));
#endif
}

/// The sum of all lanes, in every lane.
PHLO_INLINE __m128i sum_of(__m128i a) {
    const __m128i pairs = _mm_add_epi32(a, _mm_shuffle_epi32(a, _MM_SHUFFLE(2, 3, 0, 1)));
    return _mm_add_epi32(pairs, _mm_shuffle_epi32(pairs, _MM_SHUFFLE(1, 0, 3, 2)));
}
/// What a step along x, y and z is in memory.
PHLO_INLINE __m128i steps_of(const Strides& s) { return _mm_setr_epi32(1, int(s.y), int(s.z), 0); }

/// An entry from which the points of a pack are seen. Found some time before the fields are read, so that addresses are known by then.
struct Centre {
    float x, y, z;
    int offset;   ///< in memory

    Centre() = default;
    PHLO_INLINE Centre(const Float3& p, const Strides& strides) {
        const __m128i whole = _mm_cvtps_epi32(middle_of(p)), offsets = sum_of(_mm_mullo_epi32(whole, steps_of(strides)));
        _mm_storeu_ps(&x, _mm_blend_ps(_mm_cvtepi32_ps(whole), _mm_castsi128_ps(offsets), 0b1000));
    }
    PHLO_INLINE Centre(float x_, float y_, float z_, const Strides& s)
        : x(x_), y(y_), z(z_), offset(int(x) + int(y) * int(s.y) + int(z) * int(s.z)) {}
};

/// The weights of three entries in a row for points around the middle one. Points too far away have a negative weight there.
struct Tent {
    Float below, own, above;

    PHLO_INLINE explicit Tent(Float off) {
        above = max(off, Float(0.0f));
        below = above - off;
        own = Float(1.0f) - above - below;
    }
};

struct Place {
    /// An entry with less weight does not count in a range. Velocities carry about 2^-14 of their size in errors.
    static constexpr float no_weight = 0x1p-14f;

    Tent x, y, z;

    PHLO_INLINE explicit Place(const Float3& off) : x(off.x), y(off.y), z(off.z) {}
    PHLO_INLINE Place(const Float3& p, const Centre& c) : Place({p.x - Float(c.x), p.y - Float(c.y), p.z - Float(c.z)}) {}
    PHLO_INLINE Float least_own() const { return min(min(x.own, y.own), z.own); }
    /// The lanes that are near enough.
    PHLO_INLINE Mask served() const { return least_own() > Float(no_weight); }
};

// ---- the kinds of samples -------------------------------------------------------------------------------------------
// Each has the Value it makes, and evaluate(): the value of the lanes that a place serves, from the entry in its centre.

/// Along x, then y, then z, on the three rows of the three planes around the centre.
template <class AlongX, class AlongY, class AlongZ>
PHLO_INLINE auto combine(const View& centre, const AlongX& along_x, const AlongY& along_y, const AlongZ& along_z) {
    const std::ptrdiff_t sy = centre.strides.y, sz = centre.strides.z;
    const auto line = [&](const float* q) { return along_x(simd::load(q - 1), simd::load(q), simd::load(q + 1)); };
    const auto plane = [&](const float* q) { return along_y(line(q - sy), line(q), line(q + sy)); };
    return along_z(plane(centre.entry - sz), plane(centre.entry), plane(centre.entry + sz));
}

struct Linear {
    using Value = Float;
    PHLO_INLINE static Float along(const Tent& t, Float m, Float c, Float p) { return fma(t.above, p, fma(t.below, m, t.own * c)); }
    PHLO_INLINE static Value evaluate(const View& centre, const Tent& x, const Tent& y, const Tent& z) {
        const auto with = [](const Tent& t) { return [&t](Float m, Float c, Float p) { return along(t, m, c, p); }; };
        return combine(centre, with(x), with(y), with(z));
    }
    PHLO_INLINE static Value merge(Mask group, const Value& a, const Value& b) { return select(group, a, b); }
};

/// Exact where the field is constant, which rounded weights are not; a little slower.
struct Even {
    using Value = Float;
    PHLO_INLINE static Value evaluate(const View& centre, const Tent& x, const Tent& y, const Tent& z) {
        const auto with = [](const Tent& t) {
            return [&t](Float m, Float c, Float p) { return fma(t.above, p - c, fma(t.below, m - c, c)); };
        };
        return combine(centre, with(x), with(y), with(z));
    }
    PHLO_INLINE static Value merge(Mask group, const Value& a, const Value& b) { return select(group, a, b); }
};

/// The value, and the least and the greatest of the corners. A corner without weight does not count: the range at a point on a
/// grid plane is that of the plane, whichever side the point was rounded to, so that mirrored flows give mirrored limits.
struct Bounded {
    struct Value {
        Float value, low, high;
    };
    PHLO_INLINE static Value evaluate(const View& centre, const Tent& x, const Tent& y, const Tent& z) {
        const auto with = [](const Tent& t) {
            const Mask below = t.below > Float(Place::no_weight), above = t.above > Float(Place::no_weight);
            return [&t, below, above](const Value& m, const Value& c, const Value& p) {
                return Value{Linear::along(t, m.value, c.value, p.value), min(select(below, m.low, c.low), select(above, p.low, c.low)),
                             max(select(below, m.high, c.high), select(above, p.high, c.high))};
            };
        };
        const auto along_x = [alike = with(x)](Float m, Float c, Float p) { return alike({m, m, m}, {c, c, c}, {p, p, p}); };
        return combine(centre, along_x, with(y), with(z));
    }
    PHLO_INLINE static Value merge(Mask group, const Value& a, const Value& b) {
        return {select(group, a.value, b.value), select(group, a.low, b.low), select(group, a.high, b.high)};
    }
};

// ---- sampling -------------------------------------------------------------------------------------------------------
/// The general case: first the lanes around the common centre, then those around each lane that is left. Which lanes share a round
/// changes no lane's centre, so that none feels what happens to the others.
template <class Kind>
[[gnu::noinline]] typename Kind::Value sample_torn(const View& field, const Float3& p, const Centre& common) {
    const Float3 nearest{round(p.x), round(p.y), round(p.z)};
    alignas(64) float x[simd::width], y[simd::width], z[simd::width];
    simd::store(x, nearest.x), simd::store(y, nearest.y), simd::store(z, nearest.z);
    const Place around(p, common);
    typename Kind::Value values = Kind::evaluate(field.at(common.offset, 0, 0), around.x, around.y, around.z);
    for (Mask left = ~around.served(); simd::any(left);) {
        const int first = std::countr_zero(simd::bits(left));
        const Centre own(x[first], y[first], z[first], field.strides);
        const Place at(p, own);
        const Mask alike = left & (nearest.x == Float(x[first])) & (nearest.y == Float(y[first])) & (nearest.z == Float(z[first]));
        values = Kind::merge(alike, Kind::evaluate(field.at(own.offset, 0, 0), at.x, at.y, at.z), values);
        left = left & ~alike;
    }
    return values;
}

template <class Kind>
PHLO_INLINE typename Kind::Value sample(const View& field, const Float3& p, const Centre& centre) {
    const Place at(p, centre);
    if (!simd::all(at.served())) [[unlikely]] return sample_torn<Kind>(field, p, centre);
    return Kind::evaluate(field.at(centre.offset, 0, 0), at.x, at.y, at.z);
}
PHLO_INLINE Float sample_linear(const View& field, const Float3& p) { return sample<Linear>(field, p, Centre(p, field.strides)); }

}  // namespace phlo::flow
