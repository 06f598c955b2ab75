// How conductances are halved along one axis: see conductances.h.
#include <algorithm>
#include <cmath>

#include "numerics/conductances.h"
#include "numerics/row_plan.h"
#include "numerics/stencil.h"

namespace phlo::numerics {
namespace {

inline float series(float a, float b) { return a > 0 && b > 0 ? a * b / (a + b) : 0.f; }

struct Share {
    float low, high;
};

/// The part of `share` for points with unequal weights.
Share share_unequal(float conductance, Share p, Share q) {
    const float low = std::sqrt(p.low * q.low), high = std::sqrt(p.high * q.high);
    if (low + high <= 0) {
        const float half = 0.5f * conductance * std::min(p.low + p.high, q.low + q.high);
        return {half, half};
    }
    const float scale = conductance * std::sqrt((p.low + p.high) * (q.low + q.high)) / (low + high);
    return {scale * low, scale * high};
}

/// How much of a conductance across the axis, between two points with interpolation weights p and q, goes to the coarse face before
/// (low) and to the one behind (high). Equal weights: the weights themselves. Unequal ones: only where both points reach, with nothing
/// lost. If no coarse point serves both, each face takes half: a connection too many slows the coarse correction a little, but a missing
/// one sets parts of the coarse system adrift, and in porous media that ruins it.
struct ShareRows {
    std::vector<float> low, high;
    explicit ShareRows(int length) : low(std::size_t(length)), high(std::size_t(length)) {}

    void set(int c, float conductance, Share p, Share q) {
        const Share part = p.low == q.low && p.high == q.high ? Share{conductance * p.low, conductance * p.high}
                           : conductance == 0                 ? Share{0, 0}
                                                              : share_unequal(conductance, p, q);
        low[std::size_t(c)] = part.low, high[std::size_t(c)] = part.high;
    }
    /// Entries [first, first + count), from conductances w and the weights of the points on either side. Few are unequal.
    void fill(int first, int count, const float* w, std::array<const float*, 2> p, std::array<const float*, 2> q) {
        const float* __restrict pl = p[0], * __restrict ph = p[1], * __restrict ql = q[0], * __restrict qh = q[1];
        float* __restrict l = low.data() + first, * __restrict h = high.data() + first;
        int unequal = 0;
#pragma omp simd reduction(| : unequal)
        for (int c = 0; c < count; ++c) {
            l[c] = w[c] * pl[c], h[c] = w[c] * ph[c];
            unequal |= int(pl[c] != ql[c]) | int(ph[c] != qh[c]);
        }
        if (unequal != 0)
            for (int c = 0; c < count; ++c)
                if (pl[c] != ql[c] || ph[c] != qh[c]) set(first + c, w[c], {pl[c], ph[c]}, {ql[c], qh[c]});
    }
};

/// The weights low of odd points: `before`, `behind` are their conductances along the axis. A point with neither is dropped, unless the
/// point before it is solid: then it takes that one's place, so that channels one cell wide do not vanish on coarser levels.
/// `diagonal(c)` is that of the point before.
template <class Diagonal>
void fill_low(int count, const float* __restrict before, const float* __restrict behind, float* __restrict out, const Diagonal& diagonal) {
    int dropped = 0;
#pragma omp simd reduction(| : dropped)
    for (int c = 0; c < count; ++c) {
        const float sum = before[c] + behind[c];
        out[c] = sum > 0 ? before[c] / sum : 0.f;
        dropped |= int(sum <= 0);
    }
    if (dropped != 0)
        for (int c = 0; c < count; ++c)
            if (before[c] + behind[c] <= 0 && diagonal(c) == 0) out[c] = 1;
}

/// Their weights high.
void fill_high(int count, const float* __restrict before, const float* __restrict behind, float* __restrict out) {
#pragma omp simd
    for (int c = 0; c < count; ++c) {
        const float sum = before[c] + behind[c];
        out[c] = sum > 0 ? behind[c] / sum : 0.f;
    }
}

struct Axis {
    int n, coarse;
    bool keep_last;  // an even count keeps its last point too, once: extrapolating to it costs an iteration
    Axis(int count, bool short_end) : n(count), coarse(coarse_count(count, short_end)), keep_last(count % 2 == 0 && count > 2 && !short_end) {}
    bool kept(int odd) const { return keep_last && odd == n - 1; }
    /// The face before coarse point S is the fine face `direct`, or (direct < 0) fine faces 2 S - 1 and 2 S in series.
    int direct_face(int S) const {
        if (S == 0) return 0;
        if (S == coarse) return n % 2 == 1 || keep_last ? n : -1;
        return keep_last && S == coarse - 1 ? n - 1 : -1;
    }
};

/// The step along x: points of one row are eliminated.
class CoarsenX {
public:
    CoarsenX(const Conductances& fine, Conductances& coarse, Transfer& transfer, RowArena& weights)
        : fine_(fine), coarse_(coarse), transfer_(transfer), weights_(weights), axis_(fine.n.x, fine.short_end[0]), from_(fine.shape), to_(coarse.shape),
          odd_points_(from_.count(1)) {}

    void run() {
        interpolate();
        join_along();
        share_across(1), share_across(2);
    }

private:
    /// What the odd points take from their neighbours.
    void interpolate() {
        const int length = from_.padded + 2 * SplitRow::vector;  // entry -1 is read too: rows of the arena have zeros before them
        transfer_.low.resize(fine_.n.y, fine_.n.z), transfer_.high.resize(fine_.n.y, fine_.n.z);
        RowPlan low(transfer_.low, weights_, length), high(transfer_.high, weights_, length);
        add_rows(low), add_rows(high);
        // The last point of an even row is kept, or (two points) has nothing behind it.
        const int count = odd_points_, outermost = axis_.n % 2 == 0 ? count - 1 : -1;
        low.run([&](int j, int k, float* out) {
            const float* w = fine_.face[0](j, k);
            fill_low(count, w + from_.odd, w + 1, out, [&](int c) { return fine_.diagonal(2 * c, j, k); });
            if (outermost >= 0 && axis_.keep_last) out[outermost] = 0;
        });
        high.run([&](int j, int k, float* out) {
            const float* w = fine_.face[0](j, k);
            fill_high(count, w + from_.odd, w + 1, out);
            if (outermost >= 0) out[outermost] = axis_.keep_last ? 1.f : 0.f;
        });
    }

    /// Faces along x: two in series.
    void join_along() {
        RowPlan along(coarse_.face[0], *coarse_.arena, to_.length);
        add_rows(along);
        along.run([&](int j, int k, float* out) {
            const float* w = fine_.face[0](j, k);
            const float* __restrict even = w, * __restrict odd = w + from_.odd - 1;
            std::vector<float> natural(std::size_t(2 * to_.padded + 1));
            float* __restrict face = natural.data();
#pragma omp simd
            for (int I = 1; I < axis_.coarse; ++I) face[I] = series(odd[I], even[I]);
            for (int I : {0, axis_.coarse - 1, axis_.coarse})
                if (const int direct = axis_.direct_face(I); direct >= 0) face[I] = w[from_.at(direct)];
            if (axis_.direct_face(axis_.coarse) < 0) face[axis_.coarse] = series(odd[axis_.coarse], even[axis_.coarse]);
            to_.split(face, out);
            out[to_.at(axis_.coarse)] = face[axis_.coarse];
        });
    }

    /// Faces along the axis a, y or z: those of odd points are shared out to their neighbours.
    void share_across(int a) {
        const RowTable& in = fine_.face[std::size_t(a)];
        const int last = a == 1 ? fine_.n.y : fine_.n.z, count = odd_points_;
        // The points on either side of the face; the ghost behind a wall does not interpolate, it follows the inner point.
        const auto sides = [&](int j, int k) {
            const int f = a == 1 ? j : k, up = std::min(f, last - 1), down = std::max(f - 1, 0);
            return a == 1 ? std::array<int, 4>{up, k, down, k} : std::array<int, 4>{j, up, j, down};
        };
        RowPlan across(coarse_.face[std::size_t(a)], *coarse_.arena, to_.length);
        for (int k = 0; k < in.nk; ++k)
            for (int j = 0; j < in.nj; ++j) {
                const auto s = sides(j, k);
                across.add(j, k, in.is_own(j, k) || fine_.face[0].is_own(s[0], s[1]) || fine_.face[0].is_own(s[2], s[3]));
            }
        across.run([&](int j, int k, float* out) {
            const auto s = sides(j, k);
            const RowTable &low = transfer_.low, &high = transfer_.high;
            const float* w = in(j, k);
            ShareRows shares(count + 2 * SplitRow::vector);
            shares.fill(1, count, w + from_.odd, {low(s[0], s[1]), high(s[0], s[1])}, {low(s[2], s[3]), high(s[2], s[3])});
            const float* __restrict part_low = shares.low.data(), * __restrict part_high = shares.high.data();
            std::vector<float> natural(std::size_t(2 * to_.padded));
            float* __restrict face = natural.data();
#pragma omp simd
            for (int I = 0; I <= count; ++I) face[I] = (w[I] + part_high[I]) + part_low[I + 1];
            to_.split(face, out);
        });
    }

    void add_rows(RowPlan& plan) const {
        for (int k = 0; k < fine_.n.z; ++k)
            for (int j = 0; j < fine_.n.y; ++j) plan.add(j, k, fine_.face[0].is_own(j, k));
    }

    const Conductances& fine_;
    Conductances& coarse_;
    Transfer& transfer_;
    RowArena& weights_;
    const Axis axis_;
    const SplitRow &from_, &to_;
    const int odd_points_;
};

/// Steps along y (a = 1) and z (a = 2): whole rows are eliminated. They are addressed by s along the axis and t along the other one.
class CoarsenRows {
public:
    CoarsenRows(const Conductances& fine, int a, Conductances& coarse, Transfer& transfer, RowArena& weights)
        : fine_(fine), coarse_(coarse), transfer_(transfer), weights_(weights), a_(a), other_(3 - a), n_other_(fine.n[other_]),
          axis_(fine.n[a], fine.short_end[std::size_t(a)]), shape_(fine.shape), along_(fine.face[std::size_t(a)]) {}

    void run() {
        interpolate();
        join_along();
        share_across(0), share_across(other_);
    }

private:
    /// What the odd rows take from their neighbours.
    void interpolate() {
        const int odd_rows = std::max(axis_.n / 2, 1);
        for (RowTable* table : {&transfer_.low, &transfer_.high}) a_ == 1 ? table->resize(odd_rows, n_other_) : table->resize(n_other_, odd_rows);
        RowPlan low(transfer_.low, weights_, shape_.length), high(transfer_.high, weights_, shape_.length);
        for (int t = 0; t < n_other_; ++t)
            for (int c = 0; c < axis_.n / 2; ++c) add(low, c, t, own_weight(c, t)), add(high, c, t, own_weight(c, t));
        run(low, [&](int c, int t, float* out) {
            const int s = 2 * c + 1;
            if (axis_.kept(s)) return;
            for (int half = 0; half < 2; ++half) {
                const int o = shape_.start(half);
                fill_low(shape_.count(half), in(along_, s, t) + o, in(along_, s + 1, t) + o, out + o,
                         [&](int i) { return a_ == 1 ? fine_.diagonal(2 * i + half, s - 1, t) : fine_.diagonal(2 * i + half, t, s - 1); });
            }
        });
        run(high, [&](int c, int t, float* out) {
            const int s = 2 * c + 1;
            if (s == axis_.n - 1 && !axis_.kept(s)) return;
            for (int half = 0; half < 2; ++half) {
                const int o = shape_.start(half);
                if (axis_.kept(s)) std::fill_n(out + o, shape_.count(half), 1.f);
                else fill_high(shape_.count(half), in(along_, s, t) + o, in(along_, s + 1, t) + o, out + o);
            }
        });
    }

    /// Faces along the axis: two in series.
    void join_along() {
        RowPlan along(coarse_.face[std::size_t(a_)], *coarse_.arena, shape_.length);
        for (int t = 0; t < n_other_; ++t)
            for (int S = 0; S <= axis_.coarse; ++S) {
                const int direct = axis_.direct_face(S);
                add(along, S, t, direct >= 0 ? own(along_, direct, t) : own(along_, 2 * S - 1, t) || own(along_, 2 * S, t));
            }
        run(along, [&](int S, int t, float* out) {
            if (const int direct = axis_.direct_face(S); direct >= 0) {
                std::copy_n(in(along_, direct, t), shape_.length, out);
                return;
            }
            const float *p = in(along_, 2 * S - 1, t), *q = in(along_, 2 * S, t);
            for (int c = 0; c < shape_.length; ++c) out[c] = series(p[c], q[c]);
        });
    }

    /// Faces along the axis b across: in parallel. Those along x lie between two points of one row, those along `other` between two rows.
    void share_across(int b) {
        const RowTable& table = fine_.face[std::size_t(b)];
        const auto below = [&](int t) { return b == 0 ? t : std::max(t - 1, 0); };
        const auto above = [&](int t) { return std::min(t, n_other_ - 1); };
        const auto gathers_own = [&](int c, int t) {
            return c >= 0 && c < axis_.n / 2 && (own(table, 2 * c + 1, t) || own_weight(c, below(t)) || own_weight(c, above(t)));
        };
        RowPlan across(coarse_.face[std::size_t(b)], *coarse_.arena, shape_.length);
        for (int t = 0; t < n_other_ + (b == 0 ? 0 : 1); ++t)
            for (int S = 0; S < axis_.coarse; ++S)
                add(across, S, t, (2 * S < axis_.n && own(table, 2 * S, t)) || gathers_own(S, t) || gathers_own(S - 1, t));
        run(across, [&](int S, int t, float* out) {
            if (2 * S < axis_.n) std::copy_n(in(table, 2 * S, t), shape_.length, out);
            ShareRows shares(shape_.length);
            for (int c : {S - 1, S}) {
                if (c < 0 || c >= axis_.n / 2) continue;
                const float* w = in(table, 2 * c + 1, t);
                if (b == 0) share_in_row(w, weights_of(c, t), shares);
                else shares.fill(0, shape_.length, w, weights_of(c, below(t)), weights_of(c, above(t)));
                const float* part = c == S ? shares.low.data() : shares.high.data();
                each_eight(0, shape_.length, [=](std::ptrdiff_t i) { store(out + i, load(out + i) + load(part + i)); });
            }
        });
    }

    /// Faces along x: between the points west and east of a face; the ghosts beyond the ends follow the inner points.
    void share_in_row(const float* w, std::array<const float*, 2> weights, ShareRows& shares) const {
        const auto [l, h] = weights;
        const int even = shape_.cells / 2 + 1, odd = (shape_.cells + 1) / 2, o = shape_.odd, last = shape_.at(shape_.cells - 1);
        shares.fill(0, even, w, {l + o - 1, h + o - 1}, {l, h});
        shares.fill(o, odd, w + o, {l, h}, {l + o, h + o});
        shares.set(0, w[0], {l[0], h[0]}, {l[0], h[0]});
        shares.set(shape_.at(shape_.cells), w[shape_.at(shape_.cells)], {l[last], h[last]}, {l[last], h[last]});
    }

    const float* in(const RowTable& table, int s, int t) const { return a_ == 1 ? table(s, t) : table(t, s); }
    bool own(const RowTable& table, int s, int t) const { return a_ == 1 ? table.is_own(s, t) : table.is_own(t, s); }
    bool own_weight(int c, int t) const { return own(along_, 2 * c + 1, t) || own(along_, 2 * c + 2, t); }
    std::array<const float*, 2> weights_of(int c, int t) const { return {in(transfer_.low, c, t), in(transfer_.high, c, t)}; }
    void add(RowPlan& plan, int s, int t, bool is_own) const { a_ == 1 ? plan.add(s, t, is_own) : plan.add(t, s, is_own); }
    template <class Body>
    void run(RowPlan& plan, const Body& body) const {
        plan.run([&](int j, int k, float* out) { a_ == 1 ? body(j, k, out) : body(k, j, out); });
    }

    const Conductances& fine_;
    Conductances& coarse_;
    Transfer& transfer_;
    RowArena& weights_;
    const int a_, other_, n_other_;
    const Axis axis_;
    const SplitRow& shape_;
    const RowTable& along_;   ///< the fine faces along the axis
};

}  // namespace

int coarse_count(int n, bool short_end) { return n % 2 == 0 && n > 2 && !short_end ? n / 2 + 1 : (n + 1) / 2; }

Conductances coarsen(const Conductances& fine, int axis, Transfer& transfer, std::shared_ptr<RowArena> weights) {
    Vec3i size = fine.n;
    const auto a = std::size_t(axis);
    size[axis] = coarse_count(fine.n[axis], fine.short_end[a]);
    Conductances coarse(size);
    coarse.short_end = fine.short_end;
    coarse.short_end[a] = fine.n[axis] % 2 == 0 && !fine.short_end[a];
    if (axis == 0) CoarsenX(fine, coarse, transfer, *weights).run();
    else CoarsenRows(fine, axis, coarse, transfer, *weights).run();
    return coarse;
}

}  // namespace phlo::numerics
