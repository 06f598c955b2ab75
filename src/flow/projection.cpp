#include "flow/projection.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/log.h"
#include "base/parallel.h"
#include "flow/outflow.h"

namespace phlo::flow {
namespace {

using field::Grid;
using field::Layout;
using field::MacGrid;

}  // namespace

void Projector::set_up(const Walls& walls, const Solids& solids) {
    open_ = open_walls(walls);
    numerics::PoissonWeights weights{.open = open_};
    if (solids.present()) {
        weights.faces = &solids.aperture;
        weights.special_row = solids.special_row;
    }
    solver_.setup(weights);
}

ProjectionReport Projector::project(const Solids& solids, const Grid* phi, double h, const numerics::PoissonSolver::Options& options,
                                    MacGrid& u, const std::function<void(const Grid&)>& respond) {
    fill_right_hand_side(solids, phi, h, u);
    const numerics::PoissonSolver::Status status = solver_.solve(options);
    if (respond) respond(solver_.solution());
    subtract_gradient(solids, u);
    const DivergenceError error = divergence_error(solids, phi, h, u);
    return {.iterations = status.iterations,
            .residual = status.residual,
            .converged = status.converged,
            .divergence_max = error.max,
            .divergence_rms = error.rms,
            .imbalance = status.imbalance / h};
}

void Projector::fill_right_hand_side(const Solids& solids, const Grid* phi, double h, const MacGrid& u) {
    const Layout& layout = u.layout();
    Grid& rhs = solver_.rhs();
    parallel_for(layout.nz(), [&](int k) {
        for (int j = 0; j < layout.ny(); ++j) {
            float* __restrict b = rhs.row(j, k);
            outflow_row(solids, u, j, k, b);
            if (phi != nullptr) {
                const float* __restrict wanted = phi->row(j, k);
                const float cell = float(h);
#pragma omp simd
                for (int i = 0; i < layout.nx(); ++i) b[i] = cell * wanted[i] - b[i];
            } else {
#pragma omp simd
                for (int i = 0; i < layout.nx(); ++i) b[i] = -b[i];
            }
            if (is_special_row(solids, layout, j, k))
                for (int i = 0; i < layout.nx(); ++i)
                    if (!has_open_face(solids, i, j, k)) b[i] = 0;
        }
    });
}

void Projector::subtract_gradient(const Solids& solids, MacGrid& u) {
    const Layout& layout = u.layout();
    const Vec3i n = layout.cells();
    const Grid& q = solver_.solution();
    // Wall faces see q = 0 outside if the wall is open, and are not touched otherwise.
    const int first_x = open_[0] ? 0 : 1, last_x = open_[1] ? n.x : n.x - 1;
    const auto subtract = [](float* __restrict v, const float* __restrict upper, const float* __restrict lower, const float* open, int first,
                             int last) {
        if (open == nullptr) {
#pragma omp simd
            for (int i = first; i <= last; ++i) v[i] -= upper[i] - lower[i];
        } else {
            for (int i = first; i <= last; ++i)
                if (open[i] > 0) v[i] -= upper[i] - lower[i];
        }
    };
    const std::vector<float> zeros(std::size_t(n.x), 0.0f);
    parallel_for(n.z + 1, [&](int k) {
        for (int j = 0; j <= n.y; ++j) {
            const bool cut = (j < n.y && k < n.z && is_special_row(solids, layout, j, k)) || (j > 0 && k < n.z && is_special_row(solids, layout, j - 1, k)) ||
                             (k > 0 && j < n.y && is_special_row(solids, layout, j, k - 1));
            const auto aperture = [&](const Grid& a) { return cut ? a.row(j, k) : nullptr; };
            const float* here = j < n.y && k < n.z ? q.row(j, k) : zeros.data();
            if (k < n.z && j < n.y) {
                float* v = u.x.row(j, k);
                const float* a = aperture(solids.aperture.x);
                const int inner_first = std::max(first_x, 1), inner_last = std::min(last_x, n.x - 1);
                subtract(v, here, here - 1, a, inner_first, inner_last);
                if (first_x == 0 && (a == nullptr || a[0] > 0)) v[0] -= here[0];
                if (last_x == n.x && (a == nullptr || a[n.x] > 0)) v[n.x] += here[n.x - 1];
            }
            if (k < n.z && (j > 0 || open_[2]) && (j < n.y || open_[3]))
                subtract(u.y.row(j, k), here, j > 0 ? q.row(j - 1, k) : zeros.data(), aperture(solids.aperture.y), 0, n.x - 1);
            if (j < n.y && (k > 0 || open_[4]) && (k < n.z || open_[5]))
                subtract(u.z.row(j, k), here, k > 0 ? q.row(j, k - 1) : zeros.data(), aperture(solids.aperture.z), 0, n.x - 1);
        }
    });
}

DivergenceError divergence_error(const Solids& solids, const Grid* phi, double h, const MacGrid& u) {
    struct Partial {
        double max = 0, squares = 0;
        long cells = 0;
    };
    const Layout& layout = u.layout();
    const Partial all = parallel_reduce(
        layout.nz(), Partial{},
        [&](int k) {
            Partial part;
            std::vector<float> row(std::size_t(layout.nx()));
            for (int j = 0; j < layout.ny(); ++j) {
                outflow_row(solids, u, j, k, row.data());
                const bool cut = is_special_row(solids, layout, j, k);
                float most = 0, squares = 0;
                if (phi != nullptr) {
                    const float* wanted = phi->row(j, k);
                    for (int i = 0; i < layout.nx(); ++i) row[std::size_t(i)] -= float(h) * wanted[i];
                }
                for (int i = 0; cut && i < layout.nx(); ++i)
                    if (!has_open_face(solids, i, j, k)) row[std::size_t(i)] = 0, --part.cells;
                const float* __restrict r = row.data();
#pragma omp simd reduction(max : most) reduction(+ : squares)
                for (int i = 0; i < layout.nx(); ++i) most = std::max(most, std::fabs(r[i])), squares += r[i] * r[i];
                part.max = std::max(part.max, double(most));
                part.squares += double(squares);
                part.cells += layout.nx();
            }
            return part;
        },
        [](const Partial& a, const Partial& b) { return Partial{std::max(a.max, b.max), a.squares + b.squares, a.cells + b.cells}; });
    return {.max = all.max / h, .rms = all.cells > 0 ? std::sqrt(all.squares / double(all.cells)) / h : 0.0};
}

}  // namespace phlo::flow
