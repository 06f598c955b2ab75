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
    template <bool Split>
    PHLO_INLINE Float along(const Float* v, Mask upper) const {
        const auto& weights = *this;
        if constexpr (!Split) return weights(v[0], v[1], v[2], v[3]);
        else
            return weights(select(upper, v[1], v[0]), select(upper, v[2], v[1]), select(upper, v[3], v[2]), select(upper, v[4], v[3]));
    }
};

struct CubicPlace {
    Spot x, y, z;
    CubicWeights along_x, along_y, along_z;
    PHLO_INLINE explicit CubicPlace(const Points& p) : x(p.x), y(p.y), z(p.z), along_x(x.t), along_y(y.t), along_z(z.t) {}
};

/// The least and the greatest of two values, or of two ranges.
struct Range {
    Float low, high;

    PHLO_INLINE static Range of(Float a, Float b) { return {min(a, b), max(a, b)}; }
    template <bool Split>
    PHLO_INLINE static Range of(const Range* v, Mask upper) {
        Range a = v[0], b = v[1];
        if constexpr (Split) {
            a = {select(upper, v[1].low, v[0].low), select(upper, v[1].high, v[0].high)};
            b = {select(upper, v[2].low, v[1].low), select(upper, v[2].high, v[1].high)};
        }
        return {min(a.low, b.low), max(a.high, b.high)};
    }
};

/// Along x, then y, then z, for the lanes that the window and the place's base rows serve; the result lies between the eight nearest
/// values. With Split, some lanes are on the upper of two neighbouring rows or planes, and the block has one more row on either axis.
template <bool Split>
PHLO_INLINE Float evaluate_cubic(const View& f, const Window& window, const CubicPlace& at) {
    // Rounding may leave the range by a bit: the middle cube bounds the result.
    constexpr int middle = 2 + Split;
    // On an axis without upper lanes the last row is not used, and it may lie beyond the ghosts.
    const int last_y = any(at.y.upper) ? 3 : 2, last_z = any(at.z.upper) ? 3 : 2;
    Range plane_range[middle];
    Float plane[4 + Split];
    for (int c = 0; c < 4 + Split; ++c) {
        Range line_range[middle];
        Float line[4 + Split];
        for (int b = 0; b < 4 + Split; ++b) {
            const Quad q = window.quad(f.at(0, at.y.base + std::min(b - 1, last_y), at.z.base + std::min(c - 1, last_z)).entry);
            line[b] = at.along_x(q.m, q.f0, q.f1, q.p);
            if (b > 0 && b <= middle) line_range[b - 1] = Range::of(q.f0, q.f1);
        }
        plane[c] = at.along_y.along<Split>(line, at.y.upper);
        if (c > 0 && c <= middle) plane_range[c - 1] = Range::of<Split>(line_range, at.y.upper);
    }
    const Range range = Range::of<Split>(plane_range, at.z.upper);
    return clamp(at.along_z.along<Split>(plane, at.z.upper), range.low, range.high);
}

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
            values = select(group, evaluate_cubic<true>(field, window, at), values);
        } else {
            at.y.base = lanes_y[first], at.z.base = lanes_z[first];
            group = group & (at.y.whole == Int(at.y.base)) & (at.z.whole == Int(at.z.base));
            values = select(group, evaluate_cubic<false>(field, window, at), values);
        }
        left = left & ~group;
    } while (simd::any(left));
    return values;
}

PHLO_INLINE Float sample_cubic(const View& field, const Points& p) {
    const CubicPlace at(p);
    const Window window(at.x);
    if (!simd::all(window.served() & at.y.served & at.z.served)) [[unlikely]] return sample_cubic_scattered(field, at);
    if (!simd::any(at.y.upper | at.z.upper)) return evaluate_cubic<false>(field, window, at);
    return evaluate_cubic<true>(field, window, at);
}

}  // namespace phlo::flow
