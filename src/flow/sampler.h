// Interpolation of a field at a pack of points, fast because neighbouring cells sample neighbouring places.
//
//   const View density(grid);
//   Float value = sample_linear(density.at(i, j, k), {dx, dy, dz});   // lane l samples at (i + l + dx, j + dy, k + dz)
//
// Points are displacements from the lane's own entry, in cells: they keep their digits wherever they are in the domain,
// and mirrored displacements give mirrored weights.
//
// A gather fetches each corner of each lane by itself. But the lanes of a pack mostly come from one (y, z) row or from two
// neighbouring ones and lie within a few cells of each other, so a `Window` of contiguous loads from each row serves all of them,
// and the corners are picked in registers. Packs that are torn apart are served in rounds. The numbers are those of gathers.
//
// Points must lie where the field has entries: between -1 and n (linear reads one ghost, cubic two).
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

/// f(0) and f(1) around a point, on one row.
struct Pair {
    Float f0, f1;
};
/// f(-1) ... f(2) around a point, on one row.
struct Quad {
    Float m, f0, f1, p;
};

/// Where the points of a pack are on one axis: `whole` entries from the lane's own, and `t` of the way to the next entry.
struct Spot {
    Int whole;
    Float t;
    int base;             ///< whole steps of most lanes: base, or base + 1 in the `upper` lanes
    Mask upper, served;   ///< `served` lanes are of either kind

    Spot() = default;
    PHLO_INLINE explicit Spot(Float p) {
        const Float down = floor(p);
        t = p - down;
        whole = to_int(down);
        choose_base(std::min(simd::first_of(whole), simd::last_of(whole)));   // displacements mostly rise or fall along a row
    }
    PHLO_INLINE void choose_base(int chosen) {
        base = chosen;
        upper = whole == Int(base + 1);
        served = upper | (whole == Int(base));
    }
};

#if PHLO_SIMD_512
/// 32 contiguous floats in two registers, 8 before the spot of the first lane; any of them goes to any lane by one permutation.
class Window {
public:
    PHLO_INLINE explicit Window(const Spot& x) : Window(x, simd::first_of(x.whole)) {}
    PHLO_INLINE Window(const Spot& x, int first) : base_(first - 8), offset_(x.whole + simd::lane_index() - Int(base_)) {}
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
/// Unaligned loads at the spot's base, base + 1, ... and a blend; vpermps is dearer on AVX2.
class Window {
public:
    PHLO_INLINE explicit Window(const Spot& x) : base_(x.base), upper_(x.upper), served_(x.served) {}
    PHLO_INLINE Window(Spot x, int first) : Window((x.choose_base(first), x)) {}
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

struct Place {
    Spot x, y, z;
    Place() = default;
    PHLO_INLINE explicit Place(const Points& p) : x(p.x), y(p.y), z(p.z) {}
    PHLO_INLINE Place(const Spot& x_, const Spot& y_, const Spot& z_) : x(x_), y(y_), z(z_) {}
};

/// Row (b, c) of the block of rows that holds the neighbours of a place.
PHLO_INLINE const float* row_of(const View& f, const Place& at, int b, int c) {
    return f.entry + (at.y.base + b) * std::ptrdiff_t(f.stride_y) + (at.z.base + c) * std::ptrdiff_t(f.stride_z);
}

// ---- the kinds of samples ----- ---------------------------------------------------------------------------------------
// Each has a Place, the Value it makes, and evaluate(): the value of the lanes that the window and the place's base rows serve.
// With Split, some lanes are on the upper of two neighbouring rows or planes, and the block has one more row on either axis.

struct Linear {
    using Place = flow::Place;
    using Value = Float;

    template <bool Split>
    PHLO_INLINE static Float between(const Float* v, const Spot& spot) {
        if constexpr (!Split) return lerp(v[0], v[1], spot.t);
        else return lerp(select(spot.upper, v[1], v[0]), select(spot.upper, v[2], v[1]), spot.t);
    }
    template <bool Split>
    PHLO_INLINE static Value evaluate(const View& f, const Window& window, const Place& at) {
        Float plane[2 + Split];
        for (int c = 0; c < 2 + Split; ++c) {
            Float line[2 + Split];
            for (int b = 0; b < 2 + Split; ++b) {
                const Pair pair = window.pair(row_of(f, at, b, c));
                line[b] = lerp(pair.f0, pair.f1, at.x.t);
            }
            plane[c] = between<Split>(line, at.y);
        }
        return between<Split>(plane, at.z);
    }
    PHLO_INLINE static Value merge(Mask group, const Value& a, const Value& b) { return select(group, a, b); }
};

/// The least and the greatest of the corners. A corner without weight does not count: the range at a point on a grid plane is
/// that of the plane, whichever side the point was rounded to, so that mirrored flows give mirrored limits.
struct Range {
    struct Value {
        Float low, high;
    };
    struct Place : flow::Place {
        Mask flat_x, flat_y, flat_z;
        Place() = default;
        PHLO_INLINE explicit Place(const Points& p) : flow::Place({snap(p.x), snap(p.y), snap(p.z)}) {
            const Float zero(0.0f);
            flat_x = x.t == zero, flat_y = y.t == zero, flat_z = z.t == zero;
        }
        /// Velocities carry about 2^-14 of their size in errors: nearer to a plane than that is on it.
        PHLO_INLINE static Float snap(Float a) {
            const Float nearest = round(a);
            return select(abs(a - nearest) < Float(0x1p-14f), nearest, a);
        }
    };

    PHLO_INLINE static Value merge(Mask group, const Value& a, const Value& b) {
        return {select(group, a.low, b.low), select(group, a.high, b.high)};
    }
    PHLO_INLINE static Value of(Float a, Float b) { return {min(a, b), max(a, b)}; }
    /// Of the two ranges around a point; the second does not count in `flat` lanes.
    template <bool Split>
    PHLO_INLINE static Value between(const Value* v, Mask upper, Mask flat) {
        Value a = v[0], b = v[1];
        if constexpr (Split) a = merge(upper, v[1], v[0]), b = merge(upper, v[2], v[1]);
        b = merge(flat, a, b);
        return {min(a.low, b.low), max(a.high, b.high)};
    }
    template <bool Split>
    PHLO_INLINE static Value evaluate(const View& f, const Window& window, const Place& at) {
        Value plane[2 + Split];
        for (int c = 0; c < 2 + Split; ++c) {
            Value line[2 + Split];
            for (int b = 0; b < 2 + Split; ++b) {
                const Pair pair = window.pair(row_of(f, at, b, c));
                line[b] = of(pair.f0, select(at.flat_x, pair.f0, pair.f1));
            }
            plane[c] = between<Split>(line, at.y.upper, at.flat_y);
        }
        return between<Split>(plane, at.z.upper, at.flat_z);
    }
};

/// Monotone cubic interpolation along x, then y, then z; the result lies between the eight nearest values.
///
/// On one axis: Hermite with central slopes, limited to between 0 and three times the difference of the two middle values.
/// [fedkiw2001, appendix B] sets slopes of the wrong sign to zero; steep slopes of the right sign would still overshoot, so
/// the bound of [fritsch1980] is added.
struct Cubic {
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
        PHLO_INLINE explicit Place(const Points& p) : flow::Place(p), along_x(x.t), along_y(y.t), along_z(z.t) {}
    };

    template <bool Split>
    PHLO_INLINE static Float along(const Weights& weights, const Float* v, Mask upper) {
        if constexpr (!Split) return weights(v[0], v[1], v[2], v[3]);
        else
            return weights(select(upper, v[1], v[0]), select(upper, v[2], v[1]), select(upper, v[3], v[2]), select(upper, v[4], v[3]));
    }
    template <bool Split>
    PHLO_INLINE static Value evaluate(const View& f, const Window& window, const Place& at) {
        // Rounding may leave the range by a bit: the middle cube bounds the result.
        constexpr int middle = 2 + Split;
        // On an axis without upper lanes the last row is not used, and it may lie beyond the ghosts.
        const int last_y = any(at.y.upper) ? 3 : 2, last_z = any(at.z.upper) ? 3 : 2;
        Range::Value plane_range[middle];
        Float plane[4 + Split];
        for (int c = 0; c < 4 + Split; ++c) {
            Range::Value line_range[middle];
            Float line[4 + Split];
            for (int b = 0; b < 4 + Split; ++b) {
                const Quad q = window.quad(row_of(f, at, std::min(b - 1, last_y), std::min(c - 1, last_z)));
                line[b] = at.along_x(q.m, q.f0, q.f1, q.p);
                if (b > 0 && b <= middle) line_range[b - 1] = Range::of(q.f0, q.f1);
            }
            plane[c] = along<Split>(at.along_y, line, at.y.upper);
            if (c > 0 && c <= middle) plane_range[c - 1] = Range::between<Split>(line_range, at.y.upper, simd::no_lanes());
        }
        const Range::Value range = Range::between<Split>(plane_range, at.z.upper, simd::no_lanes());
        return clamp(along<Split>(at.along_z, plane, at.z.upper), range.low, range.high);
    }
    PHLO_INLINE static Value merge(Mask group, const Value& a, const Value& b) { return select(group, a, b); }
};

// ---- sampling -------------------------------------------------------------------------------------------------------
#if PHLO_SIMD_512
/// Two rows and two planes a round: 16 lanes are rarely on one. One row belongs to a lane, the other is where more of those left may be.
constexpr bool rounds_of_two = true;
#else
constexpr bool rounds_of_two = false;
#endif
PHLO_INLINE int lower_row(Int whole, Mask left, int own) {
    if (any(left & (whole == Int(own + 1)))) return own;
    return any(left & (whole == Int(own - 1))) ? own - 1 : own;
}

/// The general case: one round for each group of lanes that a window on one row, or on two by two, can serve.
template <class Kind>
[[gnu::noinline]] typename Kind::Value sample_scattered(const View& field, typename Kind::Place at) {
    alignas(64) int lanes_x[simd::width], lanes_y[simd::width], lanes_z[simd::width];
    simd::store(lanes_x, at.x.whole), simd::store(lanes_y, at.y.whole), simd::store(lanes_z, at.z.whole);
    typename Kind::Value values{};
    Mask left = simd::all_lanes();
    do {
        const int first = std::countr_zero(simd::bits(left));
        const Window window(at.x, lanes_x[first]);
        Mask group = left & window.served();
        if constexpr (rounds_of_two) {
            at.y.choose_base(lower_row(at.y.whole, left, lanes_y[first]));
            at.z.choose_base(lower_row(at.z.whole, left, lanes_z[first]));
            group = group & at.y.served & at.z.served;
            values = Kind::merge(group, Kind::template evaluate<true>(field, window, at), values);
        } else {
            at.y.base = lanes_y[first], at.z.base = lanes_z[first];
            group = group & (at.y.whole == Int(at.y.base)) & (at.z.whole == Int(at.z.base));
            values = Kind::merge(group, Kind::template evaluate<false>(field, window, at), values);
        }
        left = left & ~group;
    } while (simd::any(left));
    return values;
}

template <class Kind>
PHLO_INLINE typename Kind::Value sample(const View& field, const typename Kind::Place& at) {
    const Window window(at.x);
    if (!simd::all(window.served() & at.y.served & at.z.served)) [[unlikely]] return sample_scattered<Kind>(field, at);
    if (!simd::any(at.y.upper | at.z.upper)) return Kind::template evaluate<false>(field, window, at);
    return Kind::template evaluate<true>(field, window, at);
}
template <class Kind>
PHLO_INLINE typename Kind::Value sample(const View& field, const Points& p) {
    return sample<Kind>(field, typename Kind::Place(p));
}
PHLO_INLINE Float sample_linear(const View& field, const Points& p) { return sample<Linear>(field, p); }

}  // namespace phlo::flow
