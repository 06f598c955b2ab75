#include "flow/surface.h"

#include <algorithm>
#include <cmath>

#include "base/parallel.h"

namespace phlo::flow {
namespace {

int nearest_body(const Solids& solids, const Vec3d& p) {
    int best = 0;
    double least = 1e300;
    for (std::size_t b = 0; b < solids.placed.size() && solids.placed.size() > 1; ++b)
        if (const double d = solids.placed[b].signed_distance(p); d < least) least = d, best = int(b);
    return best;
}

/// visit(axis, face, its open share) for the six faces of a cell.
template <class Visit>
void for_each_face(const Solids& solids, Vec3i cell, const Visit& visit) {
    for (int axis = 0; axis < 3; ++axis)
        for (int side = 0; side < 2; ++side) {
            Vec3i f = cell;
            f[axis] += side;
            visit(axis, f, double(solids.aperture[axis](f.x, f.y, f.z)));
        }
}

double room_in(const field::Grid* room, const Vec3i& c) { return room == nullptr ? 1.0 : double((*room)(c.x, c.y, c.z)); }

}  // namespace

std::vector<SurfaceCell> surface_cells(const field::Domain& domain, const Solids& solids) {
    if (!solids.present()) return {};
    const Vec3i n = domain.cells;
    const field::MacGrid& a = solids.aperture;
    std::vector<std::vector<SurfaceCell>> planes(std::size_t(n.z));
    parallel_for(n.z, [&](int k) {
        for (int j = 0; j < n.y; ++j) {
            const Solids::Span s = solids.span[std::size_t(k) * std::size_t(n.y + 1) + std::size_t(j)];
            for (int i = s.first; i < s.last; ++i) {
                if (solids.covered(i, j, k)) continue;
                const Vec3d missing(Vec3f(a.x(i, j, k) - a.x(i + 1, j, k), a.y(i, j, k) - a.y(i, j + 1, k), a.z(i, j, k) - a.z(i, j, k + 1)));
                const double size = length(missing);
                if (!(size > 1e-3)) continue;
                planes[std::size_t(k)].push_back(
                    {{i, j, k}, nearest_body(solids, domain.cell_center(i, j, k)), size * domain.h * domain.h, missing / size});
            }
        }
    });
    std::vector<SurfaceCell> all;
    for (const auto& plane : planes) all.insert(all.end(), plane.begin(), plane.end());
    return all;
}

double exchange_heat(const HeatExchange& how, std::span<const SurfaceCell> surface, std::span<const HotBody> hot, field::Grid& excess) {
    const auto capacity = [&](const SurfaceCell& s) { return how.gas_capacity * how.h * how.h * how.h * room_in(how.room, s.cell); };
    double changed = 0;
    for (const HotBody& body : hot) {
        // What the gas of a cell takes for each kelvin between them.
        const auto taken = [&](const SurfaceCell& s) { return capacity(s) * -std::expm1(-body.transfer * s.area * how.dt / capacity(s)); };
        double heat = 0, per_kelvin = 0;
        for (const SurfaceCell& s : surface) {
            if (s.body != body.body) continue;
            per_kelvin += taken(s);
            heat += taken(s) * (how.ambient + double(excess(s.cell.x, s.cell.y, s.cell.z)));
        }
        double& temperature = *body.temperature;
        if (body.capacity > 0) temperature = (body.capacity * temperature + heat) / (body.capacity + per_kelvin);
        for (const SurfaceCell& s : surface) {
            if (s.body != body.body) continue;
            float& q = excess(s.cell.x, s.cell.y, s.cell.z);
            const double before = double(q);
            q = float(before + taken(s) / capacity(s) * (temperature - how.ambient - before));
            changed += (double(q) - before) * room_in(how.room, s.cell);
        }
    }
    return changed;
}

void rub(const BodySurroundings& around, const Solids& solids, std::span<const SurfaceCell> surface, std::span<const geom::Body> bodies, double dt,
         FreeBodies& free, field::MacGrid& u) {
    const double h = around.domain.h, cell_mass = around.gas_density * h * h * h;
    for (const SurfaceCell& s : surface) {
        const geom::Body& body = bodies[std::size_t(s.body)];
        if (!body.free || !(body.free->drag > 0)) continue;
        // The gas's velocity in the cell, from the open parts of its faces.
        const Vec3i c = s.cell;
        std::array<double, 3> open{};
        Vec3d gas;
        for_each_face(solids, c, [&](int axis, Vec3i f, double a) {
            open[std::size_t(axis)] += a;
            gas[axis] += a * double(u[axis](f.x, f.y, f.z));
        });
        const Vec3d at = around.domain.cell_center(c.x, c.y, c.z), wall = solids.placed[std::size_t(s.body)].velocity_at(at);
        for (int axis = 0; axis < 3; ++axis) gas[axis] = open[std::size_t(axis)] > 0 ? gas[axis] / open[std::size_t(axis)] : wall[axis];
        const Vec3d v = gas - wall, slide = v - s.normal * dot(v, s.normal);
        // |v| v friction, implicit: it stops the gas at most. A cell owns half of each of its faces.
        const double strength = 0.5 * body.free->drag * s.area / (h * h * h * std::max(double(solids.volume(c.x, c.y, c.z)), 0.25));
        const double share = 1 - 1 / (1 + strength * length(slide) * dt);
        Vec3d impulse;
        for_each_face(solids, c, [&](int axis, Vec3i f, double a) {
            const int along = f[axis];
            if (!(a > 0) || ((along == 0 || along == around.domain.cells[axis]) &&
                             around.walls[std::size_t(2 * axis + (along > 0))].kind != WallKind::open))
                return;
            float& value = u[axis](f.x, f.y, f.z);
            const float before = value;
            value = float(double(before) - 0.5 * share * slide[axis]);
            impulse[axis] += cell_mass * a * (double(before) - double(value));
        });
        free.push(s.body, at, impulse);
    }
}

void hold_on_surface(std::span<const SurfaceCell> surface, int body, double value, double thickness, double h, field::Grid& q,
                     const field::Grid* room) {
    for (const SurfaceCell& s : surface)
        if (s.body == body) q(s.cell.x, s.cell.y, s.cell.z) += float(value * s.area * thickness / (h * h * h * room_in(room, s.cell)));
}

}  // namespace phlo::flow
