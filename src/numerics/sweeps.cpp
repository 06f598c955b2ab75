#include "numerics/sweeps.h"

#include <algorithm>
#include <cstring>

#include "base/parallel.h"
#include "numerics/stencil.h"

namespace phlo::numerics {
namespace {

int colour_half(int j, int k, int colour) { return (j + k + colour) & 1; }  // 0 red, 1 black

void prefetch(const float* row, int floats) {
    for (int c = 0; c < floats; c += 16) __builtin_prefetch(row + c, 0, 2);
}

/// The rows of one tile while a sweep passes through it. Holds smoothed values of the planes around the front. Rows are short, so what
/// they have in common is looked up once a plane. `plain`: the finest level, whose weights are one away from solids.
template <bool plain>
class Front {
public:
    Front(const Level& level, Scratch& scratch, int first_row)
        : level_(level), shape_(level.net.shape), ring_(scratch.values), base_(first_row), stride_(ring_.stride()), r_stride_(level.r.layout().stride_y()) {}

    /// Must come before any use of plane k; forgets plane k - 4.
    void enter(int k) {
        Plane& p = plane(k);
        p.values = ring_.row(0, k) - base_ * stride_;
        p.inside = k >= 0 && k < level_.nz();
        p.colour = k & 1;
        if (!p.inside) return;
        p.r = level_.r.row(0, k);
        p.inverse = level_.inverse.row.data() + level_.inverse.index(0, k);
        p.segment = level_.segment.data() + std::ptrdiff_t(k) * level_.ny();
    }

    float* row(int j, int k) { return plane(k).values + j * stride_; }

    /// Red values before the black half-sweep: 1/d r, plus what `correction(j, k, half, out)` gives (nullptr: nothing).
    template <class Correction>
    void red(int k, int ya, int yb, const Correction& correction) {
        const Plane& p = plane(k);
        const int n = shape_.padded;
        for (int j = ya; j < yb; ++j) {
            float* values = p.values + j * stride_;
            if (!p.inside || j < 0 || j >= level_.ny()) {
                std::memset(values, 0, std::size_t(shape_.length) * sizeof(float));
                continue;
            }
            const int half = (j + p.colour) & 1, o = shape_.start(half);
            float* out = values + o;
            const float* rhs = p.r + j * r_stride_;
            const float *r = rhs + o, *inverse = p.inverse[j] + o;
            if (!level_.serial) prefetch(rhs + level_.r.layout().stride_z(), shape_.odd + n);
            if constexpr (std::is_same_v<Correction, std::nullptr_t>) {
                each_eight(0, n, [=](std::ptrdiff_t c) { store(out + c, load(inverse + c) * load(r + c)); });
            } else {
                correction(j, k, half, [=](std::ptrdiff_t c, Eight value) { store(out + c, value + load(inverse + c) * load(r + c)); });
                shape_.clear_padding(out, half);
            }
        }
    }

    /// out(c, weighted sum of the neighbours) for the half of a colour in row (j, k); returns `out`.
    template <class Out>
    [[gnu::always_inline]] Out stencil(int j, int k, int colour, Out out) {
        const Plane& p = plane(k);
        const int half = (j + p.colour + colour) & 1;
        const std::ptrdiff_t at = j * stride_;
        const float* here = p.values + at;
        const Neighbours x = neighbours(shape_, half, here, here - stride_, here + stride_, plane(k - 1).values + at, plane(k + 1).values + at);
        const Segment own = p.segment[j];
        if (own.begin == own.end) [[likely]]
            return base(0, shape_.padded, half, x, out);
        return mixed(j, k, half, own, x, out);
    }

    void black(int k, int ya, int yb) {
        const Plane& p = plane(k);
        if (!p.inside) return;
        for (int j = std::max(ya, 0); j < std::min(yb, level_.ny()); ++j) {
            const int o = shape_.start((j + p.colour + 1) & 1);
            float* out = p.values + j * stride_ + o;
            const float *r = p.r + j * r_stride_ + o, *inverse = p.inverse[j] + o;
            stencil(j, k, 1, [=](std::ptrdiff_t c, Eight sum) { store(out + c, load(inverse + c) * (load(r + c) + sum)); });
        }
    }

private:
    struct Plane {
        float* values = nullptr;  ///< row 0
        const float* r = nullptr;
        const float* const* inverse = nullptr;  ///< by row
        const Segment* segment = nullptr;
        int colour = 0;  ///< half of row 0 that is red
        bool inside = false;
    };
    Plane& plane(int k) { return planes_[std::size_t(k & (PlaneRing::planes - 1))]; }

    template <class Out>
    [[gnu::always_inline]] Out base(int begin, int end, int half, const Neighbours& x, Out out) {
        if constexpr (plain)
            return sum_plain(begin, end, x, out);
        else
            return sum_even(begin, end, west_faces(shape_, half, level_.base_x), east_faces(shape_, half, level_.base_x),
                            level_.base_across + shape_.start(half), x, out);
    }
    template <class Out>
    [[gnu::noinline]] Out mixed(int j, int k, int half, Segment own, const Neighbours& x, Out out) {
        return base(own.end, shape_.padded, half, x, sum_weighted(own.begin, own.end, face_weights(level_.net, half, j, k), x, base(0, own.begin, half, x, out)));
    }

    const Level& level_;
    const SplitRow shape_;
    PlaneRing& ring_;
    const int base_;
    const std::ptrdiff_t stride_, r_stride_;
    std::array<Plane, PlaneRing::planes> planes_;
};

struct Range {
    int begin, end;
};

/// `count` rows or planes in parts of about `size`; the last takes what is left over, so that none is tiny.
int part_count(int count, int size) { return std::max((count + size / 2) / size, 1); }
Range part(int index, int count, int size) { return {index * size, index + 1 == part_count(count, size) ? count : (index + 1) * size}; }

/// Calls item(scratch, rows, planes, index) for all work items of a sweep; their extent does not depend on the number of threads.
template <class Item>
void for_tiles(Level& level, int rows, int planes, int tile_rows, int slab_planes, const Item& item) {
    const int tiles = part_count(rows, tile_rows), slabs = part_count(planes, slab_planes);
    const auto run = [&](int t) { item(level.scratch->local(), part(t % tiles, rows, tile_rows), part(t / tiles, planes, slab_planes), t); };
    if (level.serial)
        for (int t = 0; t < tiles * slabs; ++t) run(t);
    else
        parallel_for(tiles * slabs, run);
}

/// The residual of one plane, restricted along x, then y, and added to the coarse right-hand side along z.
class Restriction {
public:
    Restriction(const Level& fine, Level& coarse, Scratch& scratch) : fine_(fine), coarse_(coarse), to_(coarse.net.shape), s_(scratch) {}

    /// Where the residual of the red half of row j is expected.
    float* residual(int j) { return s_.line(8 + (j & 1)); }

    /// Restricts the residual of row (j, k) along x. Best called one row late: the shifted loads below would stall on fresh stores.
    void take_row(int j, int k) {
        const SplitRow& from = fine_.net.shape;
        const int half = colour_half(j, k, 0);
        float* e = residual(j);
        from.clear_padding(e, half);
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

    /// Adds plane k of coarse row J: the fine rows 2 J - 1 ... 2 J + 1 have been taken. Planes [K0, K1) are ours.
    void add(int J, int k, int K0, int K1) {
        const int ny = fine_.ny(), n = to_.odd + to_.padded;
        const Transfer& ty = fine_.transfer[1];
        const float* middle = 2 * J < ny ? line(2 * J) : s_.line(3);  // line 3 stays zero
        const float* before = 2 * J - 1 >= 0 ? line(2 * J - 1) : s_.line(3);
        const float* behind = 2 * J + 1 < ny ? line(2 * J + 1) : s_.line(3);
        const float* high = 2 * J - 1 >= 0 ? ty.high(J - 1, k) : s_.line(3);
        const float* low = 2 * J + 1 < ny ? ty.low(J, k) : s_.line(3);
        const auto sum = [=](std::ptrdiff_t c) { return load(high + c) * load(before + c) + load(middle + c) + load(low + c) * load(behind + c); };
        const int K = k / 2;
        if (k % 2 == 0) {
            float* out = coarse_.r.row(J, K);
            if (K == 0)
                each_eight(0, n, [=](std::ptrdiff_t c) { store(out + c, sum(c)); });
            else
                each_eight(0, n, [=](std::ptrdiff_t c) { store(out + c, load(out + c) + sum(c)); });
            return;
        }
        const bool to_before = K >= K0, to_behind = K + 1 < K1;
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

private:
    float* line(int j) { return s_.line(4 + (j & 3)); }

    const Level& fine_;
    Level& coarse_;
    const SplitRow to_;
    Scratch& s_;
};

/// Interpolates the coarse solution to fine rows: along z once a plane, along y and x once a row.
class Prolongation {
public:
    Prolongation(const Level& fine, const Level& coarse, Scratch& scratch, int first_row)
        : fine_(fine), coarse_(coarse), from_(coarse.net.shape), s_(scratch), base_(std::max(first_row, 0) / 2) {}

    /// Begins plane k of rows [ya, yb).
    void start_plane(int k, int ya, int yb) {
        k_ = k, end_ = std::min(yb, fine_.ny());
        if (k < 0 || k >= fine_.nz()) return;
        if (k % 2 == 1) {
            const int K = k / 2, n = from_.length;
            for (int J = base_; J <= std::min(yb / 2 + 1, coarse_.ny() - 1); ++J) {
                const float *a = coarse_.z.row(J, K), *b = coarse_.z.row(J, K + 1);
                const float *low = fine_.transfer[2].low(J, K), *high = fine_.transfer[2].high(J, K);
                float* out = s_.coarse_row(J - base_);
                each_eight(0, n, [=](std::ptrdiff_t c) { store(out + c, load(low + c) * load(a + c) + load(high + c) * load(b + c)); });
            }
        }
        join_row(std::max(ya, 0));
    }

    /// out(c, value) for the entries of a half of row (j, k). Rows are asked for in order.
    template <class Out>
    void row(int j, int k, int half, const Out& out) {
        if (j + 1 < end_) join_row(j + 1);  // one row ahead: the shifted loads below would stall on fresh stores
        const float *q = s_.line(10 + (j & 1)), *next = q + 1;
        const int n = fine_.net.shape.padded;
        if (half == 0) {
            each_eight(0, n, [=](std::ptrdiff_t c) { out(c, load(q + c)); });
        } else {
            const float *low = fine_.transfer[0].low(j, k), *high = fine_.transfer[0].high(j, k);
            each_eight(0, n, [=](std::ptrdiff_t c) { out(c, load(low + c) * load(q + c) + load(high + c) * load(next + c)); });
        }
    }

private:
    /// Values at the coarse points of row j, in natural order.
    void join_row(int j) {
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
    const float* coarse_row(int J) { return k_ % 2 == 0 ? coarse_.z.row(J, k_ / 2) : s_.coarse_row(J - base_); }

    const Level& fine_;
    const Level& coarse_;
    const SplitRow from_;
    Scratch& s_;
    int base_, k_ = 0, end_ = 0;
};

/// Symmetric Gauss-Seidel sweeps on the few points of the last level.
Preconditioned solve_coarsest(Level& level) {
    const Network& net = level.net;
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
    Preconditioned sums;
    for (int k = 0; k < net.n.z; ++k)
        for (int j = 0; j < net.n.y; ++j)
            for (int i = 0; i < net.n.x; ++i) {
                const double z = double(level.z.row(j, k)[shape.at(i)]);
                sums.dot += double(level.r.row(j, k)[shape.at(i)]) * z;
                sums.energy += z * (double(net.diagonal(i, j, k)) * z - double(neighbours(i, j, k)));
            }
    return sums;
}

template <bool plain>
void go_down(Level& fine, Level& coarse) {
    const int tile = fine.tile_rows / 2, slab = fine.slab_planes / 2;
    for_tiles(fine, coarse.ny(), coarse.nz(), tile, slab, [&](Scratch& scratch, Range rows, Range planes, int) {
        const int J0 = rows.begin, J1 = rows.end, K0 = planes.begin, K1 = planes.end;
        const int ya = std::max(2 * J0 - 1, 0), yb = std::min(2 * J1, fine.ny());
        const int ka = std::max(2 * K0 - 1, 0), kb = std::min(2 * K1, fine.nz());
        Front<plain> front(fine, scratch, ya - 2);
        Restriction restriction(fine, coarse, scratch);
        const auto red = [&](int k) { front.enter(k), front.red(k, ya - 2, yb + 2, nullptr); };
        const auto black = [&](int k) { front.black(k, ya - 1, yb + 1); };
        red(ka - 2), red(ka - 1), red(ka), black(ka - 1), red(ka + 1), black(ka);
        for (int k = ka; k < kb; ++k) {
            // Row by row through the three planes at work: most rows are then read while they are in L1.
            const auto smooth = [&](int j) { front.red(k + 2, j, j + 1, nullptr), front.black(k + 1, j, j + 1); };
            front.enter(k + 2), front.red(k + 2, ya - 2, ya - 1, nullptr), smooth(ya - 1);
            int next = J0;  // rows up to 2 J + 1 must be there before coarse row J
            const auto take = [&](int j) {
                restriction.take_row(j, k);
                if (j == 2 * next + 1) restriction.add(next++, k, K0, K1);
            };
            for (int j = ya; j < yb; ++j) {
                smooth(j);
                float* e = restriction.residual(j);
                front.stencil(j, k, 0, [=](std::ptrdiff_t c, Eight sum) { store(e + c, sum); });
                if (j > ya) take(j - 1);
            }
            smooth(yb), front.red(k + 2, yb + 1, yb + 2, nullptr);
            take(yb - 1);
            while (next < J1) restriction.add(next++, k, K0, K1);
        }
    });
}

/// The last half-sweep of a row: takes the red values their neighbours ask for, writes both colours, and sums up.
template <bool sum_up>
struct LastHalf {
    const float *r_red, *r_black, *inverse, *before, *black;
    float *z_red, *z_black;
    Eight dots{}, excess{}, squares{};   ///< r . z, (change of red values) . (sum of their neighbours), z . z

    [[gnu::always_inline]] void operator()(std::ptrdiff_t c, Eight sum) {
        const Eight r = load(r_red + c), b = load(black + c), z = load(inverse + c) * (r + sum);
        store(z_red + c, z), store(z_black + c, b);
        if constexpr (sum_up) {
            dots += r * z + load(r_black + c) * b;
            excess += (z - load(before + c)) * sum;
            squares += z * z + b * b;
        }
    }
};

double sum_of(const Eight& v) {
    LongSum sum;
    sum.add(v);
    return sum.total();
}

/// After the last half-sweep A z = r in red cells, and r + sum of w (change of red neighbours) in black ones. Summed over faces, that gives
/// z . A z = r . z - sum over red cells of (their change) (their weighted sum of black neighbours).
/// The float next to 1/6 is not 1/6, so that A z misses r by the same small part of the diagonal term everywhere, and z is smooth: it adds up
/// to more than all other rounding. What is left out that way is known, too.
template <bool plain>
Preconditioned go_up(Level& fine, const Level& coarse) {
    const int tile = fine.tile_rows, slab = fine.slab_planes;
    const SplitRow shape = fine.net.shape;
    constexpr double misfit = 6 * (6 * double(1.f / 6) - 1);
    std::vector<Preconditioned> sums(std::size_t(part_count(fine.ny(), tile) * part_count(fine.nz(), slab)));
    for_tiles(fine, fine.ny(), fine.nz(), tile, slab, [&](Scratch& scratch, Range rows, Range planes, int item) {
        const int y0 = rows.begin, y1 = rows.end, k0 = planes.begin, k1 = planes.end;
        Front<plain> front(fine, scratch, y0 - 2);
        Prolongation prolongation(fine, coarse, scratch, y0 - 2);
        const auto correction = [&](int j, int k, int half, const auto& out) { prolongation.row(j, k, half, out); };
        const auto red = [&](int k) {
            prolongation.start_plane(k, y0 - 2, y1 + 2);
            front.enter(k), front.red(k, y0 - 2, y1 + 2, correction);
        };
        const auto black = [&](int k) { front.black(k, y0 - 1, y1 + 1); };
        red(k0 - 2), red(k0 - 1), red(k0), black(k0 - 1), red(k0 + 1), black(k0);
        for (int k = k0; k < k1; ++k) {
            red(k + 2), black(k + 1);  // plane by plane: row by row, as on the way down, is slower here
            LastHalf<plain> last;
            for (int j = y0; j < y1; ++j) {
                const int red_start = shape.start(colour_half(j, k, 0)), black_start = shape.start(colour_half(j, k, 1));
                const float *r = fine.r.row(j, k), *values = front.row(j, k);
                float* z = fine.z.row(j, k);
                last.r_red = r + red_start, last.r_black = r + black_start, last.inverse = fine.inverse(j, k) + red_start;
                last.before = values + red_start, last.black = values + black_start;
                last.z_red = z + red_start, last.z_black = z + black_start;
                last = front.stencil(j, k, 0, last);
            }
            sums[std::size_t(item)].dot += sum_of(last.dots);
            sums[std::size_t(item)].energy += misfit * sum_of(last.squares) - sum_of(last.excess);
        }
    });
    Preconditioned total;
    for (const Preconditioned& part : sums) total.dot += part.dot, total.energy += part.energy;
    total.energy += total.dot;
    return total;
}

}  // namespace

void restrict_residual(Level& fine, Level& coarse) { fine.finest ? go_down<true>(fine, coarse) : go_down<false>(fine, coarse); }

Preconditioned prolong_and_smooth(Level& fine, const Level& coarse) { return fine.finest ? go_up<true>(fine, coarse) : go_up<false>(fine, coarse); }

Preconditioned v_cycle(std::vector<Level>& levels, std::size_t first) {
    if (first + 1 == levels.size()) return solve_coarsest(levels[first]);
    restrict_residual(levels[first], levels[first + 1]);
    v_cycle(levels, first + 1);
    return prolong_and_smooth(levels[first], levels[first + 1]);
}

}  // namespace phlo::numerics
