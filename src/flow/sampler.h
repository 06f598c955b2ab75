// Interpolation of a field at a pack of points, fast because neighbouring cells sample neighbouring places.
//
//   const View density(grid);
//   Float value = sample_linear(density.at(i, j, k), {dx, dy, dz});   // lane l samples at (i + l + dx, j + dy, k + dz)
//
// Points are displacements from the lane's own entry, in cells: they keep their digits wherever they are in the domain,
// and mirrored displacements give mirrored weights.
//
// A gather fetches each corner of each lane by itself. But lanes of a pack mostly come from the same (y, z) row and lie within a
// few cells of each other, so a `Window` of contiguous loads serves all of them, and the corners are picked in
// registers. Lanes of other rows are served in further rounds. The numbers are the same as with gathers.
//
// Points must lie where the field has entries: between -1 and n (linear reads one ghost, cubic two).
#pragma once
#include <array>
#include <bit>

#include "base/error.h"
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
        : entry(grid.row(0, 0)), stride_y(int(grid.layout().stride_y())), stride_z(int(grid.layout().stride_z())) {
        PHLO_CHECK(grid.storage().size() < (std::size_t(1) << 29));   // row keys are 32-bit, two bits are used for flags
    }
    PHLO_INLINE View at(int i, int j, int k) const {
        View moved = *this;
        moved.entry += i + std::ptrdiff_t(j) * stride_y + std::ptrdiff_t(k) * stride_z;
        return moved;
    }
};

struct Points {
    Float x, y, z;
};

/// f(0) and f(1) around a point, on one row.
struct Pair {
    Float f0, f1;
};
/// f(-1) ... f(2) around a point, on one row.
struct Quad {
    Float m, f0, f1, p;
};

#if PHLO_SIMD_512
/// 32 contiguous floats in two registers, around the entries shift .. shift + 15; any of them goes to any lane by one permutation.
class Window {
public:
    PHLO_INLINE Window(Int x, int shift_first, int) : base_(shift_first - 8), offset_(x + simd::lane_index() - Int(base_)) {}
    /// Lanes whose four entries lie in the window: one before and two after, so 1 <= offset <= 29.
    PHLO_INLINE Mask served() const { return (offset_ > Int(0)) & (Int(30) > offset_); }
    PHLO_INLINE Pair pair(const float* row) const {
        const __m512 a = _mm512_loadu_ps(row + base_), b = _mm512_loadu_ps(row + base_ + 16);
        return {pick(a, b, 0), pick(a, b, 1)};
    }
    PHLO_INLINE Quad quad(const float* row) const {
        const __m512 a = _mm512_loadu_ps(row + base_), b = _mm512_loadu_ps(row + base_ + 16);
        return {pick(a, b, -1), pick(a, b, 0), pick(a, b, 1), pick(a, b, 2)};
    }

private:
    PHLO_INLINE Float pick(__m512 a, __m512 b, int shift) const { return _mm512_permutex2var_ps(a, (offset_ + Int(shift)).v, b); }
    int base_;
    Int offset_;
};
#else
/// The whole part of the displacement is mostly the same for all lanes, s, or s for some and s + 1 for the others. Unaligned loads
/// at s, s + 1, ... and a blend serve both; vpermps is dearer on AVX2.
class Window {
public:
    /// s from the first or the last lane: the displacement rises or falls along the row.
    PHLO_INLINE Window(Int x, int shift_first, int shift_last) : base_(std::min(shift_first, shift_last)) {
        upper_ = x == Int(base_ + 1);
        served_ = upper_ | (x == Int(base_));
    }
    PHLO_INLINE Mask served() const { return served_; }
    PHLO_INLINE Pair pair(const float* row) const {
        const float* p = row + base_;
        const Float a = simd::load(p), b = simd::load(p + 1), c = simd::load(p + 2);
        return {simd::select(upper_, b, a), simd::select(upper_, c, b)};
    }
    PHLO_INLINE Quad quad(const float* row) const {
        const float* p = row + base_;
        const Float a = simd::load(p - 1), b = simd::load(p), c = simd::load(p + 1), d = simd::load(p + 2), e = simd::load(p + 3);
        return {simd::select(upper_, b, a), simd::select(upper_, c, b), simd::select(upper_, d, c), simd::select(upper_, e, d)};
    }

private:
    int base_;
    Mask upper_, served_;
};
#endif

PHLO_INLINE Float lerp(Float a, Float b, Float t) { return fma(t, b - a, a); }

/// The entry below each point, as whole steps from the lane's own, and where the point is between it and the next.
struct Place {
    Int x, y, z;   ///< whole displacements
    Int key;       ///< of the row: the same for lanes of one row
    Float tx, ty, tz;

    PHLO_INLINE Place(const View& view, const Points& p) {
        const Float fx = floor(p.x), fy = floor(p.y), fz = floor(p.z);
        tx = p.x - fx, ty = p.y - fy, tz = p.z - fz;
        x = to_int(fx), y = to_int(fy), z = to_int(fz);
        key = y * Int(view.stride_y) + z * Int(view.stride_z);
    }
};

/// Lanes whose rows are y or y + 1 and whose planes are z or z + 1.
struct Block {
    int y, z;
    Mask upper_y, upper_z, served;

    PHLO_INLINE explicit Block(const Place& at) {
        y = std::min(simd::first_of(at.y), simd::last_of(at.y));
        z = std::min(simd::first_of(at.z), simd::last_of(at.z));
        upper_y = at.y == Int(y + 1), upper_z = at.z == Int(z + 1);
        served = (upper_y | (at.y == Int(y))) & (upper_z | (at.z == Int(z)));
    }
    /// Row (b, c) of the 3 x 3.
    PHLO_INLINE const float* row(const View& f, int b, int c) const {
        return f.entry + (y + b) * std::ptrdiff_t(f.stride_y) + (z + c) * std::ptrdiff_t(f.stride_z);
    }
};

// ---- three ways to interpolate --------------------------------------------------------------------------------------
// Each has a Place, the Value it makes, and evaluate(): the value of the lanes that the window serves, for one row key.

struct Linear {
    using Place = flow::Place;
    using Value = Float;

    PHLO_INLINE static Value evaluate(const View& f, int key, const Window& window, const Place& at) {
        const float* q = f.entry + key;
        const std::ptrdiff_t sy = f.stride_y, sz = f.stride_z;
        const Pair a = window.pair(q), b = window.pair(q + sy), c = window.pair(q + sz), d = window.pair(q + sz + sy);
        const Float below = lerp(lerp(a.f0, a.f1, at.tx), lerp(b.f0, b.f1, at.tx), at.ty);
        const Float above = lerp(lerp(c.f0, c.f1, at.tx), lerp(d.f0, d.f1, at.tx), at.ty);
        return lerp(below, above, at.tz);
    }
    PHLO_INLINE static Value merge(Mask group, const Value& a, const Value& b) { return select(group, a, b); }

    static constexpr bool has_block = true;
    /// Lanes on two neighbouring rows and planes: the block of 3 x 3 rows holds the corners of all of them.
    PHLO_INLINE static Value evaluate_block(const View& f, const Window& window, const Place& at, const Block& block) {
        Float plane[3];
        for (int c = 0; c < 3; ++c) {
            Float line[3];
            for (int b = 0; b < 3; ++b) {
                const Pair pair = window.pair(block.row(f, b, c));
                line[b] = lerp(pair.f0, pair.f1, at.tx);
            }
            plane[c] = lerp(select(block.upper_y, line[1], line[0]), select(block.upper_y, line[2], line[1]), at.ty);
        }
        return lerp(select(block.upper_z, plane[1], plane[0]), select(block.upper_z, plane[2], plane[1]), at.tz);
    }
};

/// Trilinear, with the range of the corners. A corner without weight does not count: the range at a point on a grid plane is
/// that of the plane, whichever side the point was rounded to, so that mirrored flows give mirrored limits.
struct LinearWithRange {
    struct Value {
        Float value, low, high;
    };
    struct Place : flow::Place {
        Mask flat_x, flat_y, flat_z;
        PHLO_INLINE Place(const View& view, const Points& p) : flow::Place(view, {snap(p.x), snap(p.y), snap(p.z)}) {
            // Lanes share a round only if they agree on which planes count: two flag bits beside the row.
            const Float zero(0.0f);
            const Int none(0), one(1), two(2);
            flat_x = tx == zero, flat_y = ty == zero, flat_z = tz == zero;
            key = key * Int(4) + select(flat_y, none, one) + select(flat_z, none, two);
        }
        /// Velocities carry about 2^-14 of their size in errors: nearer to a plane than that is on it.
        PHLO_INLINE static Float snap(Float a) {
            const Float nearest = round(a);
            return select(abs(a - nearest) < Float(0x1p-14f), nearest, a);
        }
    };

    PHLO_INLINE static Value evaluate(const View& f, int flagged_key, const Window& window, const Place& at) {
        const float* q = f.entry + (flagged_key >> 2);
        const std::ptrdiff_t sy = flagged_key & 1 ? f.stride_y : 0, sz = flagged_key & 2 ? f.stride_z : 0;
        const auto corners = [&](const float* row) {
            const Pair pair = window.pair(row);
            return Pair{pair.f0, select(at.flat_x, pair.f0, pair.f1)};
        };
        const Pair a = corners(q), b = corners(q + sy), c = corners(q + sz), d = corners(q + sz + sy);
        const Float below = lerp(lerp(a.f0, a.f1, at.tx), lerp(b.f0, b.f1, at.tx), at.ty);
        const Float above = lerp(lerp(c.f0, c.f1, at.tx), lerp(d.f0, d.f1, at.tx), at.ty);
        return {lerp(below, above, at.tz), min(min(min(a.f0, a.f1), min(b.f0, b.f1)), min(min(c.f0, c.f1), min(d.f0, d.f1))),
                max(max(max(a.f0, a.f1), max(b.f0, b.f1)), max(max(c.f0, c.f1), max(d.f0, d.f1)))};
    }
    PHLO_INLINE static Value merge(Mask group, const Value& a, const Value& b) {
        return {select(group, a.value, b.value), select(group, a.low, b.low), select(group, a.high, b.high)};
    }

    static constexpr bool has_block = true;
    /// Between two of three values, `upper` lanes between the upper two; the second does not count in `flat` lanes.
    PHLO_INLINE static Value between(const Value* v, Mask upper, Mask flat, Float t) {
        const Value a = merge(upper, v[1], v[0]), b = merge(flat, a, merge(upper, v[2], v[1]));
        return {lerp(a.value, b.value, t), min(a.low, b.low), max(a.high, b.high)};
    }
    PHLO_INLINE static Value evaluate_block(const View& f, const Window& window, const Place& at, const Block& block) {
        Value plane[3];
        for (int c = 0; c < 3; ++c) {
            Value line[3];
            for (int b = 0; b < 3; ++b) {
                const Pair pair = window.pair(block.row(f, b, c));
                const Float f1 = select(at.flat_x, pair.f0, pair.f1);
                line[b] = {lerp(pair.f0, f1, at.tx), min(pair.f0, f1), max(pair.f0, f1)};
            }
            plane[c] = between(line, block.upper_y, at.flat_y, at.ty);
        }
        return between(plane, block.upper_z, at.flat_z, at.tz);
    }
};

/// Monotone cubic interpolation along x, then y, then z; the result lies between the eight nearest values.
///
/// On one axis: Hermite with central slopes, limited to between 0 and three times the difference of the two middle values.
/// [fedkiw2001, appendix B] sets slopes of the wrong sign to zero; steep slopes of the right sign would still overshoot, so
/// the bound of [fritsch1980] is added.
struct Cubic {
    static constexpr bool has_block = false;
    using Value = Float;

    struct Weights {
        Float difference, slope0, slope1;   ///< of f1 - f0 and of twice the slopes

        PHLO_INLINE explicit Weights(Float t) {
            const Float t2 = t * t, rest = Float(1.0f) - t;
            difference = t2 * fma(Float(-2.0f), t, Float(3.0f));
            slope0 = Float(0.5f) * t * rest * rest;
            slope1 = Float(-0.5f) * t2 * rest;
        }
        PHLO_INLINE Float operator()(Float m, Float f0, Float f1, Float p) const {
            const Float d = f1 - f0, bound = Float(6.0f) * d, low = min(bound, Float(0.0f)), high = max(bound, Float(0.0f));
            const Float s0 = clamp(f1 - m, low, high), s1 = clamp(p - f0, low, high);
            return f0 + fma(difference, d, fma(slope0, s0, slope1 * s1));
        }
    };
    struct Place : flow::Place {
        Weights along_x, along_y, along_z;
        PHLO_INLINE Place(const View& view, const Points& p) : flow::Place(view, p), along_x(tx), along_y(ty), along_z(tz) {}
    };

    PHLO_INLINE static Value evaluate(const View& f, int key, const Window& window, const Place& at) {
        Float plane[4], low, high;
        for (int c = 0; c < 4; ++c) {
            Float line[4];
            for (int b = 0; b < 4; ++b) {
                const Quad q = window.quad(f.entry + key + (b - 1) * std::ptrdiff_t(f.stride_y) + (c - 1) * std::ptrdiff_t(f.stride_z));
                line[b] = at.along_x(q.m, q.f0, q.f1, q.p);
                if ((b == 1 || b == 2) && (c == 1 || c == 2)) {   // rounding may leave the range by a bit: the middle cube bounds the result
                    const bool first = b == 1 && c == 1;
                    low = first ? min(q.f0, q.f1) : min(low, min(q.f0, q.f1));
                    high = first ? max(q.f0, q.f1) : max(high, max(q.f0, q.f1));
                }
            }
            plane[c] = at.along_y(line[0], line[1], line[2], line[3]);
        }
        return clamp(at.along_z(plane[0], plane[1], plane[2], plane[3]), low, high);
    }
    PHLO_INLINE static Value merge(Mask group, const Value& a, const Value& b) { return select(group, a, b); }
};

// ---- sampling -------------------------------------------------------------------------------------------------------
template <class Kind, std::size_t Count>
using Samples = std::array<typename Kind::Value, Count>;

/// The general case: one round for each group of lanes that a window can serve.
template <class Kind, std::size_t Count>
[[gnu::noinline]] Samples<Kind, Count> sample_scattered(std::array<View, Count> fields, Float px, Float py, Float pz) {
    const typename Kind::Place at(fields[0], {px, py, pz});
    if constexpr (Kind::has_block) {
        const Window window(at.x, simd::first_of(at.x), simd::last_of(at.x));
        const Block block(at);
        if (simd::all(window.served() & block.served)) {
            Samples<Kind, Count> values;
            for (std::size_t n = 0; n < Count; ++n) values[n] = Kind::evaluate_block(fields[n], window, at, block);
            return values;
        }
    }
    alignas(64) int lanes_x[simd::width], lanes_key[simd::width];
    simd::store(lanes_x, at.x);
    simd::store(lanes_key, at.key);
    Samples<Kind, Count> values{};
    Mask left = simd::all_lanes();
    do {
        const int key = lanes_key[std::countr_zero(simd::bits(left))];
        const Mask same_row = left & (at.key == Int(key));
        const unsigned lanes = simd::bits(same_row);
        const int first = std::countr_zero(lanes), last = 31 - std::countl_zero(lanes);
        const Window window(at.x, lanes_x[first], lanes_x[last]);
        const Mask group = same_row & window.served();
        for (std::size_t n = 0; n < Count; ++n) values[n] = Kind::merge(group, Kind::evaluate(fields[n], key, window, at), values[n]);
        left = left & ~group;
    } while (simd::any(left));
    return values;
}

/// `Count` fields of one layout at the same points.
template <class Kind, std::size_t Count>
PHLO_INLINE Samples<Kind, Count> sample(std::array<View, Count> fields, const Points& p) {
    const typename Kind::Place at(fields[0], p);
    const Window window(at.x, simd::first_of(at.x), simd::last_of(at.x));
    if (!simd::all(window.served() & (at.key == simd::spread_first(at.key)))) [[unlikely]]
        return sample_scattered<Kind, Count>(fields, p.x, p.y, p.z);
    const int key = simd::first_of(at.key);
    Samples<Kind, Count> values;
    for (std::size_t n = 0; n < Count; ++n) values[n] = Kind::evaluate(fields[n], key, window, at);
    return values;
}
template <class Kind>
PHLO_INLINE typename Kind::Value sample(const View& field, const Points& p) {
    return sample<Kind, 1>({field}, p)[0];
}
PHLO_INLINE Float sample_linear(const View& field, const Points& p) { return sample<Linear>(field, p); }

}  // namespace phlo::flow
