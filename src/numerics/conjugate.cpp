#include "numerics/conjugate.h"

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

void update_row(const SplitRow& shape, float* x_row, float* p_row, const float* z_row, const Step& step) {
    const float alpha = step.alpha, before = step.alpha_before, beta = step.beta;
    for (int half = 0; half < 2; ++half) {
        const int o = shape.start(half);
        float *x = x_row + o, *p = p_row + o;
        const float* z = z_row + o;
        const auto turn = [=](std::ptrdiff_t c, const Eight& direction) {
            const Eight turned = load(z + c) + beta * direction;
            store(p + c, turned);
            return turned;
        };
        const auto change = [=](std::ptrdiff_t c) {
            const Eight direction = load(p + c);
            return before * direction + alpha * turn(c, direction);
        };
        if (before == 0) each_eight(0, shape.padded, [=](std::ptrdiff_t c) { turn(c, load(p + c)); });
        else if (step.x_started) each_eight(0, shape.padded, [=](std::ptrdiff_t c) { store(x + c, load(x + c) + change(c)); });
        else each_eight(0, shape.padded, [=](std::ptrdiff_t c) { store(x + c, change(c)); });
    }
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
[[gnu::noinline]] Eight mixed_residual(Segment own, int count, const PlainProduct& plain, const FaceWeights& faces, const float* b, float* out, float alpha) {
    const int first = std::min(int(own.begin), count), last = std::min(int(own.end), count);
    const Eight before = residual(0, first, plain, b, out, alpha, Eight{});
    return residual(last, count, plain, b, out, alpha, residual(first, last, WeightedProduct{faces, plain.q, plain.p}, b, out, alpha, before));
}

/// out = b - alpha A p on row (j, k); adds the sums of out^2.
void residual_row(const Level& level, const field::Grid& grid, int j, int k, const float* b, float* out, float alpha, LongSum& squares) {
    const SplitRow& shape = level.net.shape;
    const float *p = grid.row(j, k), *s = grid.row(j - 1, k), *n = grid.row(j + 1, k), *d = grid.row(j, k - 1), *u = grid.row(j, k + 1);
    const Segment own = level.own_segment(j, k);
    Eight line{};
    for (int half = 0; half < 2; ++half) {
        const int o = shape.start(half), count = shape.count(half);
        const PlainProduct plain{neighbours(shape, half, p, s, n, d, u), p + o};
        if (own.begin == own.end) [[likely]]
            line = residual(0, count, plain, b + o, out + o, alpha, line);
        else
            line += mixed_residual(own, count, plain, face_weights(level.net, half, j, k), b + o, out + o, alpha);
    }
    squares.add(line);
}

}  // namespace

double prepare(Level& level, field::Grid* copy) {
    const SplitRow shape = level.net.shape;
    return parallel_sum(slab_count(level), [&](int item) {
        std::vector<float> natural(std::size_t(2 * shape.padded), 0.f);
        double sum = 0;
        for (int k = item * slab; k < std::min((item + 1) * slab, level.nz()); ++k)
            for (int j = 0; j < level.ny(); ++j) {
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
                if (copy != nullptr) std::copy_n(r, shape.odd + shape.padded, copy->row(j, k));
            }
        return sum;
    });
}

void turn(Level& level, Unknowns& u, float beta) {
    parallel_for(slab_count(level), [&](int item) {
        for (int k = item * slab; k < std::min((item + 1) * slab, level.nz()); ++k)
            for (int j = 0; j < level.ny(); ++j) update_row(level.net.shape, nullptr, u.p.row(j, k), level.z.row(j, k), {.beta = beta});
    });
}

double advance(Level& level, Unknowns& u, const Step& step) {
    const SplitRow shape = level.net.shape;
    const auto reduce_row = [&](int j, int k, LongSum& squares) {
        float* r = level.r.row(j, k);
        residual_row(level, u.p, j, k, r, r, step.alpha, squares);
    };
    // The residual of a plane follows one plane and one row behind the directions: what it reads is still in cache, but no load comes right
    // behind a store of other width or offset.
    double rr = parallel_sum(slab_count(level), [&](int item) {
        LongSum squares;
        const int k0 = item * slab, k1 = std::min(k0 + slab, level.nz());
        for (int k = k0; k < k1; ++k)
            for (int j = 0; j <= level.ny(); ++j) {
                if (j < level.ny()) {
                    float* p = u.p.row(j, k);
                    if (step.p_started) update_row(shape, u.x.row(j, k), p, level.z.row(j, k), step);
                    set_ghosts(shape, p, u.open_x);
                }
                if (j > 0 && k > k0 + 1) reduce_row(j - 1, k - 1, squares);
            }
        return squares.total();
    });
    // The first and the last plane of a slab had to wait for the slabs around it.
    rr += parallel_sum(slab_count(level), [&](int item) {
        LongSum squares;
        const int first = item * slab, last = std::min(first + slab, level.nz()) - 1;
        for (int j = 0; j < level.ny(); ++j) reduce_row(j, first, squares);
        if (last > first)
            for (int j = 0; j < level.ny(); ++j) reduce_row(j, last, squares);
        return squares.total();
    });
    return rr;
}

double energy(const Level& level, Unknowns& u) {
    const SplitRow shape = level.net.shape;
    return parallel_sum(slab_count(level), [&](int item) {
        std::vector<float> zeros(std::size_t(shape.length), 0.f), product(std::size_t(shape.length), 0.f);
        LongSum sum, squares;
        for (int k = item * slab; k < std::min((item + 1) * slab, level.nz()); ++k)
            for (int j = 0; j < level.ny(); ++j) {
                float* row = u.p.row(j, k);
                set_ghosts(shape, row, u.open_x);
                residual_row(level, u.p, j, k, zeros.data(), product.data(), -1, squares);
                Eight line{};
                for (int half = 0; half < 2; ++half) {
                    const float *p = row + shape.start(half), *ap = product.data() + shape.start(half);
                    for (std::ptrdiff_t c = 0; c < shape.padded; c += 8) line += load(p + c) * load(ap + c);   // the product is zero in the padding
                }
                sum.add(line);
            }
        return sum.total();
    });
}

void settle(const Level& level, Unknowns& u, float alpha, bool x_started) {
    const SplitRow shape = level.net.shape;
    parallel_for(slab_count(level), [&](int item) {
        for (int k = item * slab; k < std::min((item + 1) * slab, level.nz()); ++k)
            for (int j = 0; j < level.ny(); ++j)
                for (int half = 0; half < 2; ++half) {
                    const float* p = u.p.row(j, k) + shape.start(half);
                    float* x = u.x.row(j, k) + shape.start(half);
                    if (x_started) each_eight(0, shape.padded, [=](std::ptrdiff_t c) { store(x + c, load(x + c) + alpha * load(p + c)); });
                    else each_eight(0, shape.padded, [=](std::ptrdiff_t c) { store(x + c, alpha * load(p + c)); });
                }
    });
}

double true_residual(Level& level, Unknowns& u, const field::Grid& b) {
    return parallel_sum(slab_count(level), [&](int item) {
        LongSum squares;
        for (int k = item * slab; k < std::min((item + 1) * slab, level.nz()); ++k)
            for (int j = 0; j < level.ny(); ++j) {
                set_ghosts(level.net.shape, u.x.row(j, k), u.open_x);
                residual_row(level, u.x, j, k, b.row(j, k), level.r.row(j, k), 1, squares);
            }
        return squares.total();
    });
}

void join_rows(const Level& level, Unknowns& u) {
    const SplitRow shape = level.net.shape;
    parallel_for(slab_count(level), [&](int item) {
        std::vector<float> natural(std::size_t(2 * shape.padded), 0.f);
        for (int k = item * slab; k < std::min((item + 1) * slab, level.nz()); ++k)
            for (int j = 0; j < level.ny(); ++j) {
                float* x = u.x.row(j, k);
                shape.join(x, natural.data());
                std::copy_n(natural.data(), shape.cells, x);
                std::fill(x + shape.cells, x + u.x.layout().stride_y() - 1, 0.f);
            }
    });
}

}  // namespace phlo::numerics
