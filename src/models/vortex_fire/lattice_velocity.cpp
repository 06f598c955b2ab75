#include "models/vortex_fire/lattice_velocity.h"

#include <algorithm>
#include <cmath>

#include "models/vortex_fire/far_field.h"

namespace phlo::models {
namespace {

using field::Grid;

void copy_shared(const VortexLattice& from_box, const Grid& from, const VortexLattice& to_box, Grid& to) {
    const Vec3i shift = to_box.first - from_box.first;   // a node of the new box in the old one
    const Vec3i first = max(Vec3i(), -shift), last = min(to_box.cells, from_box.cells - shift);
    for (int k = first.z; k < last.z; ++k)
        for (int j = first.y; j < last.y; ++j)
            for (int i = first.x; i < last.x; ++i) to(i, j, k) = from(i + shift.x, j + shift.y, k + shift.z);
}

}  // namespace

void LatticeVelocity::fit(const VortexLattice& lattice, Edge edge) {
    if (lattice == lattice_ && edge == edge_ && !u_[0].empty()) return;
    const field::Layout layout(lattice.cells);
    for (Grid& component : u_) {
        Grid fitted(layout);
        if (!component.empty()) copy_shared(lattice_, component, lattice, fitted);
        component = std::move(fitted);
    }
    if (defect_[0].layout() != layout)
        for (Grid& defect : defect_) defect = Grid(layout);
    const bool other_size = lattice.cells != lattice_.cells || edge != edge_ || !solvers_[0];
    lattice_ = lattice, edge_ = edge;
    if (!other_size) return;
    const int count = edge == Edge::far ? 1 : 3;
    for (int c = 0; c < count; ++c) {
        std::array<bool, 6> open{};   // of a closed box only the walls across the component: there it is 0
        for (int w = 0; w < 6; ++w) open[std::size_t(w)] = edge == Edge::far || w / 2 == c;
        solvers_[std::size_t(c)] = std::make_unique<numerics::PoissonSolver>(layout);
        solvers_[std::size_t(c)]->setup({.open = open});
    }
}

numerics::PoissonSolver& LatticeVelocity::solver(int component) { return *solvers_[edge_ == Edge::far ? 0 : std::size_t(component)]; }

void LatticeVelocity::mirror_ghosts(int component) {
    Grid& u = u_[std::size_t(component)];
    const Vec3i n = lattice_.cells;
    for (int axis = 0; axis < 3; ++axis) {
        const float sign = axis == component ? -1.0f : 1.0f;
        const int a = (axis + 1) % 3, b = (axis + 2) % 3;
        for (int q = 0; q < n[b]; ++q)
            for (int p = 0; p < n[a]; ++p)
                for (const bool high : {false, true}) {
                    Vec3i inside, beyond;
                    inside[a] = beyond[a] = p, inside[b] = beyond[b] = q;
                    inside[axis] = high ? n[axis] - 1 : 0, beyond[axis] = high ? n[axis] : -1;
                    u(beyond.x, beyond.y, beyond.z) = sign * u(inside.x, inside.y, inside.z);
                }
    }
}

void LatticeVelocity::set_ghosts(const NodeValues<4>& vorticity, const NodeRows& filled) {
    if (edge_ == Edge::far) return set_far_velocity(lattice_, VortexClusters(lattice_, vorticity, filled), u_);
    for (int c = 0; c < 3; ++c) mirror_ghosts(c);
}

/// h^2 (curl(omega) + laplace(u)) of all components, into defect_; its size, relative to that of its part that does not know u. `turning`: where the curl
/// is not zero.
std::array<double, 3> LatticeVelocity::find_defects(const NodeValues<4>& vorticity, const NodeRows& turning) {
    const Vec3i n = lattice_.cells;
    const std::ptrdiff_t wx = 4, wy = vorticity.stride_y(), wz = vorticity.stride_z(), sy = u_[0].layout().stride_y(), sz = u_[0].layout().stride_z();
    const auto half_h = float(0.5 * lattice_.h);
    struct Squares {
        std::array<double, 3> defect{}, source{};
    };
    const Squares sum = parallel_reduce(n.z, Squares{}, [&](int k) {
        Squares plane;
        std::vector<float> buffer(3 * std::size_t(n.x));   // of the row: h^2 curl
        float* __restrict const curl[3] = {buffer.data(), buffer.data() + n.x, buffer.data() + 2 * n.x};
        for (int j = 0; j < n.y; ++j) {
            const NodeRows::Range x = turning(j, k);
            const float* w = vorticity.node(0, j, k);
            for (float* __restrict c : curl) std::fill(c, c + n.x, 0.0f);
            for (int i = x.first; i < x.last; ++i) {
                const float* at = w + 4 * i;
                curl[0][i] = half_h * ((at[wy + 2] - at[-wy + 2]) - (at[wz + 1] - at[-wz + 1]));
                curl[1][i] = half_h * ((at[wz] - at[-wz]) - (at[wx + 2] - at[-wx + 2]));
                curl[2][i] = half_h * ((at[wx + 1] - at[-wx + 1]) - (at[wy] - at[-wy]));
            }
            for (std::size_t c = 0; c < 3; ++c) {
                const float* u = u_[c].row(j, k);
                float* r = defect_[c].row(j, k);
                float row = 0, row_source = 0;
#pragma omp simd reduction(+ : row, row_source)
                for (int i = 0; i < n.x; ++i) {
                    const float rest = curl[c][i] + ((u[i - 1] + u[i + 1]) + (u[i - sy] + u[i + sy]) + (u[i - sz] + u[i + sz]) - 6 * u[i]);
                    r[i] = rest;
                    row += rest * rest, row_source += curl[c][i] * curl[c][i];
                }
                plane.defect[c] += double(row), plane.source[c] += double(row_source);
            }
        }
        return plane;
    }, [](Squares p, const Squares& q) {
        for (std::size_t c = 0; c < 3; ++c) p.defect[c] += q.defect[c], p.source[c] += q.source[c];
        return p;
    });
    std::array<double, 3> left{};
    for (std::size_t c = 0; c < 3; ++c) left[c] = sum.source[c] > 0 ? std::sqrt(sum.defect[c] / sum.source[c]) : 0;
    return left;
}

/// Takes a part of the defect of one component off.
numerics::PoissonSolver::Status LatticeVelocity::correct(int component, double tolerance) {
    numerics::PoissonSolver& poisson = solver(component);
    std::swap(poisson.rhs(), defect_[std::size_t(component)]);
    const auto status = poisson.solve({.tolerance = tolerance, .max_iterations = 6});
    Grid& u = u_[std::size_t(component)];
    const Grid& change = poisson.solution();
    parallel_for(lattice_.cells.z, [&](int k) {
        for (int j = 0; j < lattice_.cells.y; ++j) {
            float* __restrict to = u.row(j, k);
            const float* __restrict from = change.row(j, k);
#pragma omp simd
            for (int i = 0; i < lattice_.cells.x; ++i) to[i] += from[i];
        }
    });
    return status;
}

LatticeVelocity::Report LatticeVelocity::solve(const NodeValues<4>& vorticity, const NodeRows& filled, double tolerance) {
    Report report;
    set_ghosts(vorticity, filled);
    const NodeRows turning = filled.grown(1, 1).inside();
    std::array<bool, 3> done{};
    for (int round = 0; round < 8; ++round) {   // from rest it takes a few, in a running fire one
        const std::array<double, 3> left = find_defects(vorticity, turning);
        report.residual = 0;
        for (int c = 0; c < 3; ++c) {
            const auto axis = std::size_t(c);
            double rest = left[axis];
            done[axis] = !(rest > tolerance);
            if (!done[axis]) {
                const auto status = correct(c, std::clamp(0.9 * tolerance / rest, 1e-5, 0.3));
                report.iterations += status.iterations;
                rest *= status.residual;
                if (edge_ == Edge::closed) mirror_ghosts(c);   // what the solver takes for 0 is the mirror image: it has to come back once more
                else done[axis] = rest <= tolerance;
            }
            report.residual = std::max(report.residual, rest);
        }
        if (done[0] && done[1] && done[2]) break;
    }
    return report;
}

std::size_t LatticeVelocity::bytes() const {
    std::size_t sum = 0;
    for (const Grid& component : u_) sum += component.bytes();
    for (const Grid& defect : defect_) sum += defect.bytes();
    for (const auto& one : solvers_)
        if (one) sum += one->bytes();
    return sum;
}

}  // namespace phlo::models
