#include "flow/sticky_faces.h"

#include <algorithm>
#include <tuple>

#include "base/parallel.h"
#include "flow/face_bodies.h"

namespace phlo::flow {
namespace {

constexpr float nearest_wall = 0.1f;   ///< theta is held to [this, 1]: explicit steps get short with it

bool sticky_near(const Solids& solids, const Vec3i& cells, int j, int k) {
    for (const int b : {k - 1, k})
        for (const int a : {j - 1, j})
            if (a >= 0 && b >= 0 && a < cells.y && b < cells.z && solids.sticky_row[std::size_t(b) * std::size_t(cells.y) + std::size_t(a)]) return true;
    return false;
}

}  // namespace

StickyFaces::StickyFaces(const field::Domain& domain, const Solids& solids) {
    const auto no_slip = [](const Solids::Placed& p) { return p.body->no_slip; };
    if (std::ranges::none_of(solids.placed, no_slip)) return;
    empty_ = false;
    const bool all = std::ranges::all_of(solids.placed, no_slip);
    const field::Layout& layout = solids.distance.layout();
    const float h = float(domain.h), deep = -2 * h, at_surface = nearest_wall * h;
    for (int axis = 0; axis < 3; ++axis) {
        const Vec3i extent = face_extent(layout, axis);
        auto& planes = planes_[std::size_t(axis)];
        planes.assign(std::size_t(extent.z), {});
        const auto is_stuck = [&](const Vec3i& f) {
            const float d = face_distance(solids, axis, f);
            if (solids.aperture[axis](f.x, f.y, f.z) > 0 ? d > at_surface : d < deep) return false;
            return all || owner(solids, domain.face_center(axis, f.x, f.y, f.z)).body->no_slip;
        };
        parallel_for(extent.z, [&](int k) {
            for (int j = 0; j < extent.y; ++j) {
                if (!sticky_near(solids, layout.cells(), j, k)) continue;
                const Solids::Span s = solids.span[std::size_t(std::min(k, layout.nz())) * std::size_t(layout.ny() + 1) + std::size_t(std::min(j, layout.ny()))];
                for (int i = s.first; i <= std::min(s.last, extent.x - 1) && s.first < s.last; ++i)
                    if (is_stuck({i, j, k})) planes[std::size_t(k)].push_back({i, j, 0, body_velocity(domain, solids, axis, {i, j, k}), true});
            }
        });
        // Each stuck face pulls at its free neighbours.
        std::vector<std::vector<Pull>> pulls(planes.size());
        for (int k = 0; k < extent.z; ++k)
            for (const Pull& g : planes[std::size_t(k)])
                for (int across = 0; across < 3; ++across)
                    for (const int side : {-1, 1}) {
                        Vec3i f(g.i, g.j, k);
                        f[across] += side;
                        if (f[across] < 0 || f[across] >= extent[across] || !(solids.aperture[axis](f.x, f.y, f.z) > 0) || is_stuck(f)) continue;
                        const float more = wall_slope(solids, axis, f, {g.i, g.j, k}, nearest_wall) - 1;
                        if (more > 0) pulls[std::size_t(f.z)].push_back({f.x, f.y, more, g.velocity, false});
                    }
        for (std::size_t k = 0; k < planes.size(); ++k) {
            auto& plane = planes[k];
            plane.insert(plane.end(), pulls[k].begin(), pulls[k].end());
            std::ranges::stable_sort(plane, {}, [](const Pull& p) { return std::tuple(p.j, p.i, p.stuck); });
            double sum = 0;
            for (std::size_t n = 0; n < plane.size(); ++n) {
                const bool same = n > 0 && plane[n].i == plane[n - 1].i && plane[n].j == plane[n - 1].j;
                sum = (same ? sum : 6) + double(plane[n].more);
                exposed_ = std::max(exposed_, sum / 6);
            }
        }
    }
}

void StickyFaces::hold(field::MacGrid& u) const {
    for (int axis = 0; axis < 3; ++axis)
        for (std::size_t k = 0; k < planes_[std::size_t(axis)].size(); ++k)
            for (const Pull& p : planes_[std::size_t(axis)][k])
                if (p.stuck) u[axis](p.i, p.j, int(k)) = p.velocity;
}

}  // namespace phlo::flow
