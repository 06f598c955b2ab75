// How networks with conductances to ground are halved along one axis: see conductances.h.
//
//   a, b     conductances of an odd point P along the axis, to the point before it and to the one behind it
//   g        its conductance to ground along the axis
//   l, h     its weights a/s, b/s with s = a + b + g;   sigma = l + h
//
//   across the axis    a face w between the odd points P and Q goes to the coarse faces before and behind in the shares
//                      sqrt(l_P l_Q) : sqrt(h_P h_Q), together w sigma_P sigma_Q; with equal weights w sigma l and w sigma h
//   ground across      goes l sigma and h sigma
//   ground along       g goes l and h. To it comes 1/4 w (sigma_P - sigma_Q) for every face across whose Q is held down by more ground than P
//   Q without parents  (sigma_Q = 0): Q is zero for the coarse level, so w sigma_P is ground of P, of the axis of that face
//
// Sums below zero become zero. The 1/4 is measured: with 0 or 1 some drops and rough surfaces converge slowly, or not at all.
#include <algorithm>
#include <cmath>

#include "numerics/conductances.h"
#include "numerics/row_plan.h"
#include "numerics/stencil.h"

namespace phlo::numerics {
namespace {

using Kind = RowTable::Kind;

/// Weights of odd points from their conductances along the axis. Returns whether there are points without a neighbour.
bool fill_weights(int count, const float* __restrict before, const float* __restrict behind, const float* __restrict ground, float* __restrict low,
                  float* __restrict high) {
    int alone = 0;
#pragma omp simd reduction(| : alone)
    for (int c = 0; c < count; ++c) {
        const float pair = before[c] + behind[c], sum = pair + ground[c];
        low[c] = pair > 0 ? before[c] / sum : 0.f;
        high[c] = pair > 0 ? behind[c] / sum : 0.f;
        alone |= int(pair <= 0);
    }
    return alone != 0;
}

/// The conductance of the new face.
void join_in_series(int count, const float* __restrict before, const float* __restrict behind, const float* __restrict ground, float* __restrict out) {
#pragma omp simd
    for (int c = 0; c < count; ++c) {
        const float a = before[c], b = behind[c], product = a * b;
        out[c] = product > 0 ? product / (a + b + ground[c]) : 0.f;
    }
}

struct Weights {
    const float *low, *high;
    Weights operator+(int shift) const { return {low + shift, high + shift}; }
};

/// out += the part of the faces w between points P and Q that goes to the coarse face before (side 0) or behind (side 1). Where no coarse
/// point serves both, each face takes half.
template <int side>
void add_share(int count, const float* __restrict w, Weights p, Weights q, float* __restrict out) {
    const float *__restrict pl = p.low, *__restrict ph = p.high, *__restrict ql = q.low, *__restrict qh = q.high;
#pragma omp simd
    for (int c = 0; c < count; ++c) {
        const float low = std::sqrt(pl[c] * ql[c]), high = std::sqrt(ph[c] * qh[c]), both = low + high;
        const float total = w[c] * ((pl[c] + ph[c]) * (ql[c] + qh[c]));
        const float part = (side == 0 ? low : high) / (both > 0 ? both : 1.f);
        out[c] += total * (both > 0 ? part : 0.5f);
    }
}

/// What faces w to the points Q add to the ground of the points P, along the axis of the step and along that of the faces.
void add_lateral(int count, const float* __restrict w, Weights p, Weights q, float* __restrict along, float* __restrict across) {
    constexpr float rounding = 4e-7f;
    const float *__restrict pl = p.low, *__restrict ph = p.high, *__restrict ql = q.low, *__restrict qh = q.high;
#pragma omp simd
    for (int c = 0; c < count; ++c) {
        const float here = pl[c] + ph[c], there = ql[c] + qh[c], difference = here - there;
        across[c] += there > 0 ? 0.f : w[c] * here;
        along[c] += there > 0 && std::fabs(difference) > rounding ? 0.25f * w[c] * difference : 0.f;
    }
}

/// out = sigma g
void scale_ground(int count, const float* __restrict g, Weights p, float* __restrict out) {
    const float *__restrict l = p.low, *__restrict h = p.high;
#pragma omp simd
    for (int c = 0; c < count; ++c) out[c] = g[c] * (l[c] + h[c]);
}

/// Negative conductances become zero, and tiny ones too: shares of shares may leave the range of floats on coarse levels, and the inverse of a
/// diagonal with them.
void drop_tiny(const SplitRow& shape, float* __restrict row) {
    constexpr float tiny = 1e-10f;  // of a face of the finest level
#pragma omp simd
    for (int c = 0; c < shape.odd + shape.padded; ++c) row[c] = row[c] > tiny ? row[c] : 0.f;
}

struct Axis {
    int n, coarse;
    bool keep_last;
    Axis(int count, bool short_end) : n(count), coarse(coarse_count(count, short_end)), keep_last(count % 2 == 0 && count > 2 && !short_end) {}
    bool kept(int odd) const { return keep_last && odd == n - 1; }
};

/// The sum of all conductances of the points of half a row.
void sum_diagonal(const Conductances& net, int half, int j, int k, EntryRange range, float* __restrict out) {
    const FaceWeights f = face_weights(net, half, j, k);
    const int o = net.shape.start(half);
    const float *gx = net.ground[0](j, k) + o, *gy = net.ground[1](j, k) + o, *gz = net.ground[2](j, k) + o;
#pragma omp simd
    for (int c = range.begin; c < range.end; ++c)
        out[c] = ((f.w[c] + f.e[c]) + (f.s[c] + f.n[c])) + (f.d[c] + f.u[c]) + ((gx[c] + gy[c]) + gz[c]);
}

EntryRange joined(EntryRange a, EntryRange b) {
    if (a.empty() || b.empty()) return a.empty() ? b : a;
    return {std::min(a.begin, b.begin), std::max(a.end, b.end)};
}

/// The step along x: points of one row are eliminated.
class GroundedX {
public:
    GroundedX(const Conductances& fine, Conductances& coarse, Transfer& transfer, RowArena& weights)
        : fine_(fine), coarse_(coarse), transfer_(transfer), weights_(weights), axis_(fine.n.x, fine.short_end[0]), from_(fine.shape), to_(coarse.shape),
          odd_points_(from_.count(1)) {}

    void run() {
        find_active();
        interpolate();
        join_along();
        share_across(1), share_across(2);
        gather_ground();
    }

private:
    template <class Visit>
    void each_row(int nj, int nk, const Visit& visit) const {
        for (int k = 0; k < nk; ++k)
            for (int j = 0; j < nj; ++j) visit(j, k);
    }
    bool outside(int j, int k) const { return fine_.active_range(j, k).empty(); }
    /// The odd points of a row that may be part of the system.
    struct Points {
        int begin, end;
        int count() const { return std::max(end - begin, 0); }
    };
    Points odd_points(int j, int k) const {
        const EntryRange range = fine_.active_range(j, k);
        return {range.begin, std::min(int(range.end), odd_points_)};
    }

    void find_active() {
        each_row(fine_.n.y, fine_.n.z, [&](int j, int k) {
            const EntryRange range = fine_.active_range(j, k);  // coarse points range.begin ... range.end, the last one included
            const int v = SplitRow::vector;
            coarse_.active[coarse_.row_index(j, k)] =
                range.empty() ? EntryRange{}
                              : EntryRange{std::uint16_t(range.begin / 2 / v * v), std::uint16_t(std::min(to_.padded, SplitRow::round_up(range.end / 2 + 1)))};
        });
    }

    /// What the odd points take from their neighbours.
    void interpolate() {
        const int length = from_.padded + 2 * SplitRow::vector;  // entry -1 is read too: rows of the arena have zeros before them
        transfer_.low.resize(fine_.n.y, fine_.n.z), transfer_.high.resize(fine_.n.y, fine_.n.z);
        RowSetPlan<2> plan({&transfer_.low, &transfer_.high}, weights_, length);
        each_row(fine_.n.y, fine_.n.z, [&](int j, int k) {
            plan.add(j, k, outside(j, k) ? Kind::outside : fine_.face[0].is_own(j, k) || fine_.ground[0].is_special(j, k) ? Kind::special : Kind::plain);
        });
        plan.run(2 * from_.length, [&](int j, int k, const std::array<float*, 2>& out, float* scratch) {
            const auto [begin, end] = odd_points(j, k);
            const float *w = fine_.face[0](j, k), *g = fine_.ground[0](j, k) + from_.odd;
            if (fill_weights(end - begin, w + from_.odd + begin, w + 1 + begin, g + begin, out[0] + begin, out[1] + begin))
                place(j, k, out[0], out[1], scratch);
            if (axis_.keep_last) out[0][odd_points_ - 1] = 0, out[1][odd_points_ - 1] = 1;
        });
    }

    /// A point without a neighbour along the axis takes the place of the point before it if that one is not part of the system: drops and
    /// channels one cell wide do not vanish on coarser levels.
    void place(int j, int k, float* low, const float* high, float* scratch) const {
        const EntryRange range = fine_.active_range(j, k);
        float *even = scratch, *odd = scratch + from_.length;
        sum_diagonal(fine_, 0, j, k, range, even), sum_diagonal(fine_, 1, j, k, range, odd);
        const auto [begin, end] = odd_points(j, k);
        for (int c = begin; c < end; ++c)
            if (low[c] + high[c] <= 0 && odd[c] > 0 && even[c] <= 0) low[c] = 1;
    }

    /// Faces along x: two in series.
    void join_along() {
        RowSetPlan<1> plan({&coarse_.face[0]}, *coarse_.arena, to_.length);
        each_row(fine_.n.y, fine_.n.z, [&](int j, int k) {
            plan.add(j, k, outside(j, k) || fine_.face[0].own[fine_.face[0].index(j, k)] == Kind::outside ? Kind::outside
                           : fine_.face[0].is_own(j, k) || fine_.ground[0].is_special(j, k)               ? Kind::special
                                                                                                          : Kind::plain);
        });
        plan.run(2 * to_.padded + 2, [&](int j, int k, const std::array<float*, 1>& out, float* natural) {
            const auto [begin, end] = odd_points(j, k);
            const float *w = fine_.face[0](j, k), *g = fine_.ground[0](j, k) + from_.odd;
            std::fill_n(natural, 2 * to_.padded + 2, 0.f);
            join_in_series(end - begin, w + from_.odd + begin, w + 1 + begin, g + begin, natural + 1 + begin);
            if (axis_.keep_last) natural[axis_.coarse - 1] = w[from_.at(axis_.n - 1)];
            to_.split(natural, out[0]);
            drop_tiny(to_, out[0]);
        });
    }

    /// Faces along the axis a, y or z: those of odd points are shared out to their neighbours.
    void share_across(int a) {
        const RowTable& in = fine_.face[std::size_t(a)];
        const int walls = a == 1 ? fine_.n.y : fine_.n.z;
        const RowTable& weights = transfer_.low;
        RowSetPlan<1> plan({&coarse_.face[std::size_t(a)]}, *coarse_.arena, to_.length);
        each_row(in.nj, in.nk, [&](int j, int k) {
            const int f = a == 1 ? j : k, dj = a == 1, dk = a == 2;
            if (f == 0 || f == walls || in.own[in.index(j, k)] == Kind::outside) return plan.add(j, k, Kind::outside);
            plan.add(j, k, in.is_own(j, k) || weights.is_own(j, k) || weights.is_own(j - dj, k - dk) ? Kind::special : Kind::plain);
        });
        plan.run(2 * (2 * to_.padded + 2), [&](int j, int k, const std::array<float*, 1>& out, float* natural) {
            const int jq = j - (a == 1), kq = k - (a == 2);
            const auto [begin, end] = odd_points(j, k);
            const Weights p = weights_of(j, k) + begin, q = weights_of(jq, kq) + begin;
            const float* w = in(j, k);
            std::copy_n(w, to_.cells, natural);
            std::fill_n(natural + to_.cells, 2 * to_.padded + 2 - to_.cells, 0.f);
            add_share<0>(end - begin, w + from_.odd + begin, p, q, natural + begin);
            add_share<1>(end - begin, w + from_.odd + begin, p, q, natural + begin + 1);
            to_.split(natural, out[0]);
            drop_tiny(to_, out[0]);
        });
    }

    void gather_ground() {
        RowSetPlan<3> plan({&coarse_.ground[0], &coarse_.ground[1], &coarse_.ground[2]}, *coarse_.arena, to_.length);
        const auto has_ground = [&](int j, int k) {
            if (fine_.ground[0].is_special(j, k) || fine_.ground[1].is_special(j, k) || fine_.ground[2].is_special(j, k)) return true;
            return own_weights(j, k) || own_weights(j - 1, k) || own_weights(j + 1, k) || own_weights(j, k - 1) || own_weights(j, k + 1);
        };
        each_row(fine_.n.y, fine_.n.z, [&](int j, int k) { plan.add(j, k, !outside(j, k) && has_ground(j, k) ? Kind::special : Kind::outside); });
        const int length = 2 * to_.padded + 2;
        plan.run(4 * length, [&](int j, int k, const std::array<float*, 3>& out, float* scratch) {
            const auto [begin, end] = odd_points(j, k);
            const int count = std::max(end - begin, 0);
            const Weights p = weights_of(j, k) + begin;
            std::array<float*, 3> add{scratch, scratch + length, scratch + 2 * length};
            std::copy_n(fine_.ground[0](j, k) + from_.odd + begin, count, add[0]);
            for (int b : {1, 2}) scale_ground(count, fine_.ground[std::size_t(b)](j, k) + from_.odd + begin, p, add[std::size_t(b)]);
            for (int b : {1, 2})
                for (int side : {0, 1}) {
                    const int jq = j + (b == 1 ? 2 * side - 1 : 0), kq = k + (b == 2 ? 2 * side - 1 : 0);
                    if (jq < 0 || jq >= fine_.n.y || kq < 0 || kq >= fine_.n.z) continue;
                    const float* w = fine_.face[std::size_t(b)](j + (b == 1) * side, k + (b == 2) * side) + from_.odd + begin;
                    add_lateral(count, w, p, weights_of(jq, kq) + begin, add[0], add[std::size_t(b)]);
                }
            float* natural = scratch + 3 * length;
            for (std::size_t b = 0; b < 3; ++b) {
                std::copy_n(fine_.ground[b](j, k), to_.cells, natural);
                std::fill_n(natural + to_.cells, length - to_.cells, 0.f);
                hand_out(count, add[b], p, natural + begin);
                to_.split(natural, out[b]);
                drop_tiny(to_, out[b]);
            }
        });
    }
    static void hand_out(int count, const float* __restrict add, Weights p, float* __restrict out) {
        const float *__restrict l = p.low, *__restrict h = p.high;
#pragma omp simd
        for (int c = 0; c < count; ++c) out[c] += l[c] * add[c];
        out += 1;
#pragma omp simd
        for (int c = 0; c < count; ++c) out[c] += h[c] * add[c];
    }

    Weights weights_of(int j, int k) const { return {transfer_.low(j, k), transfer_.high(j, k)}; }
    bool own_weights(int j, int k) const {
        return j >= 0 && j < fine_.n.y && k >= 0 && k < fine_.n.z && (transfer_.low.is_own(j, k) || transfer_.high.is_own(j, k));
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
class GroundedRows {
public:
    GroundedRows(const Conductances& fine, int a, Conductances& coarse, Transfer& transfer, RowArena& weights)
        : fine_(fine), coarse_(coarse), transfer_(transfer), weights_(weights), a_(a), other_(3 - a), n_other_(fine.n[other_]),
          axis_(fine.n[a], fine.short_end[std::size_t(a)]), odd_rows_(axis_.n / 2), shape_(fine.shape), along_(fine.face[std::size_t(a)]),
          ground_(fine.ground[std::size_t(a)]) {}

    void run() {
        find_active();
        interpolate();
        join_along();
        share_across(0), share_across(other_);
        gather_ground();
    }

private:
    void find_active() {
        for (int t = 0; t < n_other_; ++t)
            for (int S = 0; S < axis_.coarse; ++S) {
                EntryRange range = active(fine_, 2 * S, t);
                for (int s : {2 * S - 1, 2 * S + 1}) range = joined(range, active(fine_, s, t));
                coarse_.active[a_ == 1 ? coarse_.row_index(S, t) : coarse_.row_index(t, S)] = range;
            }
    }
    /// Empty beyond the ends.
    EntryRange active(const Conductances& net, int s, int t) const {
        if (s < 0 || s >= net.n[a_]) return {};
        return a_ == 1 ? net.active_range(s, t) : net.active_range(t, s);
    }

    /// What the odd rows take from their neighbours.
    void interpolate() {
        for (RowTable* table : {&transfer_.low, &transfer_.high})
            a_ == 1 ? table->resize(std::max(odd_rows_, 1), n_other_) : table->resize(n_other_, std::max(odd_rows_, 1));
        RowSetPlan<2> plan({&transfer_.low, &transfer_.high}, weights_, shape_.length);
        for (int t = 0; t < n_other_; ++t)
            for (int c = 0; c < std::max(odd_rows_, 1); ++c) {
                const int s = 2 * c + 1;
                if (active(fine_, s, t).empty()) add(plan, c, t, Kind::outside);
                else if (axis_.kept(s)) add(plan, c, t, Kind::plain);
                else add(plan, c, t, is_own(along_, s, t) || (s + 1 < axis_.n && is_own(along_, s + 1, t)) || kind(ground_, s, t) == Kind::special ? Kind::special : Kind::plain);
            }
        run(plan, shape_.length * 2, [&](int c, int t, const std::array<float*, 2>& out, float* scratch) {
            const int s = 2 * c + 1;
            const EntryRange range = active(fine_, s, t);
            bool alone = false;
            each_half(range, [&](int half, int o, int count) {
                if (axis_.kept(s)) std::fill_n(out[1] + shape_.start(half), shape_.count(half), 1.f);
                else alone |= fill_weights(count, in(along_, s, t) + o, in(along_, s + 1, t) + o, in(ground_, s, t) + o, out[0] + o, out[1] + o);
            });
            if (alone && !axis_.kept(s)) place(s, t, range, out[0], out[1], scratch);
        });
    }
    /// As along x: a point alone takes the place of one that is not part of the system.
    void place(int s, int t, EntryRange range, float* low, const float* high, float* scratch) const {
        float *before = scratch, *here = scratch + shape_.length;
        for (int half = 0; half < 2; ++half) {
            const auto sum = [&](int row, float* out) { a_ == 1 ? sum_diagonal(fine_, half, row, t, range, out) : sum_diagonal(fine_, half, t, row, range, out); };
            sum(s - 1, before), sum(s, here);
            float* l = low + shape_.start(half);
            const float* h = high + shape_.start(half);
            for (int c = range.begin; c < range.end; ++c)
                if (l[c] + h[c] <= 0 && here[c] > 0 && before[c] <= 0) l[c] = 1;
        }
    }

    /// Faces along the axis: two in series.
    void join_along() {
        RowSetPlan<1> plan({&coarse_.face[std::size_t(a_)]}, *coarse_.arena, shape_.length);
        for (int t = 0; t < n_other_; ++t)
            for (int S = 0; S <= axis_.coarse; ++S) add(plan, S, t, kind_along(S, t));
        run(plan, 0, [&](int S, int t, const std::array<float*, 1>& out, float*) {
            if (axis_.kept(2 * S - 1)) {
                std::copy_n(in(along_, 2 * S - 1, t), shape_.length, out[0]);
                return;
            }
            each_half(active(fine_, 2 * S - 1, t), [&](int, int o, int count) {
                join_in_series(count, in(along_, 2 * S - 1, t) + o, in(along_, 2 * S, t) + o, in(ground_, 2 * S - 1, t) + o, out[0] + o);
            });
            drop_tiny(shape_, out[0]);
        });
    }
    Kind kind_along(int S, int t) const {
        if (S == 0 || S == axis_.coarse) return Kind::outside;
        const Kind before = kind(along_, 2 * S - 1, t);
        if (axis_.kept(2 * S - 1)) return before;
        const Kind behind = kind(along_, 2 * S, t);
        if (before == Kind::outside || behind == Kind::outside) return Kind::outside;
        return before == Kind::special || behind == Kind::special || kind(ground_, 2 * S - 1, t) == Kind::special ? Kind::special : Kind::plain;
    }

    /// Faces along the axis b across: in parallel. Those along x lie between two points of one row, those along `other` between two rows.
    void share_across(int b) {
        const RowTable& table = fine_.face[std::size_t(b)];
        RowSetPlan<1> plan({&coarse_.face[std::size_t(b)]}, *coarse_.arena, shape_.length);
        for (int t = 0; t < n_other_ + (b == 0 ? 0 : 1); ++t)
            for (int S = 0; S < axis_.coarse; ++S) add(plan, S, t, kind_across(table, b, S, t));
        run(plan, 0, [&](int S, int t, const std::array<float*, 1>& out, float*) {
            if (2 * S < axis_.n) std::copy_n(in(table, 2 * S, t), shape_.length, out[0]);
            if (has_odd(S)) add_shares<0>(table, b, S, t, out[0]);
            if (has_odd(S - 1)) add_shares<1>(table, b, S - 1, t, out[0]);
            drop_tiny(shape_, out[0]);
        });
    }
    bool has_odd(int c) const { return c >= 0 && c < odd_rows_; }
    Kind kind_across(const RowTable& table, int b, int S, int t) const {
        if (b != 0 && (t == 0 || t == n_other_)) return Kind::outside;
        bool any_plain = false, any_outside = false, any_special = false;
        const auto note = [&](Kind kind) { (kind == Kind::plain ? any_plain : kind == Kind::outside ? any_outside : any_special) = true; };
        if (2 * S < axis_.n) note(kind(table, 2 * S, t));
        for (int c : {S - 1, S}) {
            if (!has_odd(c)) continue;
            const Kind face = kind(table, 2 * c + 1, t);
            note(face != Kind::outside && (own_weights(c, t) || (b != 0 && own_weights(c, t - 1))) ? Kind::special : face);
        }
        return any_special || (any_plain && any_outside) ? Kind::special : any_plain ? Kind::plain : Kind::outside;
    }
    template <int side>
    void add_shares(const RowTable& table, int b, int c, int t, float* out) const {
        const int s = 2 * c + 1;
        if (kind(table, s, t) == Kind::outside) return;
        const float* w = in(table, s, t);
        const Weights here = weights_of(c, t);
        each_half(active(fine_, s, t), [&](int half, int o, int count) {
            if (b == 0) add_share<side>(count, w + o, here + o, here + (half == 0 ? o + shape_.odd - 1 : o - shape_.odd), out + o);  // the points west
            else add_share<side>(count, w + o, here + o, weights_of(c, t - 1) + o, out + o);
        });
    }

    void gather_ground() {
        std::array<RowTable, 3> gathered;  // what every odd row hands on, before it is shared out
        for (RowTable& table : gathered) a_ == 1 ? table.resize(std::max(odd_rows_, 1), n_other_) : table.resize(n_other_, std::max(odd_rows_, 1));
        RowArena arena;
        RowSetPlan<3> odd({&gathered[0], &gathered[1], &gathered[2]}, arena, shape_.length);
        for (int t = 0; t < n_other_; ++t)
            for (int c = 0; c < std::max(odd_rows_, 1); ++c) add(odd, c, t, has_odd(c) && gathers_ground(c, t) ? Kind::special : Kind::outside);
        run(odd, 0, [&](int c, int t, const std::array<float*, 3>& out, float*) { gather_row(c, t, out); });

        RowSetPlan<3> plan({&coarse_.ground[0], &coarse_.ground[1], &coarse_.ground[2]}, *coarse_.arena, shape_.length);
        const auto special = [&](int S, int t) {
            for (const RowTable& table : fine_.ground)
                if (2 * S < axis_.n && kind(table, 2 * S, t) == Kind::special) return true;
            for (const RowTable& table : gathered)
                if ((has_odd(S) && kind(table, S, t) == Kind::special) || (has_odd(S - 1) && kind(table, S - 1, t) == Kind::special)) return true;
            return false;
        };
        for (int t = 0; t < n_other_; ++t)
            for (int S = 0; S < axis_.coarse; ++S) add(plan, S, t, special(S, t) ? Kind::special : Kind::outside);
        run(plan, 0, [&](int S, int t, const std::array<float*, 3>& out, float*) {
            for (std::size_t b = 0; b < 3; ++b) {
                if (2 * S < axis_.n) std::copy_n(in(fine_.ground[b], 2 * S, t), shape_.length, out[b]);
                if (has_odd(S)) add_product(S, t, in(transfer_.low, S, t), in(gathered[b], S, t), out[b]);
                if (has_odd(S - 1)) add_product(S - 1, t, in(transfer_.high, S - 1, t), in(gathered[b], S - 1, t), out[b]);
                drop_tiny(shape_, out[b]);
            }
        });
    }
    bool gathers_ground(int c, int t) const {
        const int s = 2 * c + 1;
        if (active(fine_, s, t).empty()) return false;
        for (const RowTable& table : fine_.ground)
            if (kind(table, s, t) == Kind::special) return true;
        return own_weights(c, t) || (t > 0 && own_weights(c, t - 1)) || (t + 1 < n_other_ && own_weights(c, t + 1));
    }
    void gather_row(int c, int t, const std::array<float*, 3>& out) const {
        const int s = 2 * c + 1;
        const Weights p = weights_of(c, t);
        const float* x = in(fine_.face[0], s, t);
        float *along = out[std::size_t(a_)], *across = out[std::size_t(other_)];
        each_half(active(fine_, s, t), [&](int half, int o, int count) {
            std::copy_n(in(ground_, s, t) + o, count, along + o);
            for (int b : {0, other_}) scale_ground(count, in(fine_.ground[std::size_t(b)], s, t) + o, p + o, out[std::size_t(b)] + o);
            const int west = half == 0 ? o + shape_.odd - 1 : o - shape_.odd, east_face = half == 0 ? o + shape_.odd : o - shape_.odd + 1;
            add_lateral(count, x + o, p + o, p + west, along + o, out[0] + o);
            add_lateral(count, x + east_face, p + o, p + (west + 1), along + o, out[0] + o);
            const RowTable& faces = fine_.face[std::size_t(other_)];
            if (t > 0) add_lateral(count, in(faces, s, t) + o, p + o, weights_of(c, t - 1) + o, along + o, across + o);
            if (t + 1 < n_other_) add_lateral(count, in(faces, s, t + 1) + o, p + o, weights_of(c, t + 1) + o, along + o, across + o);
        });
    }
    void add_product(int c, int t, const float* __restrict weight, const float* __restrict value, float* __restrict out) const {
        each_half(active(fine_, 2 * c + 1, t), [&](int, int o, int count) {
#pragma omp simd
            for (int i = o; i < o + count; ++i) out[i] += weight[i] * value[i];
        });
    }

    /// body(half, o, count) for the halves of a range: entries o to before o + count of a row.
    template <class Body>
    void each_half(EntryRange range, const Body& body) const {
        for (int half = 0; half < 2; ++half) body(half, shape_.start(half) + range.begin, range.end - range.begin);
    }
    const float* in(const RowTable& table, int s, int t) const { return a_ == 1 ? table(s, t) : table(t, s); }
    bool is_own(const RowTable& table, int s, int t) const { return a_ == 1 ? table.is_own(s, t) : table.is_own(t, s); }
    Kind kind(const RowTable& table, int s, int t) const { return Kind(table.own[a_ == 1 ? table.index(s, t) : table.index(t, s)]); }
    bool own_weights(int c, int t) const { return is_own(transfer_.low, c, t) || is_own(transfer_.high, c, t); }
    Weights weights_of(int c, int t) const { return {in(transfer_.low, c, t), in(transfer_.high, c, t)}; }
    template <class Plan>
    void add(Plan& plan, int s, int t, Kind kind) const { a_ == 1 ? plan.add(s, t, kind) : plan.add(t, s, kind); }
    template <class Plan, class Body>
    void run(Plan& plan, int scratch_length, const Body& body) const {
        plan.run(scratch_length, [&](int j, int k, const typename Plan::Rows& out, float* scratch) { a_ == 1 ? body(j, k, out, scratch) : body(k, j, out, scratch); });
    }

    const Conductances& fine_;
    Conductances& coarse_;
    Transfer& transfer_;
    RowArena& weights_;
    const int a_, other_, n_other_;
    const Axis axis_;
    const int odd_rows_;
    const SplitRow& shape_;
    const RowTable &along_, &ground_;   ///< the fine faces and conductances to ground along the axis
};

}  // namespace

Conductances coarsen_grounded(const Conductances& fine, int axis, Transfer& transfer, std::shared_ptr<RowArena> weights, std::shared_ptr<RowArena> memory) {
    Vec3i size = fine.n;
    const auto a = std::size_t(axis);
    size[axis] = coarse_count(fine.n[axis], fine.short_end[a]);
    Conductances coarse(size, std::move(memory));
    coarse.add_ground();
    coarse.short_end = fine.short_end;
    coarse.short_end[a] = fine.n[axis] % 2 == 0 && !fine.short_end[a];
    if (axis == 0) GroundedX(fine, coarse, transfer, *weights).run();
    else GroundedRows(fine, axis, coarse, transfer, *weights).run();
    return coarse;
}

}  // namespace phlo::numerics
