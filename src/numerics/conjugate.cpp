#include "numerics/conjugate.h"

#include <algorithm>
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

/// x += change(c), or x = change(c) if it has not started.
template <class Change>
void add_to(float* __restrict x, int n, bool started, const Change& change) {
    if (started)
        each_entry(n, [=](int c) { x[c] += change(c); });
    else
        each_entry(n, [=](int c) { x[c] = change(c); });
}

void update_row(const SplitRow& shape, float* __restrict x, float* __restrict p, const float* __restrict z, const Step& step) {
    const float alpha = step.alpha, before = step.alpha_before, beta = step.beta;
    for (int half = 0; half < 2; ++half) {
        const int o = shape.start(half);
        float* __restrict direction = p + o;
        const float* __restrict preconditioned = z + o;
        const auto turn = [=](int c) { return direction[c] = preconditioned[c] + beta * direction[c]; };
        if (before == 0)
            each_entry(shape.padded, turn);
        else
            add_to(x + o, shape.padded, step.x_started, [=](int c) {
                const float first = before * direction[c];
                return first + alpha * turn(c);
            });
    }
}

/// out = b - alpha A p on one half row, which may be done in place; returns the sum of out^2.
float residual_plain(int begin, int end, const Neighbours& q, const float* __restrict p, const float* b, float* out, float alpha) {
    const float *__restrict w = q.w, *__restrict e = q.e, *__restrict s = q.s, *__restrict n = q.n, *__restrict d = q.d, *__restrict u = q.u;
    float sum = 0;
#pragma omp simd reduction(+ : sum)
    for (int c = begin; c < end; ++c) {
        const float x = p[c];
        const float ap = (((x - w[c]) + (x - e[c])) + ((x - s[c]) + (x - n[c]))) + ((x - d[c]) + (x - u[c]));
        const float value = b[c] - alpha * ap;
        out[c] = value;
        sum += value * value;
    }
    return sum;
}

float residual_weighted(int begin, int end, const FaceWeights& f, const Neighbours& q, const float* __restrict p, const float* b,
                        float* out, float alpha) {
    const float *__restrict w = q.w, *__restrict e = q.e, *__restrict s = q.s, *__restrict n = q.n, *__restrict d = q.d, *__restrict u = q.u;
    const float *__restrict fw = f.w, *__restrict fe = f.e, *__restrict fs = f.s, *__restrict fn = f.n, *__restrict fd = f.d, *__restrict fu = f.u;
    float sum = 0;
#pragma omp simd reduction(+ : sum)
    for (int c = begin; c < end; ++c) {
        const float x = p[c];
        const float ap = ((fw[c] * (x - w[c]) + fe[c] * (x - e[c])) + (fs[c] * (x - s[c]) + fn[c] * (x - n[c]))) + (fd[c] * (x - d[c]) + fu[c] * (x - u[c]));
        const float value = b[c] - alpha * ap;
        out[c] = value;
        sum += value * value;
    }
    return sum;
}

/// out = b - alpha A p on row (j, k); returns the sum of out^2.
double residual_row(const Level& level, const field::Grid& grid, int j, int k, const float* b, float* out, float alpha) {
    const SplitRow& shape = level.net.shape;
    const float* p = grid.row(j, k);
    const Segment own = level.own_segment(j, k);
    float sum = 0;
    for (int half = 0; half < 2; ++half) {
        const Neighbours q = neighbours(shape, half, p, grid.row(j - 1, k), grid.row(j + 1, k), grid.row(j, k - 1), grid.row(j, k + 1));
        const int o = shape.start(half), count = shape.count(half), first = std::min(int(own.begin), count),
                  last = std::min(int(own.end), count);
        if (first > 0) sum += residual_plain(0, first, q, p + o, b + o, out + o, alpha);
        if (first < last) sum += residual_weighted(first, last, face_weights(level.net, half, j, k), q, p + o, b + o, out + o, alpha);
        if (last < count) sum += residual_plain(last, count, q, p + o, b + o, out + o, alpha);
    }
    return double(sum);
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
    const auto reduce_row = [&](int j, int k) {
        float* r = level.r.row(j, k);
        return residual_row(level, u.p, j, k, r, r, step.alpha);
    };
    // The residual of a plane follows one plane and one row behind the directions: what it reads is still in cache, but no load comes right
    // behind a store of other width or offset.
    double rr = parallel_sum(slab_count(level), [&](int item) {
        double sum = 0;
        const int k0 = item * slab, k1 = std::min(k0 + slab, level.nz());
        for (int k = k0; k < k1; ++k)
            for (int j = 0; j <= level.ny(); ++j) {
                if (j < level.ny()) {
                    float* p = u.p.row(j, k);
                    if (step.p_started) update_row(shape, u.x.row(j, k), p, level.z.row(j, k), step);
                    set_ghosts(shape, p, u.open_x);
                }
                if (j > 0 && k > k0 + 1) sum += reduce_row(j - 1, k - 1);
            }
        return sum;
    });
    // The first and the last plane of a slab had to wait for the slabs around it.
    rr += parallel_sum(slab_count(level), [&](int item) {
        double sum = 0;
        const int first = item * slab, last = std::min(first + slab, level.nz()) - 1;
        for (int j = 0; j < level.ny(); ++j) sum += reduce_row(j, first);
        if (last > first)
            for (int j = 0; j < level.ny(); ++j) sum += reduce_row(j, last);
        return sum;
    });
    return rr;
}

double energy(const Level& level, Unknowns& u) {
    const SplitRow shape = level.net.shape;
    return parallel_sum(slab_count(level), [&](int item) {
        std::vector<float> zeros(std::size_t(shape.length), 0.f), product(std::size_t(shape.length), 0.f);
        double sum = 0;
        for (int k = item * slab; k < std::min((item + 1) * slab, level.nz()); ++k)
            for (int j = 0; j < level.ny(); ++j) {
                set_ghosts(shape, u.p.row(j, k), u.open_x);
                residual_row(level, u.p, j, k, zeros.data(), product.data(), -1);
                for (int half = 0; half < 2; ++half) {
                    const float *__restrict p = u.p.row(j, k) + shape.start(half), *__restrict ap = product.data() + shape.start(half);
                    float line = 0;
#pragma omp simd reduction(+ : line)
                    for (int c = 0; c < shape.count(half); ++c) line += p[c] * ap[c];
                    sum += double(line);
                }
            }
        return sum;
    });
}

void settle(const Level& level, Unknowns& u, float alpha, bool x_started) {
    const SplitRow shape = level.net.shape;
    parallel_for(slab_count(level), [&](int item) {
        for (int k = item * slab; k < std::min((item + 1) * slab, level.nz()); ++k)
            for (int j = 0; j < level.ny(); ++j)
                for (int half = 0; half < 2; ++half) {
                    const float* __restrict p = u.p.row(j, k) + shape.start(half);
                    add_to(u.x.row(j, k) + shape.start(half), shape.padded, x_started, [=](int c) { return alpha * p[c]; });
                }
    });
}

double true_residual(Level& level, Unknowns& u, const field::Grid& b) {
    return parallel_sum(slab_count(level), [&](int item) {
        double sum = 0;
        for (int k = item * slab; k < std::min((item + 1) * slab, level.nz()); ++k)
            for (int j = 0; j < level.ny(); ++j) {
                set_ghosts(level.net.shape, u.x.row(j, k), u.open_x);
                sum += residual_row(level, u.x, j, k, b.row(j, k), level.r.row(j, k), 1);
            }
        return sum;
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
