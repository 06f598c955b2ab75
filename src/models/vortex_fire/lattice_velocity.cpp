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

void LatticeVelocity::set_ghosts(const NodeValues<4>& vorticity) {
    if (edge_ == Edge::far) return set_far_velocity(lattice_, cluster_vorticity(lattice_, vorticity), u_);
    for (int c = 0; c < 3; ++c) mirror_ghosts(c);
}

/// h^2 (curl(omega) + laplace(u)), and the sums of squares of it and, in `source`, of its part that does not know u.
double LatticeVelocity::find_defect(const NodeValues<4>& vorticity, int component, Grid& defect, double& source) const {
    const Grid& u = u_[std::size_t(component)];
    const Vec3i n = lattice_.cells;
    const int a = (component + 1) % 3, b = (component + 2) % 3;   // curl_c = d_a omega_b - d_b omega_a
    const std::ptrdiff_t steps[3] = {4, vorticity.stride_y(), vorticity.stride_z()};
    const std::ptrdiff_t sa = steps[a], sb = steps[b], sy = u.layout().stride_y(), sz = u.layout().stride_z();
    const auto half_h = float(0.5 * lattice_.h);
    struct Squares {
        double defect = 0, source = 0;
    };
    const Squares sum = parallel_reduce(n.z, Squares{}, [&](int k) {
        Squares plane;
        for (int j = 0; j < n.y; ++j) {
            const float* w = vorticity.node(0, j, k);
            const float* x = u.row(j, k);
            float* r = defect.row(j, k);
            float row = 0, row_source = 0;
#pragma omp simd reduction(+ : row, row_source)
            for (int i = 0; i < n.x; ++i) {
                const float* at = w + 4 * i;
                const float curl = half_h * ((at[sa + b] - at[-sa + b]) - (at[sb + a] - at[-sb + a]));
                const float rest = curl + ((x[i - 1] + x[i + 1]) + (x[i - sy] + x[i + sy]) + (x[i - sz] + x[i + sz]) - 6 * x[i]);
                r[i] = rest;
                row += rest * rest, row_source += curl * curl;
            }
            plane.defect += double(row), plane.source += double(row_source);
        }
        return plane;
    }, [](Squares p, const Squares& q) { return Squares{p.defect + q.defect, p.source + q.source}; });
    source = sum.source;
    return sum.defect;
}

LatticeVelocity::Report LatticeVelocity::solve(const NodeValues<4>& vorticity, double tolerance) {
    Report report;
    set_ghosts(vorticity);
    for (int c = 0; c < 3; ++c) {
        Grid& u = u_[std::size_t(c)];
        const Vec3i n = lattice_.cells;
        for (int round = 0; round < 8; ++round) {   // from rest it takes a few, in a running fire one
            numerics::PoissonSolver& poisson = solver(c);
            double source = 0;
            const double defect = find_defect(vorticity, c, poisson.rhs(), source);
            const double relative = source > 0 ? std::sqrt(defect / source) : 0;
            if (!(relative > tolerance)) {
                report.residual = std::max(report.residual, relative);
                break;
            }
            if (round == 7) report.residual = std::max(report.residual, relative);
            report.iterations += poisson.solve({.tolerance = std::clamp(0.7 * tolerance / relative, 1e-5, 0.3), .max_iterations = 6}).iterations;
            const Grid& change = poisson.solution();
            parallel_for(n.z, [&](int k) {
                for (int j = 0; j < n.y; ++j) {
                    float* __restrict to = u.row(j, k);
                    const float* __restrict from = change.row(j, k);
#pragma omp simd
                    for (int i = 0; i < n.x; ++i) to[i] += from[i];
                }
            });
            if (edge_ == Edge::closed) mirror_ghosts(c);
        }
    }
    return report;
}

std::size_t LatticeVelocity::bytes() const {
    std::size_t sum = 0;
    for (const Grid& component : u_) sum += component.bytes();
    for (const auto& one : solvers_)
        if (one) sum += one->bytes();
    return sum;
}

}  // namespace phlo::models
