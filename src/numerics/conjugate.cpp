#include "numerics/conjugate.h"

#include <algorithm>
#include <vector>

#include "base/parallel.h"
#include "numerics/stencil.h"

namespace phlo::numerics {
namespace {

constexpr int slab = 16;  // planes of one work item

int slab_count(const Level& level) { return (level.nz() + slab - 1) / slab; }

void set_ghosts(const SplitRow& shape, float* p, std::array<bool, 2> open) {
    const int n = shape.cells;
    p[shape.odd - 1] = open[0] ? 0.f : p[0];
    p[shape.at(n)] = open[1] ? 0.f : p[shape.at(n - 1)];
}

/// x += alpha p, with p = z + beta p first if this is not a new direction.
void update_row(const SplitRow& shape, float* __restrict x, float* __restrict p, const float* __restrict z, float alpha, float beta,
                Step stage) {
    const int n = shape.odd + shape.padded;  // both halves and the gap between them
    if (stage == Step::later)
        each_entry(n, [=](int c) {
            const float next = z[c] + beta * p[c];
            p[c] = next;
            x[c] += alpha * next;
        });
    else if (stage == Step::restarted) each_entry(n, [=](int c) { x[c] += alpha * p[c]; });
    else each_entry(n, [=](int c) { x[c] = alpha * p[c]; });
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

double step(Level& level, Unknowns& u, float alpha, float beta, Step stage) {
    const SplitRow shape = level.net.shape;
    const int slabs = slab_count(level), nz = level.nz();
    const auto reduce_row = [&](int j, int k) {
        float* r = level.r.row(j, k);
        return residual_row(level, u.p, j, k, r, r, alpha);
    };
    // The residual of a plane follows one plane behind the update of p, while that is in cache.
    double rr = parallel_sum(slabs, [&](int item) {
        double sum = 0;
        const int k0 = item * slab, k1 = std::min(k0 + slab, nz);
        for (int k = k0; k < k1 + (k1 == nz); ++k)
            for (int j = 0; j < level.ny(); ++j) {
                if (k < nz) {
                    float *p = u.p.row(j, k), *x = u.x.row(j, k);
                    update_row(shape, x, p, level.z.row(j, k), alpha, beta, stage);
                    set_ghosts(shape, p, u.open_x), set_ghosts(shape, x, u.open_x);
                }
                if (k > k0 + (k0 > 0)) sum += reduce_row(j, k - 1);
            }
        return sum;
    });
    rr += parallel_sum(slabs - 1, [&](int item) {  // the planes on either side of a slab's end had to wait for both slabs
        double sum = 0;
        for (int k : {(item + 1) * slab - 1, (item + 1) * slab})
            for (int j = 0; j < level.ny(); ++j) sum += reduce_row(j, k);
        return sum;
    });
    return rr;
}

double true_residual(Level& level, const Unknowns& u, const field::Grid& b) {
    return parallel_sum(slab_count(level), [&](int item) {
        double sum = 0;
        for (int k = item * slab; k < std::min((item + 1) * slab, level.nz()); ++k)
            for (int j = 0; j < level.ny(); ++j) sum += residual_row(level, u.x, j, k, b.row(j, k), level.r.row(j, k), 1);
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
