#include "flow/viscosity.h"

#include <algorithm>
#include <cmath>

#include "base/parallel.h"

namespace phlo::flow {

using field::MacGrid;
using Row = ViscousSystem::Row;

namespace {

/// Ghosts beyond walls take the wall's tangential velocity.
void stop_at_walls(const Walls& walls, MacGrid& u) {
    const Vec3i n = u.layout().cells();
    for (int w = 0; w < 6; ++w) {
        if (walls[std::size_t(w)].kind == WallKind::open) continue;
        const int normal = w / 2, beyond = w % 2 == 0 ? -1 : n[normal];
        for (int axis = 0; axis < 3; ++axis) {
            if (axis == normal) continue;
            const int other = 3 - normal - axis;
            for (int a = 0; a <= n[axis]; ++a)
                for (int b = 0; b < n[other]; ++b) {
                    Vec3i f;
                    f[normal] = beyond, f[axis] = a, f[other] = b;
                    u[axis](f.x, f.y, f.z) = 0;
                }
        }
    }
}

}  // namespace

ViscosityReport ViscositySolver::solve(const ViscosityParams& params, const Walls& walls, const Solids& solids, const field::Grid& phi, MacGrid& u) {
    ViscosityReport report;
    parallel_for(system_.items(), [&](int item) {  // directions of the last solve: other faces may be unknowns now
        system_.for_each_row(item, [&](const Row& row) { std::fill(direction_[row.axis].row(row.j, row.k) + row.first, direction_[row.axis].row(row.j, row.k) + row.last, 0.f); });
    });
    system_.set_up(params, walls, solids, phi, u);
    if (params.walls_stick) stop_at_walls(walls, u);
    report.faces = system_.unknowns();

    Sums sums = start(u);
    const double reference = std::sqrt(sums.given_square + sums.scaled_square);
    if (reference == 0) return report;
    report.residual = std::sqrt(sums.square) / reference;
    while (report.residual > params.tolerance && report.iterations < params.max_iterations) {
        const double energy = system_.apply(direction_, product_);
        if (!(energy > 0)) break;
        const double before = sums.scaled;
        sums = advance(before / energy, u);
        turn(sums.scaled / before);
        ++report.iterations;
        report.residual = std::sqrt(sums.square) / reference;
    }
    report.converged = report.residual <= params.tolerance;
    return report;
}

/// The first residual, V u* - A u* , and the first direction.
ViscositySolver::Sums ViscositySolver::start(const MacGrid& u) {
    system_.apply(u, product_);
    parallel_for(system_.items(), [&](int item) {
        system_.for_each_row(item, [&](const Row& row) {
            const int a = row.axis;
            const float *__restrict product = product_[a].row(row.j, row.k), *__restrict v = u[a].row(row.j, row.k);
            const float *__restrict volume = system_.volume()[a].row(row.j, row.k), *__restrict inverse = system_.inverse()[a].row(row.j, row.k);
            float* __restrict residual = residual_[a].row(row.j, row.k);
            for (int i = row.first; i < row.last; ++i) residual[i] = inverse[i] != 0 ? volume[i] * v[i] - product[i] : 0.f;
        });
    });
    system_.add_motion(residual_);
    return parallel_reduce(
        system_.items(), Sums{},
        [&](int item) {
            Sums sums;
            system_.for_each_row(item, [&](const Row& row) {
                const int a = row.axis;
                const float *__restrict residual = residual_[a].row(row.j, row.k), *__restrict v = u[a].row(row.j, row.k);
                const float *__restrict volume = system_.volume()[a].row(row.j, row.k), *__restrict inverse = system_.inverse()[a].row(row.j, row.k);
                float* __restrict direction = direction_[a].row(row.j, row.k);
                for (int i = row.first; i < row.last; ++i) {
                    if (inverse[i] == 0) continue;
                    const double r = double(residual[i]), z = r * double(inverse[i]), given = double(volume[i]) * double(v[i]);
                    direction[i] = float(z);
                    sums.square += r * r, sums.scaled += r * z, sums.scaled_square += z * z, sums.given_square += given * given;
                }
            });
            return sums;
        },
        [](const Sums& a, const Sums& b) {
            return Sums{a.square + b.square, a.scaled + b.scaled, a.scaled_square + b.scaled_square, a.given_square + b.given_square};
        });
}

/// u += alpha p, r -= alpha A p.
ViscositySolver::Sums ViscositySolver::advance(double alpha, MacGrid& u) {
    const float step = float(alpha);
    return parallel_reduce(
        system_.items(), Sums{},
        [&](int item) {
            Sums sums;
            system_.for_each_row(item, [&](const Row& row) {
                const int a = row.axis;
                const float *__restrict product = product_[a].row(row.j, row.k), *__restrict direction = direction_[a].row(row.j, row.k);
                const float* __restrict inverse = system_.inverse()[a].row(row.j, row.k);
                float *__restrict residual = residual_[a].row(row.j, row.k), *__restrict v = u[a].row(row.j, row.k);
                double square = 0, scaled = 0;
#pragma omp simd reduction(+ : square, scaled)
                for (int i = row.first; i < row.last; ++i) {
                    v[i] += step * direction[i];
                    const float r = inverse[i] != 0 ? residual[i] - step * product[i] : 0.f;
                    residual[i] = r;
                    square += double(r) * double(r), scaled += double(r) * double(r * inverse[i]);
                }
                sums.square += square, sums.scaled += scaled;
            });
            return sums;
        },
        [](const Sums& a, const Sums& b) { return Sums{.square = a.square + b.square, .scaled = a.scaled + b.scaled}; });
}

/// p = z + beta p.
void ViscositySolver::turn(double beta) {
    const float share = float(beta);
    parallel_for(system_.items(), [&](int item) {
        system_.for_each_row(item, [&](const Row& row) {
            const int a = row.axis;
            const float *__restrict residual = residual_[a].row(row.j, row.k), *__restrict inverse = system_.inverse()[a].row(row.j, row.k);
            float* __restrict direction = direction_[a].row(row.j, row.k);
#pragma omp simd
            for (int i = row.first; i < row.last; ++i) direction[i] = residual[i] * inverse[i] + share * direction[i];
        });
    });
}

}  // namespace phlo::flow
