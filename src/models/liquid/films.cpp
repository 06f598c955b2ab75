#include "models/liquid/films.h"

#include <algorithm>
#include <cmath>

#include "base/parallel.h"

namespace phlo::models {
namespace {

constexpr float thinnest = 0.02f;      ///< films below this are left to dry [cells]
constexpr float just_inside = 1e-3f;   ///< what a film's cell gets for phi [cells]

/// Does a film lie between the wall and the centre of cell c? `away` leads from the wall to the next cell. A surface that meets the wall at an angle
/// is no film: there the pressure of still liquid must stay exact.
bool is_film(const float* c, std::ptrdiff_t away, float h) {
    constexpr float parallel = 0.9f;   // slope of phi away from the wall
    const float rise = c[away] - c[0];
    return rise > parallel * h && c[0] - 0.5f * rise < -thinnest * h;
}

}  // namespace

void count_films(const flow::Walls& walls, double h, const field::Grid& phi, field::Grid& wet) {
    const field::Layout& layout = phi.layout();
    const Vec3i n = layout.cells();
    std::copy(phi.storage().begin(), phi.storage().end(), wet.storage().begin());
    const float reach = float(0.5 * h), inside = -just_inside * float(h);
    const std::ptrdiff_t step[3] = {1, layout.stride_y(), layout.stride_z()};
    const auto closed = [&](int w) { return walls[std::size_t(w)].kind != flow::WallKind::open; };
    parallel_for(n.z, [&](int k) {
        for (int j = 0; j < n.y; ++j) {
            float* to = wet.row(j, k);
            const auto look = [&](int i, std::ptrdiff_t away) {
                const float* c = phi.row(j, k) + i;
                if (*c >= 0 && *c < reach && is_film(c, away, float(h))) to[i] = inside;
            };
            if (n.x > 1 && closed(0)) look(0, step[0]);
            if (n.x > 1 && closed(1)) look(n.x - 1, -step[0]);
            for (const int w : {2, 3, 4, 5}) {
                const int axis = w / 2, at = axis == 1 ? j : k;
                if (n[axis] < 2 || !closed(w) || at != (w % 2 ? n[axis] - 1 : 0)) continue;
                for (int i = 0; i < n.x; ++i) look(i, w % 2 ? -step[axis] : step[axis]);
            }
        }
    });
}

}  // namespace phlo::models
