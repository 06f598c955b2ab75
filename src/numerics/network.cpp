#include "numerics/network.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "numerics/row_plan.h"
#include "numerics/stencil.h"

namespace phlo::numerics {
namespace {

/// Eight lanes side by side: one chain of multiplications would take longer than computing the row.
std::uint64_t hash_of(const float* row, int length) {
    constexpr int lanes = 8;
    std::uint32_t lane[lanes] = {};
    int c = 0;
    for (; c + lanes <= length; c += lanes) {
#pragma omp simd
        for (int l = 0; l < lanes; ++l) lane[l] = std::rotl(lane[l] ^ std::bit_cast<std::uint32_t>(row[c + l]), 13) * 0x9e3779b1u;
    }
    for (; c < length; ++c) lane[0] = (lane[0] ^ std::bit_cast<std::uint32_t>(row[c])) * 0x9e3779b1u;
    std::uint64_t hash = 0;
    for (std::uint32_t part : lane) hash = (hash ^ part) * 0x9e3779b97f4a7c15u;
    return hash;
}

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

void coarsen_x(const Network& fine, Network& coarse, Transfer& t, RowArena& weights) {
    const Axis axis(fine.n.x, fine.short_end[0]);
    const SplitRow &from = fine.shape, &to = coarse.shape;
    const int weight_length = from.padded + 2 * SplitRow::vector;  // entry -1 is read too: rows of the arena have zeros before them

    t.low.resize(fine.n.y, fine.n.z), t.high.resize(fine.n.y, fine.n.z);
    RowPlan low(t.low, weights, weight_length), high(t.high, weights, weight_length);
    RowPlan along(coarse.face[0], *coarse.arena, to.length);
    for (int k = 0; k < fine.n.z; ++k)
        for (int j = 0; j < fine.n.y; ++j) {
            const bool own = fine.face[0].is_own(j, k);
            low.add(j, k, own), high.add(j, k, own), along.add(j, k, own);
        }
    along.run([&](int j, int k, float* out) {
        const float* w = fine.face[0](j, k);
        const float* __restrict even = w, * __restrict odd = w + from.odd - 1;
        std::vector<float> natural(std::size_t(2 * to.padded + 1));
        float* __restrict face = natural.data();
#pragma omp simd
        for (int I = 1; I < axis.coarse; ++I) face[I] = series(odd[I], even[I]);
        for (int I : {0, axis.coarse - 1, axis.coarse})
            if (const int direct = axis.direct_face(I); direct >= 0) face[I] = w[from.at(direct)];
        if (axis.direct_face(axis.coarse) < 0) face[axis.coarse] = series(odd[axis.coarse], even[axis.coarse]);
        to.split(face, out);
        out[to.at(axis.coarse)] = face[axis.coarse];
    });
    // The last point of an even row is kept, or (two points) has nothing behind it.
    const int count = from.count(1), outermost = axis.n % 2 == 0 ? count - 1 : -1;
    low.run([&](int j, int k, float* out) {
        const float* w = fine.face[0](j, k);
        fill_low(count, w + from.odd, w + 1, out, [&](int c) { return fine.diagonal(2 * c, j, k); });
        if (outermost >= 0 && axis.keep_last) out[outermost] = 0;
    });
    high.run([&](int j, int k, float* out) {
        const float* w = fine.face[0](j, k);
        fill_high(count, w + from.odd, w + 1, out);
        if (outermost >= 0) out[outermost] = axis.keep_last ? 1.f : 0.f;
    });
    for (int a = 1; a < 3; ++a) {
        const RowTable& in = fine.face[std::size_t(a)];
        const int last = a == 1 ? fine.n.y : fine.n.z;
        // The points on either side of the face; the ghost behind a wall does not interpolate, it follows the inner point.
        const auto sides = [&](int j, int k) {
            const int f = a == 1 ? j : k, up = std::min(f, last - 1), down = std::max(f - 1, 0);
            return a == 1 ? std::array<int, 4>{up, k, down, k} : std::array<int, 4>{j, up, j, down};
        };
        RowPlan across(coarse.face[std::size_t(a)], *coarse.arena, to.length);
        for (int k = 0; k < in.nk; ++k)
            for (int j = 0; j < in.nj; ++j) {
                const auto s = sides(j, k);
                across.add(j, k, in.is_own(j, k) || fine.face[0].is_own(s[0], s[1]) || fine.face[0].is_own(s[2], s[3]));
            }
        across.run([&](int j, int k, float* out) {
            const auto s = sides(j, k);
            const float *w = in(j, k), *l0 = t.low(s[0], s[1]), *h0 = t.high(s[0], s[1]), *l1 = t.low(s[2], s[3]), *h1 = t.high(s[2], s[3]);
            ShareRows shares(count + 2 * SplitRow::vector);
            shares.fill(1, count, w + from.odd, {l0, h0}, {l1, h1});
            const float* __restrict part_low = shares.low.data(), * __restrict part_high = shares.high.data();
            std::vector<float> natural(std::size_t(2 * to.padded));
            float* __restrict face = natural.data();
#pragma omp simd
            for (int I = 0; I <= count; ++I) face[I] = (w[I] + part_high[I]) + part_low[I + 1];
            to.split(face, out);
        });
    }
}

/// Steps along y (a = 1) and z (a = 2). Rows are addressed by s along the axis and t along the other one.
void coarsen_rows(const Network& fine, int a, Network& coarse, Transfer& transfer, RowArena& weights) {
    const Axis axis(fine.n[a], fine.short_end[std::size_t(a)]);
    const SplitRow& shape = fine.shape;
    const int other = 3 - a, n_other = fine.n[other];
    const RowTable& along_in = fine.face[std::size_t(a)];
    const auto in = [a](const RowTable& table, int s, int t) { return a == 1 ? table(s, t) : table(t, s); };
    const auto own = [a](const RowTable& table, int s, int t) { return a == 1 ? table.is_own(s, t) : table.is_own(t, s); };
    const auto add = [a](RowPlan& plan, int s, int t, bool is_own) { a == 1 ? plan.add(s, t, is_own) : plan.add(t, s, is_own); };
    const auto run = [a](RowPlan& plan, const auto& body) {
        plan.run([&](int j, int k, float* out) { a == 1 ? body(j, k, out) : body(k, j, out); });
    };

    // Interpolation weights of the odd rows.
    const int odd_rows = std::max(axis.n / 2, 1);
    for (RowTable* table : {&transfer.low, &transfer.high}) a == 1 ? table->resize(odd_rows, n_other) : table->resize(n_other, odd_rows);
    RowPlan low(transfer.low, weights, shape.length), high(transfer.high, weights, shape.length);
    const auto own_weight = [&](int c, int t) { return own(along_in, 2 * c + 1, t) || own(along_in, 2 * c + 2, t); };
    for (int t = 0; t < n_other; ++t)
        for (int c = 0; c < axis.n / 2; ++c) add(low, c, t, own_weight(c, t)), add(high, c, t, own_weight(c, t));
    run(low, [&](int c, int t, float* out) {
        const int s = 2 * c + 1;
        if (axis.kept(s)) return;
        for (int half = 0; half < 2; ++half) {
            const int o = shape.start(half);
            fill_low(shape.count(half), in(along_in, s, t) + o, in(along_in, s + 1, t) + o, out + o,
                     [&](int i) { return a == 1 ? fine.diagonal(2 * i + half, s - 1, t) : fine.diagonal(2 * i + half, t, s - 1); });
        }
    });
    run(high, [&](int c, int t, float* out) {
        const int s = 2 * c + 1;
        if (s == axis.n - 1 && !axis.kept(s)) return;
        for (int half = 0; half < 2; ++half) {
            const int o = shape.start(half);
            if (axis.kept(s)) std::fill_n(out + o, shape.count(half), 1.f);
            else fill_high(shape.count(half), in(along_in, s, t) + o, in(along_in, s + 1, t) + o, out + o);
        }
    });

    // Faces along the axis: in series.
    RowPlan along(coarse.face[std::size_t(a)], *coarse.arena, shape.length);
    for (int t = 0; t < n_other; ++t)
        for (int S = 0; S <= axis.coarse; ++S) {
            const int direct = axis.direct_face(S);
            add(along, S, t, direct >= 0 ? own(along_in, direct, t) : own(along_in, 2 * S - 1, t) || own(along_in, 2 * S, t));
        }
    run(along, [&](int S, int t, float* out) {
        if (const int direct = axis.direct_face(S); direct >= 0) {
            std::copy_n(in(along_in, direct, t), shape.length, out);
            return;
        }
        const float *p = in(along_in, 2 * S - 1, t), *q = in(along_in, 2 * S, t);
        for (int c = 0; c < shape.length; ++c) out[c] = series(p[c], q[c]);
    });

    // Faces across the axis: in parallel. Those along x lie between two points of one row, those along `other` between two rows.
    for (int b : {0, other}) {
        const RowTable& table = fine.face[std::size_t(b)];
        const auto below = [&](int t) { return b == 0 ? t : std::max(t - 1, 0); };
        const auto above = [&](int t) { return std::min(t, n_other - 1); };
        const auto gathers_own = [&](int c, int t) {
            return c >= 0 && c < axis.n / 2 && (own(table, 2 * c + 1, t) || own_weight(c, below(t)) || own_weight(c, above(t)));
        };
        RowPlan across(coarse.face[std::size_t(b)], *coarse.arena, shape.length);
        for (int t = 0; t < n_other + (b == 0 ? 0 : 1); ++t)
            for (int S = 0; S < axis.coarse; ++S)
                add(across, S, t, (2 * S < axis.n && own(table, 2 * S, t)) || gathers_own(S, t) || gathers_own(S - 1, t));
        run(across, [&](int S, int t, float* out) {
            if (2 * S < axis.n) std::copy_n(in(table, 2 * S, t), shape.length, out);
            ShareRows shares(shape.length);
            for (int c : {S - 1, S}) {
                if (c < 0 || c >= axis.n / 2) continue;
                const float* w = in(table, 2 * c + 1, t);
                const float *l0 = in(transfer.low, c, below(t)), *h0 = in(transfer.high, c, below(t));
                const float *l1 = in(transfer.low, c, above(t)), *h1 = in(transfer.high, c, above(t));
                if (b == 0) {  // the points west and east of a face; the ghosts beyond the ends follow the inner points
                    const int even = shape.cells / 2 + 1, odd = (shape.cells + 1) / 2, o = shape.odd, last = shape.at(shape.cells - 1);
                    shares.fill(0, even, w, {l0 + o - 1, h0 + o - 1}, {l0, h0});
                    shares.fill(o, odd, w + o, {l0, h0}, {l0 + o, h0 + o});
                    shares.set(0, w[0], {l0[0], h0[0]}, {l0[0], h0[0]});
                    shares.set(shape.at(shape.cells), w[shape.at(shape.cells)], {l0[last], h0[last]}, {l0[last], h0[last]});
                } else {
                    shares.fill(0, shape.length, w, {l0, h0}, {l1, h1});
                }
                const float* part = c == S ? shares.low.data() : shares.high.data();
                each_eight(0, shape.length, [=](std::ptrdiff_t i) { store(out + i, load(out + i) + load(part + i)); });
            }
        });
    }
}

}  // namespace

float* RowArena::take(int length) {
    constexpr std::size_t smallest = std::size_t(1) << 12, largest = std::size_t(1) << 18;  // blocks grow with what is stored
    const std::size_t count = std::size_t(length + 15) / 16 * 16;
    if (blocks_.empty() || used_ + count + 16 > blocks_.back().size()) {
        blocks_.emplace_back(std::max(count + 32, std::clamp(bytes_ / sizeof(float) / 2, smallest, largest)));
        bytes_ += blocks_.back().bytes();
        used_ = 16;
    }
    float* row = blocks_.back().data() + used_;
    used_ += count;
    return row;
}

const float* RowArena::keep(const float* row, int length) {
    const std::uint64_t hash = hash_of(row, length);
    const tbb::spin_mutex::scoped_lock lock(mutex_);
    for (auto [at, last] = stored_.equal_range(hash); at != last; ++at)
        if (at->second.length == length && std::memcmp(row, at->second.row, std::size_t(length) * sizeof(float)) == 0) return at->second.row;
    float* copy = take(length);
    std::copy_n(row, length, copy);
    stored_.emplace(hash, Stored{copy, length});
    return copy;
}

Network::Network(Vec3i points) : n(points), shape(points.x), arena(std::make_shared<RowArena>()) {
    face[0].resize(n.y, n.z);
    face[1].resize(n.y + 1, n.z);
    face[2].resize(n.y, n.z + 1);
}

float Network::diagonal(int i, int j, int k) const {
    const int c = shape.at(i);
    return face[0](j, k)[c] + face[0](j, k)[shape.at(i + 1)] + face[1](j, k)[c] + face[1](j + 1, k)[c] + face[2](j, k)[c] +
           face[2](j, k + 1)[c];
}

bool Network::is_own(int j, int k) const {
    return face[0].is_own(j, k) || face[1].is_own(j, k) || face[1].is_own(j + 1, k) || face[2].is_own(j, k) || face[2].is_own(j, k + 1);
}

int coarse_count(int n, bool short_end) { return n % 2 == 0 && n > 2 && !short_end ? n / 2 + 1 : (n + 1) / 2; }

Network coarsen(const Network& fine, int axis, Transfer& transfer, std::shared_ptr<RowArena> weights) {
    Vec3i size = fine.n;
    const auto a = std::size_t(axis);
    size[axis] = coarse_count(fine.n[axis], fine.short_end[a]);
    Network coarse(size);
    coarse.short_end = fine.short_end;
    coarse.short_end[a] = fine.n[axis] % 2 == 0 && !fine.short_end[a];
    if (axis == 0)
        coarsen_x(fine, coarse, transfer, *weights);
    else
        coarsen_rows(fine, axis, coarse, transfer, *weights);
    return coarse;
}

}  // namespace phlo::numerics
