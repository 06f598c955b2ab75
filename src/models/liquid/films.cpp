#include "models/liquid/films.h"

#include <algorithm>
#include <cmath>

#include "base/parallel.h"
#include "flow/outflow.h"
#include "models/liquid/thick_body.h"

namespace phlo::models {
namespace {

constexpr float thinnest = 0.02f;      ///< films below this are left to dry [cells]
constexpr float just_inside = 1e-3f;   ///< what a film's cell gets for phi [cells]
constexpr float parallel = 0.9f;       ///< slope of phi away from the wall: a surface that meets it at an angle is no film, there the pressure of still liquid must stay exact
constexpr float facing = 0.6f;         ///< the same, of liquid that falls onto a body
constexpr float landing = 0.2f;        ///< it has landed when it is as near as this to the body, which keeps markers a tenth of a cell away [cells]

/// Does a film lie between the wall and the centre of cell c? `away` leads from the wall to the next cell.
bool is_film(const float* c, std::ptrdiff_t away, float h) {
    const float rise = c[away] - c[0];
    return rise > parallel * h && c[0] - 0.5f * rise < -thinnest * h;
}

/// Cells that a body cuts, where the surface runs along the body's: what counts is whether there is liquid at the body, not at the cell's centre.
class BodyFilms {
public:
    BodyFilms(const flow::Solids& solids, const Vec3d& gravity, double h, const field::Grid& phi)
        : solids_(solids), phi_(phi), gravity_(gravity), h_(float(h)), step_{1, phi.layout().stride_y(), phi.layout().stride_z()} {}

    /// phi of a cell, or a little less than 0 where it holds liquid nevertheless.
    float operator()(int i, int j, int k) const {
        const float level = phi_(i, j, k);
        if (!(level >= 0 && level < h_ && std::fabs(solids_.distance(i, j, k)) < h_ && solids_.volume(i, j, k) > 0)) return level;
        const std::ptrdiff_t at = phi_.layout().offset(i, j, k);
        const float *phi = phi_.storage().data() + at, *distance = solids_.distance.storage().data() + at;
        Vec3f normal;
        float slope = 0;
        for (int a = 0; a < 3; ++a) normal[a] = distance[step_[a]] - distance[-step_[a]], slope += normal[a] * (phi[step_[a]] - phi[-step_[a]]);
        const float size = length(normal);
        if (!(size > 0)) return level;
        slope /= size * 2 * h_;   // along the body's normal
        const float at_body = level - *distance * slope;
        const bool film = slope > parallel && at_body < -thinnest * h_ && is_thick(solids_, double(h_), {i, j, k}, normal / size),
                   landed = slope < -facing && at_body < landing * h_ && dot(normal / size, gravity_) < -facing * length(gravity_);   // not still water under a body
        return film || landed ? -just_inside * h_ : level;
    }

private:
    const flow::Solids& solids_;
    const field::Grid& phi_;
    Vec3f gravity_;
    float h_;
    std::ptrdiff_t step_[3];
};

}  // namespace

void count_films(const flow::Walls& walls, const flow::Solids& solids, const Vec3d& gravity, double h, const field::Grid& phi, field::Grid& wet) {
    const field::Layout& layout = phi.layout();
    const Vec3i n = layout.cells();
    std::copy(phi.storage().begin(), phi.storage().end(), wet.storage().begin());
    const float reach = float(0.5 * h), inside = -just_inside * float(h);
    const std::ptrdiff_t step[3] = {1, layout.stride_y(), layout.stride_z()};
    const auto closed = [&](int w) { return walls[std::size_t(w)].kind != flow::WallKind::open; };
    const BodyFilms on_body(solids, gravity, h, phi);
    parallel_for(n.z, [&](int k) {
        for (int j = 0; j < n.y; ++j) {
            float* to = wet.row(j, k);
            if (is_special_row(solids, layout, j, k))
                for (int i = 0; i < n.x; ++i) to[i] = on_body(i, j, k);
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
