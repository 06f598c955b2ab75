#include "flow/diffusion.h"

#include <cmath>
#include <span>
#include <utility>

#include "base/parallel.h"
#include "flow/room.h"
#include "flow/sticky_faces.h"

namespace phlo::flow {

using field::Grid;
using field::Layout;
using field::MacGrid;

/// Which entries change, and which faces of theirs let anything through.
struct Diffuser::Problem {
    Vec3i extent;                          ///< entries of the field
    Vec3i first, last;                     ///< those that change: first <= index < last
    const MacGrid* aperture = nullptr;     ///< cell fields next to bodies: flux only through the open part
    const Grid* fixed_where_zero = nullptr;///< face fields: entries that stay
    const Grid* room = nullptr;            ///< cell fields: what a cell's change is divided by
    const StickyFaces* sticky = nullptr;   ///< face fields of component `axis`
    int axis = 0;
    double exposed = 1;                    ///< how much faster than a full one some cell can change
};

int diffusion_stages(double number) {
    // A forward Euler step of the 7-point Laplacian is stable up to 1/6.
    const double ratio = number * 6;
    int stages = int(std::ceil((std::sqrt(9 + 16 * ratio) - 1) / 2));
    stages = std::max(stages, 3);
    return stages % 2 ? stages : stages + 1;
}

namespace {

/// out[i] = sum over the neighbours of (q_neighbour - q) for one row.
void laplacian_row(const Grid& q, const MacGrid* aperture, int j, int k, int first, int last, float* __restrict out) {
    const float *__restrict c = q.row(j, k), *__restrict ym = q.row(j - 1, k), *__restrict yp = q.row(j + 1, k);
    const float *__restrict zm = q.row(j, k - 1), *__restrict zp = q.row(j, k + 1);
    if (aperture == nullptr) {
#pragma omp simd
        for (int i = first; i < last; ++i) out[i] = ((c[i - 1] + c[i + 1]) + (ym[i] + yp[i])) + ((zm[i] + zp[i]) - 6 * c[i]);
        return;
    }
    const float *__restrict ax = aperture->x.row(j, k), *__restrict ay0 = aperture->y.row(j, k), *__restrict ay1 = aperture->y.row(j + 1, k);
    const float *__restrict az0 = aperture->z.row(j, k), *__restrict az1 = aperture->z.row(j, k + 1);
#pragma omp simd
    for (int i = first; i < last; ++i)
        out[i] = ax[i] * (c[i - 1] - c[i]) + ax[i + 1] * (c[i + 1] - c[i]) + ay0[i] * (ym[i] - c[i]) + ay1[i] * (yp[i] - c[i]) +
                 az0[i] * (zm[i] - c[i]) + az1[i] * (zp[i] - c[i]);
}

}  // namespace

void Diffuser::integrate(Grid& q, double number, const Problem& problem) {
    if (number <= 0) return;
    const int s = diffusion_stages(number * problem.exposed);
    const double w1 = 4.0 / (double(s) * s + s - 2);
    const auto b = [](int j) { return j < 2 ? 1.0 / 3 : (double(j) * j + j - 2) / (2.0 * j * (j + 1)); };

    for (Grid* grid : {&start_rate_, &start_, &older_, &next_})
        if (!(grid->layout() == q.layout())) *grid = Grid(q.layout());
    extend_into_ghosts(q, problem.extent);
    start_ = q;
    older_ = q;
    next_ = q;

    // Stage 1 fills start_rate_ = number * L(start); later stages combine the two newest values, the start, and both rates.
    const auto stage = [&](double mu, double nu, double mu_rate, double gamma_rate, bool first_stage) {
        const float m = float(mu), n = float(nu), mr = float(mu_rate * number), gr = float(gamma_rate * number);
        parallel_for(problem.last.z - problem.first.z, [&](int plane) {
            const int k = problem.first.z + plane;
            std::vector<float> rate(std::size_t(q.layout().nx() + 1));
            std::span<const StickyFaces::Pull> pulls;
            if (problem.sticky != nullptr) pulls = problem.sticky->in_plane(problem.axis, k);
            for (int j = problem.first.y; j < problem.last.y; ++j) {
                laplacian_row(q, problem.aperture, j, k, problem.first.x, problem.last.x, rate.data());
                if (problem.fixed_where_zero != nullptr)
                    for (int i = problem.first.x; i < problem.last.x; ++i)
                        if (problem.fixed_where_zero->row(j, k)[i] == 0) rate[std::size_t(i)] = 0;
                for (; !pulls.empty() && pulls.front().j <= j; pulls = pulls.subspan(1)) {
                    const StickyFaces::Pull& p = pulls.front();
                    if (p.j < j || p.i < problem.first.x || p.i >= problem.last.x) continue;
                    float& change = rate[std::size_t(p.i)];
                    change = p.stuck ? 0.0f : change + p.more * (p.velocity - q(p.i, j, k));
                }
                if (problem.room != nullptr) {
                    const float* __restrict part = problem.room->row(j, k);
                    float* __restrict change = rate.data();
#pragma omp simd
                    for (int i = problem.first.x; i < problem.last.x; ++i) change[i] /= part[i] > 0 ? part[i] : 1.0f;
                }
                const float *__restrict r = rate.data(), *__restrict newest = q.row(j, k), *__restrict old = older_.row(j, k);
                const float* __restrict begin = start_.row(j, k);
                float *__restrict r0 = start_rate_.row(j, k), *__restrict out = next_.row(j, k);
                if (first_stage) {
#pragma omp simd
                    for (int i = problem.first.x; i < problem.last.x; ++i) r0[i] = r[i], out[i] = begin[i] + mr * r[i];
                } else {
#pragma omp simd
                    for (int i = problem.first.x; i < problem.last.x; ++i)
                        // as differences from the start: weights that add up to one only nearly would drift
                        out[i] = begin[i] + (m * (newest[i] - begin[i]) + n * (old[i] - begin[i]) + mr * r[i] + gr * r0[i]);
                }
            }
        });
        std::swap(older_, q);
        std::swap(q, next_);
        extend_into_ghosts(q, problem.extent);
    };

    stage(1, 0, b(1) * w1, 0, true);
    for (int j = 2; j <= s; ++j) {
        const double mu = (2.0 * j - 1) / j * b(j) / b(j - 1), nu = -(j - 1.0) / j * b(j) / b(j - 2);
        stage(mu, nu, mu * w1, -(1 - b(j - 1)) * mu * w1, false);
        // Entries that never change must be right in all three buffers: next_ was copied from the start.
    }
}

void Diffuser::diffuse_cells(Grid& q, double number, const Solids& solids, const Grid* room) {
    if (number <= 0) return;
    const Vec3i n = q.layout().cells();
    integrate(q, number, {.extent = n, .first = Vec3i(), .last = n, .aperture = solids.present() ? &solids.aperture : nullptr, .room = room,
                          .exposed = room ? most_exposed(solids, *room) : 1});
}

void Diffuser::diffuse_velocity(MacGrid& u, double number, const Walls& walls, const Solids& solids, const StickyFaces* sticky) {
    const Layout& layout = u.layout();
    for (int axis = 0; axis < 3; ++axis) {
        const Vec3i extent = face_extent(layout, axis);
        Vec3i first, last = extent;
        if (walls[std::size_t(2 * axis)].kind != WallKind::open) first[axis] = 1;
        if (walls[std::size_t(2 * axis + 1)].kind != WallKind::open) last[axis] -= 1;
        integrate(u[axis], number,
                  {.extent = extent, .first = first, .last = last, .fixed_where_zero = solids.present() ? &solids.aperture[axis] : nullptr,
                   .sticky = sticky != nullptr && !sticky->empty() ? sticky : nullptr, .axis = axis, .exposed = sticky != nullptr ? sticky->exposed() : 1});
    }
}

std::size_t Diffuser::bytes() const { return start_rate_.bytes() + start_.bytes() + older_.bytes() + next_.bytes(); }

}  // namespace phlo::flow
