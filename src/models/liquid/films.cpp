#include "models/liquid/films.h"

#include <algorithm>
#include <cmath>

#include "base/parallel.h"

namespace phlo::models {
namespace {

constexpr float thinnest = 0.02f;      ///< films below this are left to dry [cells]
constexpr float just_inside = 1e-3f;   ///< what a film's cell gets for phi [cells]

/// phi at the wall before cell c; `away` leads from the wall to the next cell.
float at_wall(const float* c, std::ptrdiff_t away) { return c[0] - 0.5f * std::max(0.f, c[away] - c[0]); }

}  // namespace

void count_films(const flow::Walls& walls, const flow::Solids& solids, double h, const field::Grid& phi, field::Grid& wet) {
    const field::Layout& layout = phi.layout();
    const Vec3i n = layout.cells();
    std::copy(phi.storage().begin(), phi.storage().end(), wet.storage().begin());
    const float reach = float(0.5 * h), film = -thinnest * float(h), inside = -just_inside * float(h);
    const std::ptrdiff_t step[3] = {1, layout.stride_y(), layout.stride_z()};
    const auto closed = [&](int w) { return walls[std::size_t(w)].kind != flow::WallKind::open; };
    parallel_for(n.z, [&](int k) {
        for (int j = 0; j < n.y; ++j) {
            float* to = wet.row(j, k);
            const auto look = [&](int i, std::ptrdiff_t away) {
                const float* c = phi.row(j, k) + i;
                if (*c >= 0 && *c < reach && at_wall(c, away) < film) to[i] = inside;
            };
            if (n.x > 1 && closed(0)) look(0, step[0]);
            if (n.x > 1 && closed(1)) look(n.x - 1, -step[0]);
            for (const int w : {2, 3, 4, 5}) {
                const int axis = w / 2, at = axis == 1 ? j : k;
                if (n[axis] < 2 || !closed(w) || at != (w % 2 ? n[axis] - 1 : 0)) continue;
                for (int i = 0; i < n.x; ++i) look(i, w % 2 ? -step[axis] : step[axis]);
            }
            if (!solids.present()) continue;
            const auto span = solids.span[std::size_t(k) * std::size_t(n.y + 1) + std::size_t(j)];
            for (int i = std::max(0, span.first); i < std::min(n.x, span.last); ++i) {
                const float* c = phi.row(j, k) + i;
                const float* d = solids.distance.row(j, k) + i;
                if (!(*c >= 0 && *c < 2 * reach && *d > 0 && *d < 2 * reach) || solids.covered(i, j, k)) continue;
                float along = 0;   // the slope of phi away from the body
                for (const std::ptrdiff_t s : step) along += (c[s] - c[-s]) * (d[s] - d[-s]);
                along /= 4 * float(h * h);
                if (*c - *d * std::clamp(along, 0.f, 1.f) < film) to[i] = inside;
            }
        }
    });
}

}  // namespace phlo::models
