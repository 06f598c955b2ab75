// Monotone cubic interpolation of a field at a pack of points.
//
//   Float value = sample_cubic(density.at(i, j, k), {dx, dy, dz});   // View and Points are those of sampler.h
//
// The lanes of a pack mostly come from one (y, z) row or from two neighbouring ones, so a `Window` of contiguous loads from each row
// serves all of them, and the four entries a lane needs are picked in registers. Packs that are torn apart are served in rounds.
//
// Points must lie between -1 and n; two ghosts are read.
#pragma once
#include "flow/sampler.h"

namespace phlo::flow {

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
    /// Whether some lanes are one entry further than the others; here it makes no difference.
    static constexpr bool split() { return false; }
    template <bool>
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
    PHLO_INLINE bool split() const { return any(upper_); }
    template <bool Split>
    PHLO_INLINE Quad quad(const float* row) const {
        const float* p = row + base_;
        const Float a = simd::load(p - 1), b = simd::load(p), c = simd::load(p + 1), d = simd::load(p + 2);
        if constexpr (!Split) return {a, b, c, d};
        const Float e = simd::load(p + 3);
        return {simd::select(upper_, b, a), simd::select(upper_, c, b), simd::select(upper_, d, c), simd::select(upper_, e, d)};
    }

private:
    int base_;
    Mask upper_, served_;
};
#endif

/// One axis: Hermite with central slopes, limited to between 0 and three times the difference of the two middle values.
/// [fedkiw2001, appendix B] sets slopes of the wrong sign to zero; steep slopes of the right sign would still overshoot, so
/// the bound of [fritsch1980] is added.
struct CubicWeights {
    Float difference, slope0, slope1;   ///< of f1 - f0 and of twice the slopes

    PHLO_INLINE explicit CubicWeights(Float t) {
        const Float t2 = t * t, rest = Float(1.0f) - t;
        difference = t2 * fma(Float(-2.0f), t, Float(3.0f));
        slope0 = Float(0.5f) * t * rest * rest;
        slope1 = Float(-0.5f) * t2 * rest;
    }
    PHLO_INLINE Float operator()(Float m, Float f0, Float f1, Float p) const {
        const Float d = f1 - f0, bound = Float(6.0f) * d, low = min(bound, Float(0.0f)), high = max(bound, Float(0.0f));
        const Float s0 = clamp(f1 - m, low, high), s1 = clamp(p - f0, low, high);
        return fma(slope1, s1, fma(slope0, s0, fma(difference, d, f0)));
    }
    /// Of four values in a row; of five where lanes are `split`, the `upper` ones one value further.
    PHLO_INLINE Float along(const Float* v, bool split, Mask upper) const {
        const auto& weights = *this;
        if (!split) return weights(v[0], v[1], v[2], v[3]);
        return weights(select(upper, v[1], v[0]), select(upper, v[2], v[1]), select(upper, v[3], v[2]), select(upper, v[4], v[3]));
    }
};

struct CubicPlace {
    Spot x, y, z;
    CubicWeights along_x, along_y, along_z;
    PHLO_INLINE explicit CubicPlace(const Float3& p) : x(p.x), y(p.y), z(p.z), along_x(x.t), along_y(y.t), along_z(z.t) {}
};

/// The least and the greatest of two values, or of two ranges.
struct Range {
    Float low, high;

    PHLO_INLINE static Range of(Float a, Float b) { return {min(a, b), max(a, b)}; }
    PHLO_INLINE static Range of(const Range& a, const Range& b) { return {min(a.low, b.low), max(a.high, b.high)}; }
    /// Of two ranges in a row; of three where lanes are `split`, the `upper` ones one range further.
    PHLO_INLINE static Range of(const Range* v, bool split, Mask upper) {
        if (!split) return of(v[0], v[1]);
        const auto choose = [&](const Range& a, const Range& b) { return Range{select(upper, b.low, a.low), select(upper, b.high, a.high)}; };
        return of(choose(v[0], v[1]), choose(v[1], v[2]));
    }
};

/// Monotone cubic interpolation of the lanes that the window and the place's base rows serve: along x, then y, then z. On an axis
/// where lanes are split, some on the upper of two neighbouring rows or planes, the block has one more of them. Rounding may leave the
/// range by a bit: the middle cube bounds the result.
template <bool SplitX>
class CubicBlock {
public:
    PHLO_INLINE CubicBlock(const View& field, const Window& window, const CubicPlace& at)
        : window_(window), at_(at), field_(field.at(0, at.y.base, at.z.base)), split_y_(any(at.y.upper)), split_z_(any(at.z.upper)) {}

    PHLO_INLINE Float value() const {
        const int middle = 2 + split_z_;
        const float* plane = field_.entry;
        Float values[5];
        Range ranges[3];
        values[0] = outer_plane(plane - field_.strides.z);
        for (int c = 0; c < middle; ++c, plane += field_.strides.z) values[c + 1] = middle_plane(plane, ranges[c]);
        values[middle + 1] = outer_plane(plane);
        const Range range = Range::of(ranges, split_z_, at_.z.upper);
        return clamp(at_.along_z.along(values, split_z_, at_.z.upper), range.low, range.high);
    }

private:
    PHLO_INLINE Float line(const Quad& q) const { return at_.along_x(q.m, q.f0, q.f1, q.p); }
    PHLO_INLINE Float line(const float* row) const { return line(window_.template quad<SplitX>(row)); }
    PHLO_INLINE Float outer_plane(const float* plane) const {
        Float lines[5];
        const float* row = plane - field_.strides.y;
        for (int b = 0; b < 4 + split_y_; ++b, row += field_.strides.y) lines[b] = line(row);
        return at_.along_y.along(lines, split_y_, at_.y.upper);
    }
    PHLO_INLINE Float middle_plane(const float* plane, Range& range) const {
        const int middle = 2 + split_y_;
        Float lines[5];
        Range ranges[3];
        lines[0] = line(plane - field_.strides.y);
        for (int b = 0; b < middle; ++b, plane += field_.strides.y) {
            const Quad quad = window_.template quad<SplitX>(plane);
            lines[b + 1] = line(quad);
            ranges[b] = Range::of(quad.f0, quad.f1);
        }
        lines[middle + 1] = line(plane);
        range = Range::of(ranges, split_y_, at_.y.upper);
        return at_.along_y.along(lines, split_y_, at_.y.upper);
    }

    const Window& window_;
    const CubicPlace& at_;
    View field_;
    bool split_y_, split_z_;
};

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
[[gnu::noinline]] inline Float sample_cubic_scattered(const View& field, CubicPlace at) {
    alignas(64) int lanes_x[simd::width], lanes_y[simd::width], lanes_z[simd::width];
    simd::store(lanes_x, at.x.whole), simd::store(lanes_y, at.y.whole), simd::store(lanes_z, at.z.whole);
    Float values(0.0f);
    Mask left = simd::all_lanes();
    do {
        const int first = std::countr_zero(simd::bits(left));
        const Window window(at.x, lanes_x[first]);
        Mask group = left & window.served();
        if constexpr (rounds_of_two) {
            at.y.choose_base(lower_row(at.y.whole, left, lanes_y[first]));
            at.z.choose_base(lower_row(at.z.whole, left, lanes_z[first]));
            group = group & at.y.served & at.z.served;
        } else {
            at.y.base = lanes_y[first], at.z.base = lanes_z[first];
            at.y.upper = at.z.upper = simd::no_lanes();
            group = group & (at.y.whole == Int(at.y.base)) & (at.z.whole == Int(at.z.base));
        }
        values = select(group, CubicBlock<true>(field, window, at).value(), values);
        left = left & ~group;
    } while (simd::any(left));
    return values;
}

PHLO_INLINE Float sample_cubic(const View& field, const Float3& p) {
    const CubicPlace at(p);
    const Window window(at.x);
    if (!simd::all(window.served() & at.y.served & at.z.served)) [[unlikely]] return sample_cubic_scattered(field, at);
    if (window.split()) return CubicBlock<true>(field, window, at).value();
    return CubicBlock<false>(field, window, at).value();
}

}  // namespace phlo::flow
