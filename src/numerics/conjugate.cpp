#include "numerics/conjugate.h"

#include <algorithm>
#include <vector>

#include "base/parallel.h"
#include "numerics/stencil.h"

namespace phlo::numerics {
namespace {

constexpr int slab = 16;  // planes of one work item

int slab_count(const Level& level) { return (level.nz() + slab - 1) / slab; }

void prefetch(const float* row, int floats) {
    for (int c = 0; c < floats; c += 16) __builtin_prefetch(row + c, 0, 2);
}

void set_ghosts(const SplitRow& shape, float* p, std::array<bool, 2> open) {
    const int n = shape.cells;
    p[shape.odd - 1] = open[0] ? 0.f : p[0];
    p[shape.at(n)] = open[1] ? 0.f : p[shape.at(n - 1)];
}

/// Sum over the faces before entries [begin, end) of (p - neighbour)^2.
float energy_plain(int begin, int end, const float* __restrict p, const float* __restrict w, const float* __restrict s, const float* __restrict d,
                   bool below) {
    float sum = 0;
    if (below) {
#pragma omp simd reduction(+ : sum)
        for (int c = begin; c < end; ++c) {
            const float x = p[c] - w[c], y = p[c] - s[c], z = p[c] - d[c];
            sum += x * x + (y * y + z * z);
        }
    } else {
#pragma omp simd reduction(+ : sum)
        for (int c = begin; c < end; ++c) {
            const float x = p[c] - w[c], y = p[c] - s[c];
            sum += x * x + y * y;
        }
    }
    return sum;
}

float energy_across(int begin, int end, const float* __restrict weight, const float* __restrict p, const float* __restrict q) {
    float sum = 0;
#pragma omp simd reduction(+ : sum)
    for (int c = begin; c < end; ++c) {
        const float difference = p[c] - q[c];
        sum += weight[c] * difference * difference;
    }
    return sum;
}

/// The part of p . A p that belongs to the faces before each cell of row (j, k), and to faces in the walls behind.
/// `below`: include the faces towards plane k - 1.
double row_energy(const Level& level, const field::Grid& grid, int j, int k, bool below) {
    const Network& net = level.net;
    const SplitRow& shape = net.shape;
    const float *p = grid.row(j, k), *s = grid.row(j - 1, k), *d = grid.row(j, k - 1);
    double sum = 0;
    const Segment own = level.own_segment(j, k);
    for (int half = 0; half < 2; ++half) {
        const int o = shape.start(half), count = shape.count(half), a = std::min(int(own.begin), count), b = std::min(int(own.end), count);
        const float* west = half == 0 ? p + shape.odd - 1 : p;
        if (a > 0) sum += double(energy_plain(0, a, p + o, west, s + o, d + o, below));
        if (b < count) sum += double(energy_plain(b, count, p + o, west, s + o, d + o, below));
        // The walls behind the last row and plane; the faces before a row are its own.
        if (j + 1 == net.n.y) sum += double(energy_across(0, count, net.face[1](j + 1, k) + o, p + o, grid.row(j + 1, k) + o));
        if (k + 1 == net.n.z) sum += double(energy_across(0, count, net.face[2](j, k + 1) + o, p + o, grid.row(j, k + 1) + o));
        if (a == b) continue;
        sum += double(energy_across(a, b, net.face[0](j, k) + o, p + o, west));
        sum += double(energy_across(a, b, net.face[1](j, k) + o, p + o, s + o));
        if (below) sum += double(energy_across(a, b, net.face[2](j, k) + o, p + o, d + o));
    }
    const int n = shape.cells;
    const double last = double(p[shape.at(n - 1)] - p[shape.at(n)]);
    return sum + double(net.face[0](j, k)[shape.at(n)]) * last * last;
}

/// The part of p . A p across the faces between planes k - 1 and k.
double plane_energy(const Level& level, const field::Grid& grid, int j, int k) {
    const SplitRow& shape = level.net.shape;
    double sum = 0;
    for (int half = 0; half < 2; ++half) {
        const int o = shape.start(half);
        sum += double(energy_across(0, shape.count(half), level.net.face[2](j, k) + o, grid.row(j, k) + o, grid.row(j, k - 1) + o));
    }
    return sum;
}

void update_row(const SplitRow& shape, float* __restrict x, float* __restrict p, const float* __restrict z, float alpha, float beta, bool start) {
    for (int half = 0; half < 2; ++half) {
        const int first = shape.start(half), last = first + shape.padded;
        if (start) {
#pragma omp simd
            for (int c = first; c < last; ++c) {
                const float old = p[c];
                x[c] = alpha * old;
                p[c] = z[c] + beta * old;
            }
        } else {
#pragma omp simd
            for (int c = first; c < last; ++c) {
                const float old = p[c];
                x[c] += alpha * old;
                p[c] = z[c] + beta * old;
            }
        }
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

double advance(Level& level, Unknowns& u, float alpha, float beta, Advance stage) {
    const SplitRow shape = level.net.shape;
    const int slabs = slab_count(level);
    // A row's energy waits until the next row is updated: a load right behind a store of other width or offset would stall.
    double energy = parallel_sum(slabs, [&](int item) {
        double sum = 0;
        const int k0 = item * slab, k1 = std::min(k0 + slab, level.nz());
        for (int k = k0; k < k1; ++k)
            for (int j = 0; j <= level.ny(); ++j) {
                if (j < level.ny()) {
                    float* p = u.p.row(j, k);
                    if (stage != Advance::first) update_row(shape, u.x.row(j, k), p, level.z.row(j, k), alpha, beta, stage == Advance::second);
                    set_ghosts(shape, p, u.open_x);
                }
                if (j > 0) sum += row_energy(level, u.p, j - 1, k, k == 0 || k > k0);
            }
        return sum;
    });
    energy += parallel_sum(slabs - 1, [&](int item) {  // faces between two slabs
        double sum = 0;
        for (int j = 0; j < level.ny(); ++j) sum += plane_energy(level, u.p, j, (item + 1) * slab);
        return sum;
    });
    return energy;
}

double reduce(Level& level, const Unknowns& u, float alpha) {
    const SplitRow shape = level.net.shape;
    return parallel_sum(slab_count(level), [&](int item) {
        double sum = 0;
        for (int k = item * slab; k < std::min((item + 1) * slab, level.nz()); ++k)
            for (int j = 0; j < level.ny(); ++j) {
                prefetch(u.p.row(j, k + 2), shape.odd + shape.padded);
                float* r = level.r.row(j, k);
                sum += residual_row(level, u.p, j, k, r, r, alpha);
            }
        return sum;
    });
}

void settle(const Level& level, Unknowns& u, float alpha, bool started) {
    const SplitRow shape = level.net.shape;
    parallel_for(slab_count(level), [&](int item) {
        for (int k = item * slab; k < std::min((item + 1) * slab, level.nz()); ++k)
            for (int j = 0; j < level.ny(); ++j) {
                float* __restrict x = u.x.row(j, k);
                const float* __restrict p = u.p.row(j, k);
                for (int half = 0; half < 2; ++half) {
                    const int first = shape.start(half), last = first + shape.padded;
                    if (started) {
#pragma omp simd
                        for (int c = first; c < last; ++c) x[c] += alpha * p[c];
                    } else {
#pragma omp simd
                        for (int c = first; c < last; ++c) x[c] = alpha * p[c];
                    }
                }
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
