#include "numerics/vectors.h"

#include <algorithm>
#include <type_traits>
#include <vector>

#include "base/parallel.h"
#include "numerics/stencil.h"

namespace phlo::numerics {
namespace {

constexpr int slab = 32;  // planes of one work item

int slab_count(const Level& level) { return (level.nz() + slab - 1) / slab; }

void set_ghosts(const SplitRow& shape, float* p, std::array<bool, 2> open) {
    const int n = shape.cells;
    p[shape.odd - 1] = open[0] ? 0.f : p[0];
    p[shape.at(n)] = open[1] ? 0.f : p[shape.at(n - 1)];
}

template <class V>
[[gnu::always_inline]] inline V read(const float* p) {
    if constexpr (std::is_same_v<V, float>) return *p;
    else return load(p);
}

/// A p in half a row, at eight entries from c on or at one, where all weights are one.
struct PlainProduct {
    const Neighbours q;
    const float* p;
    template <class V>
    [[gnu::always_inline]] V at(std::ptrdiff_t c) const {
        const V x = read<V>(p + c);
        return (((x - read<V>(q.w + c)) + (x - read<V>(q.e + c))) + ((x - read<V>(q.s + c)) + (x - read<V>(q.n + c)))) +
               ((x - read<V>(q.d + c)) + (x - read<V>(q.u + c)));
    }
};

/// The same with all six weights.
struct WeightedProduct {
    const FaceWeights f;
    const Neighbours q;
    const float* p;
    template <class V>
    [[gnu::always_inline]] V at(std::ptrdiff_t c) const {
        const V x = read<V>(p + c);
        return ((read<V>(f.w + c) * (x - read<V>(q.w + c)) + read<V>(f.e + c) * (x - read<V>(q.e + c))) +
                (read<V>(f.s + c) * (x - read<V>(q.s + c)) + read<V>(f.n + c) * (x - read<V>(q.n + c)))) +
               (read<V>(f.d + c) * (x - read<V>(q.d + c)) + read<V>(f.u + c) * (x - read<V>(q.u + c)));
    }
};

/// The same with conductances to ground.
struct GroundedProduct {
    const WeightedProduct faces;
    const float *gx, *gy, *gz;
    template <class V>
    [[gnu::always_inline]] V at(std::ptrdiff_t c) const {
        return faces.template at<V>(c) + ((read<V>(gx + c) + read<V>(gy + c)) + read<V>(gz + c)) * read<V>(faces.p + c);
    }
};

/// out = b - alpha A p on entries [begin, end) of half a row, which may be done in place; returns `squares` plus the sums of out^2.
template <class Product>
[[gnu::always_inline]] inline Eight residual(std::ptrdiff_t begin, std::ptrdiff_t end, const Product& ap, const float* b, float* out, float alpha, Eight squares) {
    std::ptrdiff_t c = begin;
    for (; c + 8 <= end; c += 8) {
        const Eight value = load(b + c) - alpha * ap.template at<Eight>(c);
        store(out + c, value);
        squares += value * value;
    }
    for (; c < end; ++c) {
        const float value = b[c] - alpha * ap.template at<float>(c);
        out[c] = value;
        squares[0] += value * value;
    }
    return squares;
}

/// The same on a row of which the entries of `own` have weights of their own.
[[gnu::noinline]] Eight mixed_residual(EntryRange own, int count, const PlainProduct& plain, const FaceWeights& faces, const float* b, float* out, float alpha) {
    const int first = std::min(int(own.begin), count), last = std::min(int(own.end), count);
    const Eight before = residual(0, first, plain, b, out, alpha, Eight{});
    return residual(last, count, plain, b, out, alpha, residual(first, last, WeightedProduct{faces, plain.q, plain.p}, b, out, alpha, before));
}

/// The same on a row of which the entries of `active` are part of the system and may have ground.
Eight grounded_residual(const Level& level, int half, int j, int k, EntryRange active, EntryRange own, const PlainProduct& plain, const float* b, float* out,
                        float alpha) {
    const Conductances& net = level.net;
    const int count = net.shape.count(half), o = net.shape.start(half);
    const int begin = active.begin, end = std::min(int(active.end), count), first = std::min(int(own.begin), end), last = std::min(int(own.end), end);
    if (own.empty()) return residual(begin, end, plain, b, out, alpha, Eight{});
    const GroundedProduct special{{face_weights(net, half, j, k), plain.q, plain.p}, net.ground[0](j, k) + o, net.ground[1](j, k) + o, net.ground[2](j, k) + o};
    const Eight before = residual(begin, first, plain, b, out, alpha, Eight{});
    return residual(last, end, plain, b, out, alpha, residual(first, last, special, b, out, alpha, before));
}

/// out = b - alpha A p on row (j, k); adds the sums of out^2.
void residual_row(const Level& level, const field::Grid& grid, int j, int k, const float* b, float* out, float alpha, LongSum& squares) {
    const SplitRow& shape = level.net.shape;
    const float *p = grid.row(j, k), *s = grid.row(j - 1, k), *n = grid.row(j + 1, k), *d = grid.row(j, k - 1), *u = grid.row(j, k + 1);
    const EntryRange own = level.own_segment(j, k), active = level.net.active_range(j, k);
    Eight line{};
    for (int half = 0; half < 2; ++half) {
        const int o = shape.start(half), count = shape.count(half);
        const PlainProduct plain{neighbours(shape, half, p, s, n, d, u), p + o};
        if (level.net.grounded())
            line += grounded_residual(level, half, j, k, active, own, plain, b + o, out + o, alpha);
        else if (own.begin == own.end) [[likely]]
            line = residual(0, count, plain, b + o, out + o, alpha, line);
        else
            line += mixed_residual(own, count, plain, face_weights(level.net, half, j, k), b + o, out + o, alpha);
    }
    squares.add(line);
}

/// x += alpha y on a row.
void add_row(const SplitRow& shape, EntryRange active, float alpha, const float* y_row, float* x_row) {
    for (int half = 0; half < 2; ++half) {
        const float* y = y_row + shape.start(half);
        float* x = x_row + shape.start(half);
        each_eight(active.begin, active.end, [=](std::ptrdiff_t c) { store(x + c, load(x + c) + alpha * load(y + c)); });
    }
}

/// Calls row(j, k) for the rows of planes [first, last) that hold cells of the system.
template <class Row>
void each_row(const Level& level, int first, int last, const Row& row) {
    for (int k = first; k < std::min(last, level.nz()); ++k)
        for (int j = 0; j < level.ny(); ++j)
            if (!level.net.active_range(j, k).empty()) row(j, k);
}

/// The sum over all rows: row(j, k, sum) adds its part.
template <class Row>
double sum_rows(const Level& level, const Row& row) {
    return parallel_sum(slab_count(level), [&](int item) {
        LongSum sum;
        each_row(level, item * slab, (item + 1) * slab, [&](int j, int k) { row(j, k, sum); });
        return sum.total();
    });
}

Eight dot_row(const SplitRow& shape, EntryRange active, const float* a, const float* b) {
    Eight line{};
    for (int half = 0; half < 2; ++half) {
        const float *u = a + shape.start(half), *v = b + shape.start(half);
        for (std::ptrdiff_t c = active.begin; c < active.end; c += 8) line += load(u + c) * load(v + c);
    }
    return line;
}

}  // namespace

double prepare(Level& level) {
    const SplitRow shape = level.net.shape;
    return parallel_sum(slab_count(level), [&](int item) {
        std::vector<float> natural(std::size_t(2 * shape.padded), 0.f);
        double sum = 0;
        each_row(level, item * slab, (item + 1) * slab, [&](int j, int k) {
                float* r = level.r.row(j, k);
                std::copy_n(r, shape.cells, natural.data());
                std::fill_n(r, std::min(std::ptrdiff_t(shape.length), level.r.layout().stride_y()) - 1, 0.f);
                r[-1] = 0;
                shape.split(natural.data(), r);
                const float* inverse = level.inverse(j, k);
                float line = 0;
                for (int half = 0; half < 2; ++half) {
                    const int first = shape.start(half), last = first + shape.padded;
#pragma omp simd reduction(+ : line)
                    for (int c = first; c < last; ++c) {
                        r[c] = inverse[c] > 0 ? r[c] : 0.f;
                        line += r[c] * r[c];
                    }
                }
                sum += double(line);
            });
        return sum;
    });
}

double residual_square(const Level& level, field::Grid& x, std::array<bool, 2> open_x, const field::Grid& b, field::Grid* r) {
    const SplitRow shape = level.net.shape;
    parallel_for(level.nz(), [&](int plane) {
        each_row(level, plane, plane + 1, [&](int j, int k) { set_ghosts(shape, x.row(j, k), open_x); });
    });
    return parallel_sum(slab_count(level), [&](int item) {
        std::vector<float> unused(std::size_t(r != nullptr ? 0 : shape.length));
        LongSum squares;
        each_row(level, item * slab, (item + 1) * slab,
                 [&](int j, int k) { residual_row(level, x, j, k, b.row(j, k), r != nullptr ? r->row(j, k) : unused.data(), 1, squares); });
        return squares.total();
    });
}

void copy(const Level& level, const field::Grid& from, field::Grid& to) {
    if (to.empty()) to = field::Grid(from.layout());
    parallel_for(level.nz(), [&](int plane) {
        each_row(level, plane, plane + 1, [&](int j, int k) { std::copy_n(from.row(j, k), level.net.shape.odd + level.net.shape.padded, to.row(j, k)); });
    });
}

void add_to(field::Grid& x, const Level& level, const field::Grid& y) {
    parallel_for(level.nz(), [&](int plane) {
        each_row(level, plane, plane + 1, [&](int j, int k) { add_row(level.net.shape, level.net.active_range(j, k), 1, y.row(j, k), x.row(j, k)); });
    });
}

double dot(const Level& level, const field::Grid& a, const field::Grid& b) {
    return sum_rows(level, [&](int j, int k, LongSum& sum) { sum.add(dot_row(level.net.shape, level.net.active_range(j, k), a.row(j, k), b.row(j, k))); });
}

double energy(const Level& level, const field::Grid& p) {
    const SplitRow shape = level.net.shape;
    return parallel_sum(slab_count(level), [&](int item) {
        std::vector<float> zeros(std::size_t(shape.length), 0.f), product(std::size_t(shape.length), 0.f);
        LongSum sum, squares;
        each_row(level, item * slab, (item + 1) * slab, [&](int j, int k) {
            residual_row(level, p, j, k, zeros.data(), product.data(), -1, squares);
            sum.add(dot_row(shape, level.net.active_range(j, k), p.row(j, k), product.data()));  // the product is zero in the padding
        });
        return sum.total();
    });
}

void turn(const Level& level, Unknowns& u, float beta) {
    const SplitRow shape = level.net.shape;
    parallel_for(level.nz(), [&](int plane) {
        each_row(level, plane, plane + 1, [&](int j, int k) {
            const EntryRange active = level.net.active_range(j, k);
            for (int half = 0; half < 2; ++half) {
                float* p = u.p.row(j, k) + shape.start(half);
                const float* z = level.z.row(j, k) + shape.start(half);
                each_eight(active.begin, active.end, [=](std::ptrdiff_t c) { store(p + c, load(z + c) + beta * load(p + c)); });
            }
            set_ghosts(shape, u.p.row(j, k), u.open_x);
        });
    });
}

double advance(Level& level, Unknowns& u, float alpha) {
    const SplitRow shape = level.net.shape;
    return sum_rows(level, [&](int j, int k, LongSum& squares) {
        add_row(shape, level.net.active_range(j, k), alpha, u.p.row(j, k), u.x.row(j, k));
        float* r = level.r.row(j, k);
        residual_row(level, u.p, j, k, r, r, alpha, squares);
    });
}

void join_rows(const Level& level, field::Grid& grid) {
    const SplitRow shape = level.net.shape;
    parallel_for(slab_count(level), [&](int item) {
        std::vector<float> natural(std::size_t(2 * shape.padded), 0.f);
        for (int k = item * slab; k < std::min((item + 1) * slab, level.nz()); ++k)
            for (int j = 0; j < level.ny(); ++j) {
                float* x = grid.row(j, k);
                if (const EntryRange active = level.net.active_range(j, k); active.end - active.begin < shape.padded)
                    for (int half = 0; half < 2; ++half) {
                        float* row = x + shape.start(half);
                        std::fill_n(row, active.begin, 0.f);
                        std::fill(row + active.end, row + shape.padded, 0.f);
                    }
                shape.join(x, natural.data());
                std::copy_n(natural.data(), shape.cells, x);
                std::fill(x + shape.cells, x + grid.layout().stride_y() - 1, 0.f);
            }
    });
}

}  // namespace phlo::numerics
