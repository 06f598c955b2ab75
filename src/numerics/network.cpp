#include "numerics/network.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "numerics/row_plan.h"

namespace phlo::numerics {
namespace {

/// Eight lanes side by side: one chain of multiplications would take longer than computing the row.
std::uint64_t hash_of(const float* row, int length) {
    constexpr int lanes = 8;
    std::array<std::uint32_t, lanes> lane{};
    int c = 0;
    for (; c + lanes <= length; c += lanes)
        for (int l = 0; l < lanes; ++l) lane[std::size_t(l)] = std::rotl(lane[std::size_t(l)] ^ std::bit_cast<std::uint32_t>(row[c + l]), 13) * 0x9e3779b1u;
    for (; c < length; ++c) lane[0] = (lane[0] ^ std::bit_cast<std::uint32_t>(row[c])) * 0x9e3779b1u;
    std::uint64_t hash = 0;
    for (std::uint32_t part : lane) hash = (hash ^ part) * 0x9e3779b97f4a7c15u;
    return hash;
}

float series(float a, float b) { return a > 0 && b > 0 ? a * b / (a + b) : 0.f; }

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
/// and to the one behind. Equal weights: the weights themselves. Unequal ones: only where both points reach, with nothing lost. If no
/// coarse point serves both, each face takes half: a connection too many slows the coarse correction a little, but a missing one sets
/// parts of the coarse system adrift, and in porous media that ruins it.
inline Share share(float conductance, Share p, Share q) {
    if (p.low == q.low && p.high == q.high) return {conductance * p.low, conductance * p.high};
    if (conductance == 0) return {0, 0};
    return share_unequal(conductance, p, q);
}

/// The weights of an odd point: `before`, `behind` are its conductances along the axis.
/// A point with neither is dropped, unless the point before it is solid: then it takes that one's place, so that channels one cell
/// wide do not vanish on coarser levels.
Share odd_point(float before, float behind, bool kept, bool last, bool place_is_free) {
    if (kept) return {0, 1};
    if (before + behind > 0) return {before / (before + behind), last ? 0.f : behind / (before + behind)};
    return {place_is_free ? 1.f : 0.f, 0};
}

struct Axis {
    int n, coarse;
    bool keep_last;  // an even count keeps its last point too: extrapolating to it costs an iteration
    explicit Axis(int count) : n(count), coarse(coarse_count(count)), keep_last(count % 2 == 0 && count > 2) {}
    bool kept(int odd) const { return keep_last && odd == n - 1; }
    /// The face before coarse point S is the fine face `direct`, or (direct < 0) fine faces 2 S - 1 and 2 S in series.
    int direct_face(int S) const {
        if (S == 0) return 0;
        if (S == coarse) return n % 2 == 1 || keep_last ? n : -1;
        return keep_last && S == coarse - 1 ? n - 1 : -1;
    }
};

void coarsen_x(const Network& fine, Network& coarse, Transfer& t, RowArena& weights) {
    const Axis axis(fine.n.x);
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
        for (int I = 0; I <= axis.coarse; ++I) {
            const int direct = axis.direct_face(I);
            out[to.at(I)] = direct >= 0 ? w[from.at(direct)] : series(w[from.at(2 * I - 1)], w[from.at(2 * I)]);
        }
    });
    const auto weight = [&](int j, int k, int c) {
        const float* w = fine.face[0](j, k);
        const int i = 2 * c + 1;
        const float before = w[from.at(i)], behind = w[from.at(i + 1)];
        const bool free = before + behind == 0 && fine.diagonal(i - 1, j, k) == 0;
        return odd_point(before, behind, axis.kept(i), i == axis.n - 1, free);
    };
    low.run([&](int j, int k, float* out) {
        for (int c = 0; c < from.count(1); ++c) out[c] = weight(j, k, c).low;
    });
    high.run([&](int j, int k, float* out) {
        for (int c = 0; c < from.count(1); ++c) out[c] = weight(j, k, c).high;
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
            for (int I = 0; I < from.count(0); ++I) out[to.at(I)] += w[from.at(2 * I)];
            for (int c = 0; c < from.count(1); ++c) {
                const Share part = share(w[from.at(2 * c + 1)], {l0[c], h0[c]}, {l1[c], h1[c]});
                out[to.at(c)] += part.low;
                if (part.high > 0) out[to.at(c + 1)] += part.high;
            }
        });
    }
}

/// Steps along y (a = 1) and z (a = 2). Rows are addressed by s along the axis and t along the other one.
void coarsen_rows(const Network& fine, int a, Network& coarse, Transfer& transfer, RowArena& weights) {
    const Axis axis(fine.n[a]);
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
    const auto weight = [&](int c, int t, int i) {
        const int s = 2 * c + 1;
        const float before = in(along_in, s, t)[shape.at(i)], behind = in(along_in, s + 1, t)[shape.at(i)];
        const bool free = before + behind == 0 && (a == 1 ? fine.diagonal(i, s - 1, t) : fine.diagonal(i, t, s - 1)) == 0;
        return odd_point(before, behind, axis.kept(s), s == axis.n - 1, free);
    };
    run(low, [&](int c, int t, float* out) {
        for (int i = 0; i < shape.cells; ++i) out[shape.at(i)] = weight(c, t, i).low;
    });
    run(high, [&](int c, int t, float* out) {
        for (int i = 0; i < shape.cells; ++i) out[shape.at(i)] = weight(c, t, i).high;
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
            const int faces = shape.cells + (b == 0 ? 1 : 0);
            if (2 * S < axis.n)
                for (int i = 0; i < faces; ++i) out[shape.at(i)] = in(table, 2 * S, t)[shape.at(i)];
            for (int c : {S - 1, S}) {
                if (c < 0 || c >= axis.n / 2) continue;
                const float* w = in(table, 2 * c + 1, t);
                const float *l0 = in(transfer.low, c, below(t)), *h0 = in(transfer.high, c, below(t));
                const float *l1 = in(transfer.low, c, above(t)), *h1 = in(transfer.high, c, above(t));
                for (int i = 0; i < faces; ++i) {
                    const int p = shape.at(b == 0 ? std::max(i - 1, 0) : i), q = shape.at(b == 0 ? std::min(i, shape.cells - 1) : i);
                    const Share part = share(w[shape.at(i)], {l0[p], h0[p]}, {l1[q], h1[q]});
                    out[shape.at(i)] += c == S ? part.low : part.high;
                }
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
    const std::lock_guard lock(mutex_);
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

int coarse_count(int n) { return n % 2 == 0 && n > 2 ? n / 2 + 1 : (n + 1) / 2; }

Network coarsen(const Network& fine, int axis, Transfer& transfer, std::shared_ptr<RowArena> weights) {
    Vec3i size = fine.n;
    size[axis] = coarse_count(size[axis]);
    Network coarse(size);
    if (axis == 0)
        coarsen_x(fine, coarse, transfer, *weights);
    else
        coarsen_rows(fine, axis, coarse, transfer, *weights);
    return coarse;
}

}  // namespace phlo::numerics
