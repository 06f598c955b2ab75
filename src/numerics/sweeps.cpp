#include "numerics/sweeps.h"

#include <algorithm>
#include <cstring>
#include <numeric>

#include "base/parallel.h"
#include "numerics/stencil.h"

namespace phlo::numerics {
namespace {

constexpr int red = 0, black = 1;

struct Range {
    int begin, end;
    bool contains(int i) const { return i >= begin && i < end; }
};

void prefetch(const float* row, int floats) {
    for (int c = 0; c < floats; c += 16) __builtin_prefetch(row + c, 0, 2);
}

/// The rows of one tile while a sweep passes through it. Holds smoothed values of the planes around the front. Rows are short, so what
/// they have in common is looked up once a plane. `plain`: the finest level, whose weights are one away from solids.
template <bool plain, int planes>
class Front {
public:
    Front(const Level& level, Scratch& scratch, int first_row)
        : level_(level), shape_(level.net.shape), ring_(scratch.values), base_(first_row), stride_(ring_.stride()), r_stride_(level.r.layout().stride_y()) {}

    /// Must come before any use of plane k; forgets plane k - planes.
    void enter(int k) {
        Plane& p = plane(k);
        p.values = ring_.row(0, k & (planes - 1)) - base_ * stride_;
        p.inside = k >= 0 && k < level_.nz();
        p.colour = k & 1;
        if (!p.inside) return;
        p.r = level_.r.row(0, k);
        p.inverse = level_.inverse.row.data() + level_.inverse.index(0, k);
        p.segment = level_.segment.data() + std::ptrdiff_t(k) * level_.ny();
        p.active = level_.net.grounded() ? level_.net.active.data() + std::ptrdiff_t(k) * level_.ny() : nullptr;
    }

    float* row(int j, int k) { return plane(k).values + j * stride_; }
    /// Rows of plane k that are inside the domain.
    Range inside(Range rows, int k) {
        const Range clipped{std::max(rows.begin, 0), std::min(rows.end, level_.ny())};
        return plane(k).inside ? clipped : Range{rows.begin, rows.begin};
    }
    void clear(int j, int k) { std::memset(row(j, k), 0, std::size_t(shape_.length) * sizeof(float)); }

    /// The half of a colour in row j: where it begins in a split row, which entries are part of the system, its values, and what relaxing
    /// them needs.
    struct Half {
        int j, start, begin, end;
        float* values;
        const float *r, *inverse;
    };
    /// visit(half) for rows of plane k, all inside; skip(j) for those without any cell of the system.
    template <class Visit, class Skip>
    [[gnu::always_inline]] void each_half(Range rows, int k, int colour, const Visit& visit, const Skip& skip) {
        const Plane& p = plane(k);
        for (int j = rows.begin; j < rows.end; ++j) {
            const int o = shape_.start((j + p.colour + colour) & 1);
            int begin = 0, end = shape_.padded;
            if (p.active != nullptr) {
                begin = p.active[j].begin, end = p.active[j].end;
                if (begin == end) {
                    skip(j);
                    continue;
                }
            }
            visit(Half{j, o, begin, end, p.values + j * stride_ + o, p.r + j * r_stride_ + o, p.inverse[j] + o});
        }
    }
    template <class Visit>
    [[gnu::always_inline]] void each_half(Range rows, int k, int colour, const Visit& visit) {
        each_half(rows, k, colour, visit, [](int) {});
    }
    /// Computes the weighted sums of the neighbours of a colour in rows of plane k. For each row, prepare(half) gives what takes them,
    /// out(c, sum), and done(half, out) follows; or skip(j).
    template <class Prepare, class Done, class Skip>
    [[gnu::always_inline]] void stencil(Range rows, int k, int colour, const Prepare& prepare, const Done& done, const Skip& skip) {
        const Range ours = inside(rows, k);
        const EntryRange* segment = plane(k).segment;
        const std::ptrdiff_t down = plane(k - 1).values - plane(k).values, up = plane(k + 1).values - plane(k).values;
        each_half(ours, k, colour, [&](const Half& half) {
            const float* here = half.values - half.start;
            const int side = half.start == 0 ? 0 : 1;
            const Neighbours x = neighbours(shape_, side, here, here - stride_, here + stride_, here + down, here + up);
            const EntryRange own = segment[half.j];
            if (own.begin == own.end) [[likely]]
                done(half, base(half.begin, half.end, side, x, prepare(half)));
            else
                done(half, mixed(half, k, side, own, x, prepare(half)));
        }, skip);
    }
    template <class Prepare, class Done>
    [[gnu::always_inline]] void stencil(Range rows, int k, int colour, const Prepare& prepare, const Done& done) {
        stencil(rows, k, colour, prepare, done, [](int) {});
    }

private:
    struct Plane {
        float* values = nullptr;  ///< row 0
        const float* r = nullptr;
        const float* const* inverse = nullptr;  ///< by row
        const EntryRange* segment = nullptr;
        const EntryRange* active = nullptr;  ///< null: all entries
        int colour = 0;  ///< half of row 0 that is red
        bool inside = false;
    };
    Plane& plane(int k) { return planes_[std::size_t(k & (planes - 1))]; }

    template <class Out>
    [[gnu::always_inline]] Out base(int begin, int end, int half, const Neighbours& x, Out out) {
        if constexpr (plain)
            return sum_plain(begin, end, x, out);
        else
            return sum_even(begin, end, west_faces(shape_, half, level_.base_x), east_faces(shape_, half, level_.base_x),
                            level_.base_across + shape_.start(half), x, out);
    }
    template <class Out>
    [[gnu::noinline]] Out mixed(const Half& row, int k, int half, EntryRange own, const Neighbours& x, Out out) {
        return base(own.end, row.end, half, x,
                    sum_weighted(own.begin, own.end, face_weights(level_.net, half, row.j, k), x, base(row.begin, own.begin, half, x, out)));
    }

    const Level& level_;
    const SplitRow shape_;
    PlaneRing& ring_;
    const int base_;
    const std::ptrdiff_t stride_, r_stride_;
    std::array<Plane, planes> planes_;
};

/// Calls item(scratch, rows, planes) for all work items of a sweep over so many rows and planes of a level. Their extent depends on the number
/// of threads, but nothing of what is computed may: what items have in common each of them computes for itself.
template <class Item>
void for_tiles(Level& level, int rows, int planes, const Item& item) {
    const int tiles = level.tiles, threads = level.serial ? 1 : thread_count();
    int slabs = 1;  // as few as keep all threads busy to the end: their edges are computed twice
    while (tiles * slabs % threads != 0 && tiles * slabs < 3 * threads && slabs < planes / 8) ++slabs;
    const auto part = [](int index, int parts, int count) { return Range{count * index / parts, count * (index + 1) / parts}; };
    const auto slab = [&](int index) {
        if (level.work.empty()) return part(index, slabs, planes);
        const auto edge = [&](int e) {  // slabs of the same work
            if (e == slabs) return planes;
            const auto at = std::lower_bound(level.work.begin(), level.work.end(), level.work.back() * std::size_t(e) / std::size_t(slabs));
            return int(at - level.work.begin()) * planes / level.nz();
        };
        return Range{edge(index), edge(index + 1)};
    };
    const auto run = [&](int t) {
        if (const Range k = slab(t / tiles); k.begin < k.end) item(level.scratch->local(), part(t % tiles, tiles, rows), k);
    };
    if (level.serial)
        for (int t = 0; t < tiles * slabs; ++t) run(t);
    else
        parallel_for(tiles * slabs, run);
}

/// Runs the stages of a sweep over a tile, each one plane behind the one before it, and a few rows at a time through all planes at work: most
/// rows are then read while they are in L1. A stage is called as stage(rows, k) and may use what the stages before it left in the rows and
/// planes next to these. The last one covers the tile; each before it reaches one row and one plane further. enter(k) comes before the first
/// stage meets plane k.
template <class Enter, class... Stages>
void run_stages(Range rows, Range planes, const Enter& enter, const Stages&... stages) {
    constexpr int reach = int(sizeof...(Stages)) - 1, at_once = 8;
    for (int k = planes.begin - 2 * reach; k < planes.end; ++k) {
        enter(k + reach);
        for (int j = rows.begin - reach; j < rows.end + reach; j += at_once) {
            int lead = reach;
            const auto run = [&](const auto& stage) {
                const Range part{std::max(j, rows.begin - lead), std::min(j + at_once, rows.end + lead)};
                if (part.begin < part.end && k + lead >= planes.begin - lead && k + lead < planes.end + lead) stage(part, k + lead);
                --lead;
            };
            (run(stages), ...);
        }
    }
}

/// The residual of one plane, restricted along x, then y, and added to the coarse right-hand side along z.
class Restriction {
public:
    /// For the rows J and planes K of the next level.
    Restriction(const Level& fine, Level& coarse, Scratch& scratch, Range J, Range K) : fine_(fine), coarse_(coarse), to_(coarse.net.shape), s_(scratch), J_(J), K_(K) {}

    /// The fine rows and planes that reach them.
    Range rows() const { return {std::max(2 * J_.begin - 1, 0), std::min(2 * J_.end, fine_.ny())}; }
    Range planes() const { return {std::max(2 * K_.begin - 1, 0), std::min(2 * K_.end, fine_.nz())}; }
    /// Odd rows and planes at the edge are also a neighbour's.
    bool is_ours(int j, int k) const { return Range{2 * J_.begin, 2 * J_.end}.contains(j) && Range{2 * K_.begin, 2 * K_.end}.contains(k); }

    /// Where the residual of the red half of row j is expected, zero in the padding.
    float* residual(int j) { return s_.line(8 + (j & 1)); }

    /// After the residual of row (j, k) is there. Rows come in order.
    void add_row(int j, int k) {
        const auto [first, last] = rows();
        if (j == first) next_ = J_.begin;
        const auto take = [&](int row) {
            take_row(row, k);
            if (row == 2 * next_ + 1) add(next_++, k);
        };
        if (j > first) take(j - 1);  // one row late: the shifted loads would stall on fresh stores
        if (j + 1 < last) return;
        take(j);
        while (next_ < J_.end) add(next_++, k);
    }

private:
    /// Restricts the residual of row (j, k) along x.
    void take_row(int j, int k) {
        const SplitRow& from = fine_.net.shape;
        if (fine_.net.active_range(j, k).empty()) {
            std::fill_n(line(j), to_.odd + to_.padded, 0.f);
            return;
        }
        const int half = (j + k) & 1;  // the red one
        const float* e = residual(j);
        if (half == 0) {  // even cells are coarse points
            to_.split(e, line(j));
            return;
        }
        float* u = s_.line(1);
        const float *low = fine_.transfer[0].low(j, k), *high = fine_.transfer[0].high(j, k) - 1, *before = e - 1;
        // One pack more: the last point of an even row is a coarse point of its own.
        each_eight(0, from.padded + 8, [=](std::ptrdiff_t c) { store(u + c, load(low + c) * load(e + c) + load(high + c) * load(before + c)); });
        to_.split(u, line(j));
    }

    /// Adds plane k of coarse row J: the fine rows 2 J - 1 ... 2 J + 1 have been taken.
    void add(int J, int k) {
        const int ny = fine_.ny(), n = to_.odd + to_.padded;
        const Transfer& ty = fine_.transfer[1];
        const float* middle = 2 * J < ny ? line(2 * J) : s_.line(3);  // line 3 stays zero
        const float* before = 2 * J - 1 >= 0 ? line(2 * J - 1) : s_.line(3);
        const float* behind = 2 * J + 1 < ny ? line(2 * J + 1) : s_.line(3);
        const float* high = 2 * J - 1 >= 0 ? ty.high(J - 1, k) : s_.line(3);
        const float* low = 2 * J + 1 < ny ? ty.low(J, k) : s_.line(3);
        const auto sum = [=](std::ptrdiff_t c) { return load(high + c) * load(before + c) + load(middle + c) + load(low + c) * load(behind + c); };
        const int K = k / 2;
        if (coarse_.net.grounded() && add_active(J, k, sum)) return;
        if (k % 2 == 0) {
            float* out = coarse_.r.row(J, K);
            if (K == 0)
                each_eight(0, n, [=](std::ptrdiff_t c) { store(out + c, sum(c)); });
            else
                each_eight(0, n, [=](std::ptrdiff_t c) { store(out + c, load(out + c) + sum(c)); });
            return;
        }
        const bool to_before = K >= K_.begin, to_behind = K + 1 < K_.end;
        float *out = coarse_.r.row(J, K), *next = coarse_.r.row(J, K + 1);
        const float *share = fine_.transfer[2].low(J, K), *rest = fine_.transfer[2].high(J, K);
        if (to_before && to_behind)
            each_eight(0, n, [=](std::ptrdiff_t c) {
                const Eight t = sum(c);
                store(out + c, load(out + c) + load(share + c) * t);
                store(next + c, load(rest + c) * t);
            });
        else if (to_before)
            each_eight(0, n, [=](std::ptrdiff_t c) { store(out + c, load(out + c) + load(share + c) * sum(c)); });
        else if (to_behind)
            each_eight(0, n, [=](std::ptrdiff_t c) { store(next + c, load(rest + c) * sum(c)); });
    }

    /// The same where only some entries are part of the system. False: all of them are.
    template <class Sum>
    bool add_active(int J, int k, const Sum& sum) {
        const int K = k / 2;
        const auto each = [&](EntryRange range, const auto& body) {
            for (int half = 0; half < 2; ++half) each_eight(to_.start(half) + range.begin, to_.start(half) + range.end, body);
        };
        const EntryRange here = coarse_.net.active_range(J, K);
        float* out = coarse_.r.row(J, K);
        if (k % 2 == 0) {
            if (K == 0) each(here, [=](std::ptrdiff_t c) { store(out + c, sum(c)); });
            else each(here, [=](std::ptrdiff_t c) { store(out + c, load(out + c) + sum(c)); });
            return true;
        }
        if (K >= K_.begin) {
            const float* share = fine_.transfer[2].low(J, K);
            each(here, [=](std::ptrdiff_t c) { store(out + c, load(out + c) + load(share + c) * sum(c)); });
        }
        if (K + 1 < K_.end) {
            const float* rest = fine_.transfer[2].high(J, K);
            float* next = coarse_.r.row(J, K + 1);
            each(coarse_.net.active_range(J, K + 1), [=](std::ptrdiff_t c) { store(next + c, load(rest + c) * sum(c)); });
        }
        return true;
    }

    float* line(int j) { return s_.line(4 + (j & 3)); }

    const Level& fine_;
    Level& coarse_;
    const SplitRow to_;
    Scratch& s_;
    const Range J_, K_;
    int next_ = 0;  ///< coarse row that still lacks fine rows
};

/// Interpolates the coarse solution to fine rows: along z once a plane, along y and x once a row.
class Prolongation {
public:
    Prolongation(const Level& fine, const Level& coarse, Scratch& scratch, Range rows)
        : fine_(fine), coarse_(coarse), from_(coarse.net.shape), s_(scratch), begin_(std::max(rows.begin, 0)), end_(std::min(rows.end, fine.ny())) {}

    void enter(int k) {
        k_ = k;
        if (k < 0 || k >= fine_.nz()) return;
        if (k % 2 == 1) {
            const int K = k / 2, n = from_.length;
            for (int J = begin_ / 2; J <= std::min(end_ / 2 + 1, coarse_.ny() - 1); ++J) {
                const float *a = coarse_.z.row(J, K), *b = coarse_.z.row(J, K + 1);
                const float *low = fine_.transfer[2].low(J, K), *high = fine_.transfer[2].high(J, K);
                float* out = s_.coarse_row(J - begin_ / 2);
                if (!fine_.transfer[2].low.is_used(J, K) && !fine_.transfer[2].high.is_used(J, K)) {
                    std::fill_n(out, n, 0.f);
                    continue;
                }
                each_eight(0, n, [=](std::ptrdiff_t c) { store(out + c, load(low + c) * load(a + c) + load(high + c) * load(b + c)); });
            }
        }
        join_row(begin_);
    }

    /// Must come for every row, in order: prepares the one after it. The shifted loads of half_row would stall on fresh stores.
    void pass_row(int j) {
        if (j + 1 < end_) join_row(j + 1);
    }
    /// out(c, correction) for entries [begin, end) of a half of row (j, k), after pass_row(j).
    template <class Out>
    [[gnu::always_inline]] void half_row(int j, int k, int half, int begin, int end, const Out& out) {
        const float *q = s_.line(10 + (j & 1)), *next = q + 1;
        if (half == 0) {
            each_eight(begin, end, [=](std::ptrdiff_t c) { out(c, load(q + c)); });
        } else {
            const float *low = fine_.transfer[0].low(j, k), *high = fine_.transfer[0].high(j, k);
            each_eight(begin, end, [=](std::ptrdiff_t c) { out(c, load(low + c) * load(q + c) + load(high + c) * load(next + c)); });
        }
    }

private:
    /// Values at the coarse points of row j, in natural order.
    void join_row(int j) {
        if (fine_.net.active_range(j, k_).empty()) return;
        const int J = j / 2;
        const float* line = coarse_row(J);
        if (j % 2 == 1) {
            const float *a = line, *b = coarse_row(std::min(J + 1, coarse_.ny() - 1));
            const float *low = fine_.transfer[1].low(J, k_), *high = fine_.transfer[1].high(J, k_);
            float* mixed = s_.line(0);
            each_eight(0, from_.length, [=](std::ptrdiff_t c) { store(mixed + c, load(low + c) * load(a + c) + load(high + c) * load(b + c)); });
            line = mixed;
        }
        from_.join(line, s_.line(10 + (j & 1)));
    }
    const float* coarse_row(int J) { return k_ % 2 == 0 ? coarse_.z.row(J, k_ / 2) : s_.coarse_row(J - begin_ / 2); }

    const Level& fine_;
    const Level& coarse_;
    const SplitRow from_;
    Scratch& s_;
    const int begin_, end_;
    int k_ = 0;
};

/// Symmetric Gauss-Seidel sweeps on the few points of the last level.
void solve_coarsest(Level& level) {
    const Conductances& net = level.net;
    const SplitRow& shape = net.shape;
    constexpr int sweeps = 8;
    level.z.fill(0);
    const auto neighbours = [&](int i, int j, int k) {
        const int c = shape.at(i);
        const auto z = [&](int dj, int dk) { return level.z.row(j + dj, k + dk)[c]; };
        const float *row = level.z.row(j, k), *x = net.face[0](j, k);
        const float west = i > 0 ? x[c] * row[shape.at(i - 1)] : 0.f, east = i + 1 < net.n.x ? x[shape.at(i + 1)] * row[shape.at(i + 1)] : 0.f;
        return west + east + net.face[1](j, k)[c] * z(-1, 0) + net.face[1](j + 1, k)[c] * z(1, 0) + net.face[2](j, k)[c] * z(0, -1) +
               net.face[2](j, k + 1)[c] * z(0, 1);
    };
    const auto relax = [&](int i, int j, int k) {
        const int c = shape.at(i);
        level.z.row(j, k)[c] = level.inverse(j, k)[c] * (level.r.row(j, k)[c] + neighbours(i, j, k));
    };
    for (int s = 0; s < sweeps; ++s) {
        for (int k = 0; k < net.n.z; ++k)
            for (int j = 0; j < net.n.y; ++j)
                for (int i = 0; i < net.n.x; ++i) relax(i, j, k);
        for (int k = net.n.z - 1; k >= 0; --k)
            for (int j = net.n.y - 1; j >= 0; --j)
                for (int i = net.n.x - 1; i >= 0; --i) relax(i, j, k);
    }
}

/// Stores a result of the way down. On the finest level there is no room for it in the caches until it is read again.
template <bool finest>
[[gnu::always_inline]] inline void keep(float* p, const Eight& v) {
    if constexpr (finest) stream(p, v);
    else store(p, v);
}

/// The residual of the red half of a row, and its square. Black cells have none: they were relaxed last.
template <bool from_zero>
struct RedResidual {
    const float *r, *diagonal, *red;
    float* e;
    Eight squares{};

    [[gnu::always_inline]] void operator()(std::ptrdiff_t c, Eight sum) {
        const Eight d = load(diagonal + c);
        if constexpr (from_zero) {  // r - d x is zero up to rounding
            store(e + c, d != 0 ? sum : Eight{});
        } else {
            const Eight value = d != 0 ? (load(r + c) - d * load(red + c)) + sum : Eight{};
            store(e + c, value);
            squares += value * value;
        }
    }
};

double sum_of(const Eight& v) {
    LongSum sum;
    sum.add(v);
    return sum.total();
}

/// Values are changed by more than their equation alone asks for: that makes up for a coarse operator of seven points only [yavneh1996].
/// Convergence is best between 1.7 and 1.8, with and without solids; it would be stable up to 2.
[[gnu::always_inline]] inline Eight over_relaxed(const Eight& before, const Eight& value) { return before + 1.8f * (value - before); }

/// The stages of the sweeps, on rows (j, k) of a tile.
template <bool plain, int planes>
class Stages {
public:
    Stages(Level& level, Scratch& scratch, int first_row) : level_(level), shape_(level.net.shape), front_(level, scratch, first_row) {}

    void enter(int k) { front_.enter(k); }

    /// Red values that neighbours of value zero ask for.
    void start_from_zero(Range rows, int k) {
        clear_outside(rows, k);
        front_.each_half(front_.inside(rows, k), k, red, [&](const Half& half) {
            fetch(level_.r, half.j, k + 1);
            each_eight(half.begin, half.end, [half](std::ptrdiff_t c) { store(half.values + c, load(half.inverse + c) * load(half.r + c)); });
        });
    }
    /// Black values: those of the way down, plus the correction from the next level.
    void start_black(Range rows, int k, Prolongation& correction) {
        clear_outside(rows, k);
        front_.each_half(front_.inside(rows, k), k, black, [&](const Half& half) {
            fetch(level_.r, half.j, k), fetch_half(level_.y, half, k + 1);
            const int j = half.j, o = half.start;
            float* x = half.values;
            const float* y = level_.y.row(j, k) + o;
            correction.pass_row(j);
            correction.half_row(j, k, o == 0 ? 0 : 1, half.begin, half.end, [=](std::ptrdiff_t c, Eight change) { store(x + c, load(y + c) + change); });
            shape_.clear_padding(x, o == 0 ? 0 : 1);
        }, [&](int j) { correction.pass_row(j); });
    }
    /// Red values in the same way: the way down from zero left 1/d r.
    void start_red(Range rows, int k, Prolongation& correction) {
        clear_outside(rows, k);
        front_.each_half(front_.inside(rows, k), k, red, [&](const Half& half) {
            fetch(level_.r, half.j, k + 1);
            const int odd = half.start == 0 ? 0 : 1;
            correction.pass_row(half.j);
            correction.half_row(half.j, k, odd, half.begin, half.end, [half](std::ptrdiff_t c, Eight change) {
                store(half.values + c, load(half.inverse + c) * load(half.r + c) + change);
            });
            shape_.clear_padding(half.values, odd);
        }, [&](int j) { correction.pass_row(j); });
    }
    /// Black values as the way down left them.
    void start_again(Range rows, int k) {
        clear_outside(rows, k);
        front_.each_half(front_.inside(rows, k), k, black, [&](const Half& half) {
            fetch(level_.r, half.j, k), fetch_half(level_.y, half, k + 1);
            std::copy_n(level_.y.row(half.j, k) + half.start + half.begin, half.end - half.begin, half.values + half.begin);
        });
    }
    void relax(Range rows, int k, int colour) {
        front_.stencil(
            rows, k, colour,
            [](const Half& half) {
                return [half](std::ptrdiff_t c, Eight sum) { store(half.values + c, load(half.inverse + c) * (load(half.r + c) + sum)); };
            },
            nothing);
    }
    void over_relax_black(Range rows, int k) {
        front_.stencil(
            rows, k, black,
            [](const Half& half) {
                return [half](std::ptrdiff_t c, Eight sum) {
                    float* x = half.values + c;
                    store(x, over_relaxed(load(x), load(half.inverse + c) * (load(half.r + c) + sum)));
                };
            },
            nothing);
    }
    /// Relaxes black values and keeps them in the rows to(j, k).
    template <class To>
    void relax_black(Range rows, int k, const To& to) {
        front_.stencil(
            rows, k, black,
            [&](const Half& half) {
                float* kept = to(half.j, k) + half.start;
                return [half, kept](std::ptrdiff_t c, Eight sum) {
                    const Eight value = load(half.inverse + c) * (load(half.r + c) + sum);
                    store(half.values + c, value), keep<plain>(kept + c, value);
                };
            },
            nothing);
    }
    /// The last half-sweep of a way up, red or black; keeps all in z.
    template <int last, bool over>
    void finish(Range rows, int k) {
        front_.stencil(
            rows, k, last,
            [&](const Half& half) {
                const int to_other = half.start == 0 ? shape_.odd : -half.start;
                const float* x_other = half.values + to_other;
                float *kept = level_.z.row(half.j, k) + half.start, *kept_other = kept + to_other;
                return [=](std::ptrdiff_t c, Eight sum) {
                    const Eight value = load(half.inverse + c) * (load(half.r + c) + sum);
                    store(kept + c, over ? over_relaxed(load(half.values + c), value) : value);
                    store(kept_other + c, load(x_other + c));
                };
            },
            nothing);
    }
    /// The residual of red cells to e(j). done(j, squares) follows each row.
    template <bool from_zero, class E, class Done>
    void residual(Range rows, int k, const E& e, const Done& done) {
        front_.stencil(
            rows, k, red,
            [&](const Half& half) {
                return RedResidual<from_zero>{half.r, level_.diagonal(half.j, k) + half.start, half.values, e(half.j)};
            },
            [&](const Half& half, const RedResidual<from_zero>& found) {
                if (half.end - half.begin < shape_.padded) {
                    std::fill_n(e(half.j), half.begin, 0.f);
                    std::fill(e(half.j) + half.end, e(half.j) + shape_.padded, 0.f);
                }
                done(half.j, found.squares);
            },
            [&](int j) { done(j, Eight{}); });
    }

private:
    using Half = typename Front<plain, planes>::Half;
    static constexpr auto nothing = [](const Half&, const auto&) {};

    void clear_outside(Range rows, int k) {
        const Range inside = front_.inside(rows, k);
        for (int j = rows.begin; j < rows.end; ++j)
            if (!inside.contains(j)) front_.clear(j, k);
    }
    void fetch(const field::Grid& grid, int j, int k) const {
        if (!level_.serial) prefetch(grid.row(j, k), shape_.odd + shape_.padded);
    }
    /// The half of the same colour in the next plane is the other one.
    void fetch_half(const field::Grid& grid, const Half& half, int k) const {
        if (!level_.serial) prefetch(grid.row(half.j, k) + (half.start == 0 ? shape_.odd : 0), shape_.padded);
    }

    Level& level_;
    const SplitRow shape_;
    Front<plain, planes> front_;
};

template <bool plain>
void go_down(Level& fine, Level& coarse) {
    for_tiles(fine, coarse.ny(), coarse.nz(), [&](Scratch& scratch, Range J, Range K) {
        Restriction restriction(fine, coarse, scratch, J, K);
        Stages<plain, 4> stages(fine, scratch, restriction.rows().begin - 2);
        const auto residual = [&](int j) { return restriction.residual(j); };
        const auto kept = [&](int j, int k) { return restriction.is_ours(j, k) ? fine.y.row(j, k) : scratch.unused_line(); };
        run_stages(
            restriction.rows(), restriction.planes(), [&](int k) { stages.enter(k); },
            [&](Range rows, int k) { stages.start_from_zero(rows, k); },
            [&](Range rows, int k) { stages.relax_black(rows, k, kept); },
            [&](Range rows, int k) {
                stages.template residual<true>(rows, k, residual, [&](int j, const Eight&) { restriction.add_row(j, k); });
            });
        end_streams();
    });
}

/// The end of a way up and the way down of the next cycle, from y to z. Returns the square of the residual after it.
template <bool plain>
double go_over(Level& fine, Level& coarse) {
    std::vector<double> squares(std::size_t(fine.ny()) * std::size_t(fine.nz()));  // by row
    for_tiles(fine, coarse.ny(), coarse.nz(), [&](Scratch& scratch, Range J, Range K) {
        Restriction restriction(fine, coarse, scratch, J, K);
        const auto [begin, end] = restriction.rows();
        Prolongation correction(fine, coarse, scratch, {begin - 5, end + 5});
        Stages<plain, 8> stages(fine, scratch, begin - 5);
        const auto residual = [&](int j) { return restriction.residual(j); };
        const auto kept = [&](int j, int k) { return restriction.is_ours(j, k) ? fine.z.row(j, k) : scratch.unused_line(); };
        run_stages(
            restriction.rows(), restriction.planes(), [&](int k) { stages.enter(k), correction.enter(k); },
            [&](Range rows, int k) { stages.start_black(rows, k, correction); },
            [&](Range rows, int k) { stages.relax(rows, k, red); },
            [&](Range rows, int k) { stages.over_relax_black(rows, k); },
            [&](Range rows, int k) { stages.relax(rows, k, red); },
            [&](Range rows, int k) { stages.relax_black(rows, k, kept); },
            [&](Range rows, int k) {
                stages.template residual<false>(rows, k, residual, [&](int j, const Eight& row) {
                    if (restriction.is_ours(j, k)) squares[std::size_t(k) * std::size_t(fine.ny()) + std::size_t(j)] = sum_of(row);
                    restriction.add_row(j, k);
                });
            });
        end_streams();
    });
    return std::accumulate(squares.begin(), squares.end(), 0.0);
}

template <bool plain>
void go_up(Level& fine, const Level& coarse, Order order) {
    for_tiles(fine, fine.ny(), fine.nz(), [&](Scratch& scratch, Range rows, Range planes) {
        Prolongation correction(fine, coarse, scratch, {rows.begin - 2, rows.end + 2});
        Stages<plain, 4> stages(fine, scratch, rows.begin - 2);
        const auto enter = [&](int k) { stages.enter(k), correction.enter(k); };
        if (order == Order::same)
            run_stages(
                rows, planes, enter, [&](Range part, int k) { stages.start_black(part, k, correction); },
                [&](Range part, int k) { stages.relax(part, k, red); },
                [&](Range part, int k) { stages.template finish<black, true>(part, k); });
        else
            run_stages(
                rows, planes, enter, [&](Range part, int k) { stages.start_red(part, k, correction); },
                [&](Range part, int k) { stages.relax(part, k, black); },
                [&](Range part, int k) { stages.template finish<red, false>(part, k); });
    });
}

template <bool plain>
void go_last(Level& level) {
    for_tiles(level, level.ny(), level.nz(), [&](Scratch& scratch, Range rows, Range planes) {
        Stages<plain, 4> stages(level, scratch, rows.begin - 1);
        run_stages(
            rows, planes, [&](int k) { stages.enter(k); },
            [&](Range part, int k) { stages.start_again(part, k); },
            [&](Range part, int k) { stages.template finish<red, false>(part, k); });
    });
}

}  // namespace

void smooth_down(Level& fine, Level& coarse) { fine.finest ? go_down<true>(fine, coarse) : go_down<false>(fine, coarse); }

double smooth_over(Level& fine, Level& coarse) {
    const double square = fine.finest ? go_over<true>(fine, coarse) : go_over<false>(fine, coarse);
    std::swap(fine.y, fine.z);
    return square;
}

void smooth_up(Level& fine, const Level& coarse, Order order) { fine.finest ? go_up<true>(fine, coarse, order) : go_up<false>(fine, coarse, order); }

void smooth_last(Level& level) { level.finest ? go_last<true>(level) : go_last<false>(level); }

void cycle(std::vector<Level>& levels, std::size_t first, Order order) {
    if (first + 1 == levels.size()) return solve_coarsest(levels[first]);
    smooth_down(levels[first], levels[first + 1]);
    cycle(levels, first + 1, order);
    smooth_up(levels[first], levels[first + 1], order);
}

void solve_next(std::vector<Level>& levels) {
    if (levels.size() < 3) return cycle(levels, 1, Order::same);
    smooth_down(levels[1], levels[2]);
    cycle(levels, 2, Order::same);
    smooth_over(levels[1], levels[2]);
    cycle(levels, 2, Order::same);
    smooth_up(levels[1], levels[2], Order::same);
}

}  // namespace phlo::numerics
