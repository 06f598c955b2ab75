// Interpolation of a field at a pack of points, fast because neighbouring cells sample neighbouring places.
//
//   const View view(density);
//   simd::Float value = sample_linear(view, {x, y, z});       // grid coordinates: entry (i, j, k) is at (i, j, k)
//
// A gather fetches each corner of each lane by itself. But lanes that lie in the same (y, z) row also lie within a few cells of
// each other, so a `Window` of contiguous loads serves all of them, and the corners are picked in registers. Lanes of
// other rows are served in further rounds. The numbers are the same as with gathers.
//
// Points must lie where the field has entries: -1 <= x <= n (linear: up to one ghost is read, cubic: two).
#pragma once
#include <bit>

#include "base/error.h"
#include "base/simd.h"
#include "field/grid.h"

namespace phlo::flow {

using simd::Float;
using simd::Int;
using simd::Mask;

/// A field's memory as the sampler sees it.
struct View {
    const float* cell = nullptr;   ///< entry (0, 0, 0)
    int stride_y = 0, stride_z = 0;

    View() = default;
    explicit View(const field::Grid& grid)
        : cell(grid.row(0, 0)), stride_y(int(grid.layout().stride_y())), stride_z(int(grid.layout().stride_z())) {
        PHLO_CHECK(grid.storage().size() < (std::size_t(1) << 29));   // row keys are 32-bit, two bits are used for flags
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
/// 32 contiguous floats in two registers; any of them goes to any lane by one permutation.
class Window {
public:
    /// Serves the lanes of `same_row` whose entries lie in the window placed around the first of them; `group` tells which.
    Window(Int x, const int* lanes_x, Mask same_row, Mask& group) {
        const int first = std::countr_zero(simd::bits(same_row));
        base_ = lanes_x[first] - first - 8;
        offset_ = (x - Int(base_)).v;
        // One entry before and two after must be inside too: 1 <= offset <= 29.
        group = simd::RawMask(_mm512_mask_cmple_epu32_mask(same_row.v, (Int(offset_) - Int(1)).v, Int(28).v));
    }
    Pair pair(const float* row) const {
        const __m512 a = _mm512_loadu_ps(row + base_), b = _mm512_loadu_ps(row + base_ + 16);
        return {at(a, b, 0), at(a, b, 1)};
    }
    Quad quad(const float* row) const {
        const __m512 a = _mm512_loadu_ps(row + base_), b = _mm512_loadu_ps(row + base_ + 16);
        return {at(a, b, -1), at(a, b, 0), at(a, b, 1), at(a, b, 2)};
    }

private:
    Float at(__m512 a, __m512 b, int shift) const { return _mm512_permutex2var_ps(a, (Int(offset_) + Int(shift)).v, b); }
    __m512i offset_;
    int base_;
};
#else
/// Neighbouring lanes mostly sample neighbouring entries: x - lane is the same number s for all, or s for some and s + 1 for
/// the others. Unaligned loads at s, s + 1, ... and a blend serve both; vpermps is dearer on AVX2.
class Window {
public:
    /// Serves the lanes of `same_row` with x - lane = s or s + 1, s from its first or last lane; `group` tells which.
    Window(Int x, const int* lanes_x, Mask same_row, Mask& group) {
        const unsigned lanes = simd::bits(same_row);
        const int first = std::countr_zero(lanes), last = 31 - std::countl_zero(lanes);
        base_ = std::min(lanes_x[first] - first, lanes_x[last] - last);
        const Int shift = x - simd::lane_index();
        upper_ = shift == Int(base_ + 1);
        group = same_row & (upper_ | (shift == Int(base_)));
    }
    Pair pair(const float* row) const {
        const float* p = row + base_;
        const Float a = simd::load(p), b = simd::load(p + 1), c = simd::load(p + 2);
        return {simd::select(upper_, b, a), simd::select(upper_, c, b)};
    }
    Quad quad(const float* row) const {
        const float* p = row + base_;
        const Float a = simd::load(p - 1), b = simd::load(p), c = simd::load(p + 1), d = simd::load(p + 2), e = simd::load(p + 3);
        return {simd::select(upper_, b, a), simd::select(upper_, c, b), simd::select(upper_, d, c), simd::select(upper_, e, d)};
    }

private:
    Mask upper_;
    int base_;
};
#endif

/// body(row key, window, lanes it serves), until every lane has been served.
template <class Body>
inline void for_each_window(Int x, Int row, Body&& body) {
    alignas(64) int lanes_x[simd::width], lanes_row[simd::width];
    simd::store(lanes_x, x);
    simd::store(lanes_row, row);
    Mask left = simd::all_lanes();
    do {
        const int key = lanes_row[std::countr_zero(simd::bits(left))];
        Mask group;
        const Window window(x, lanes_x, left & (row == Int(key)), group);
        body(key, window, group);
        left = left & ~group;
    } while (simd::any(left));
}

inline Float lerp(Float a, Float b, Float t) { return fma(t, b - a, a); }

/// The cell corner below each point, and where the point is between it and the next.
struct Located {
    Int x, row;
    Float tx, ty, tz;

    Located(const View& view, const Points& p) {
        const Float fx = floor(p.x), fy = floor(p.y), fz = floor(p.z);
        tx = p.x - fx, ty = p.y - fy, tz = p.z - fz;
        x = to_int(fx);
        row = to_int(fy) * Int(view.stride_y) + to_int(fz) * Int(view.stride_z);
    }
};

/// Trilinear interpolation of `Count` fields of one layout at the same points.
template <int Count>
inline void sample_linear(const View* fields, const Points& p, Float* values) {
    const Located at(fields[0], p);
    const int sy = fields[0].stride_y, sz = fields[0].stride_z;
    for (int n = 0; n < Count; ++n) values[n] = 0.0f;
    for_each_window(at.x, at.row, [&](int row, const Window& window, Mask group) {
        for (int n = 0; n < Count; ++n) {
            const float* q = fields[n].cell + row;
            const Pair a = window.pair(q), b = window.pair(q + sy), c = window.pair(q + sz), d = window.pair(q + sz + sy);
            const Float low = lerp(lerp(a.f0, a.f1, at.tx), lerp(b.f0, b.f1, at.tx), at.ty);
            const Float high = lerp(lerp(c.f0, c.f1, at.tx), lerp(d.f0, d.f1, at.tx), at.ty);
            values[n] = select(group, lerp(low, high, at.tz), values[n]);
        }
    });
}
inline Float sample_linear(const View& field, const Points& p) {
    Float value;
    sample_linear<1>(&field, p, &value);
    return value;
}

/// A trilinear sample and the range of the corners it was made from.
struct Ranged {
    Float value, low, high;
};

/// Trilinear interpolation with the range of the corners. A corner with no weight does not count: the range at a point on a
/// grid plane is that of the plane, whichever side the point was rounded to, so that mirrored flows give mirrored limits.
template <int Count>
inline void sample_ranged(const View* fields, const Points& p, Ranged* values) {
    // Positions are known to about 2^-14 cells (float, 512 cells): nearer to a plane than that is on it.
    const auto snap = [](Float a) {
        const Float nearest = round(a);
        return select(abs(a - nearest) < Float(0x1p-14f), nearest, a);
    };
    const Points snapped{snap(p.x), snap(p.y), snap(p.z)};
    const Located at(fields[0], snapped);
    const Mask flat_x = at.tx == Float(0.0f);
    // Lanes share a round only if they agree on which planes count: two flag bits beside the row.
    const Int one(1), two(2), none(0);
    const Int key = at.row * Int(4) + select(at.ty == Float(0.0f), none, one) + select(at.tz == Float(0.0f), none, two);
    for (int n = 0; n < Count; ++n) values[n] = {0.0f, 0.0f, 0.0f};
    for_each_window(at.x, key, [&](int flagged_row, const Window& window, Mask group) {
        const int row = flagged_row >> 2;
        const int sy = flagged_row & 1 ? fields[0].stride_y : 0, sz = flagged_row & 2 ? fields[0].stride_z : 0;
        for (int n = 0; n < Count; ++n) {
            const float* q = fields[n].cell + row;
            const auto corners = [&](const float* r) {
                const Pair pair = window.pair(r);
                return Pair{pair.f0, select(flat_x, pair.f0, pair.f1)};
            };
            const Pair a = corners(q), b = corners(q + sy), c = corners(q + sz), d = corners(q + sz + sy);
            const Float below = lerp(lerp(a.f0, a.f1, at.tx), lerp(b.f0, b.f1, at.tx), at.ty);
            const Float above = lerp(lerp(c.f0, c.f1, at.tx), lerp(d.f0, d.f1, at.tx), at.ty);
            const Float low = min(min(min(a.f0, a.f1), min(b.f0, b.f1)), min(min(c.f0, c.f1), min(d.f0, d.f1)));
            const Float high = max(max(max(a.f0, a.f1), max(b.f0, b.f1)), max(max(c.f0, c.f1), max(d.f0, d.f1)));
            values[n].value = select(group, lerp(below, above, at.tz), values[n].value);
            values[n].low = select(group, low, values[n].low);
            values[n].high = select(group, high, values[n].high);
        }
    });
}

/// Monotone cubic interpolation on one axis: Hermite with central slopes, limited to between 0 and three times the difference of
/// the two middle values. [fedkiw2001, appendix B] sets slopes of the wrong sign to zero; steep slopes of the right sign
/// would still overshoot, so the bound of [fritsch1980] is added.
struct MonotoneCubic {
    Float difference, slope0, slope1;   ///< weights of f1 - f0 and of twice the slopes

    explicit MonotoneCubic(Float t) {
        const Float t2 = t * t, rest = Float(1.0f) - t;
        difference = t2 * fma(Float(-2.0f), t, Float(3.0f));
        slope0 = Float(0.5f) * t * rest * rest;
        slope1 = Float(-0.5f) * t2 * rest;
    }
    Float operator()(Float m, Float f0, Float f1, Float p) const {
        const Float d = f1 - f0, bound = Float(6.0f) * d, low = min(bound, Float(0.0f)), high = max(bound, Float(0.0f));
        const Float s0 = clamp(f1 - m, low, high), s1 = clamp(p - f0, low, high);
        return f0 + fma(difference, d, fma(slope0, s0, slope1 * s1));
    }
};

/// Monotone cubic interpolation along x, then y, then z; the result lies between the eight nearest values.
template <int Count>
inline void sample_cubic(const View* fields, const Points& p, Float* values) {
    const Located at(fields[0], p);
    const MonotoneCubic along_x(at.tx), along_y(at.ty), along_z(at.tz);
    const std::ptrdiff_t sy = fields[0].stride_y, sz = fields[0].stride_z;
    for (int n = 0; n < Count; ++n) values[n] = 0.0f;
    for_each_window(at.x, at.row, [&](int row, const Window& window, Mask group) {
        for (int n = 0; n < Count; ++n) {
            Float low, high, plane[4];
            for (int c = 0; c < 4; ++c) {
                Float line[4];
                for (int b = 0; b < 4; ++b) {
                    const Quad q = window.quad(fields[n].cell + row + (b - 1) * sy + (c - 1) * sz);
                    line[b] = along_x(q.m, q.f0, q.f1, q.p);
                    if (b == 1 || b == 2) {   // rounding may leave the range by a bit: the middle cube bounds the result
                        if (c == 1 && b == 1) low = min(q.f0, q.f1), high = max(q.f0, q.f1);
                        else if (c == 1 || c == 2) low = min(low, min(q.f0, q.f1)), high = max(high, max(q.f0, q.f1));
                    }
                }
                plane[c] = along_y(line[0], line[1], line[2], line[3]);
            }
            const Float value = clamp(along_z(plane[0], plane[1], plane[2], plane[3]), low, high);
            values[n] = select(group, value, values[n]);
        }
    });
}

}  // namespace phlo::flow
