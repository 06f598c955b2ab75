#include "flow/reach.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/parallel.h"
#include "particles/columns.h"

namespace phlo::flow {
namespace {

/// visit(neighbour) for those that an open face leads to.
template <class Visit>
void for_each_open_neighbour(const Solids& solids, const Vec3i& n, const Vec3i& c, const Visit& visit) {
    for (int axis = 0; axis < 3; ++axis)
        for (const int way : {-1, 1}) {
            Vec3i to = c, face = c;
            to[axis] += way;
            if (way > 0) face[axis] += 1;
            if (to[axis] >= 0 && to[axis] < n[axis] && solids.aperture[axis](face.x, face.y, face.z) > 0) visit(to);
        }
}

/// A walk through open faces, from cell to cell.
class Walk {
public:
    Walk(const Solids& solids, const field::Grid& before) : solids_(solids), before_(before), n_(before.layout().cells()) {}

    /// Was one of the cells liquid that can be reached within `cells` of this one along each axis?
    bool finds_liquid(const Vec3i& start, int cells) {
        cells_ = cells, side_ = 2 * cells + 1, start_ = start;
        seen_.assign(std::size_t(side_) * std::size_t(side_) * std::size_t(side_), 0);
        queue_.assign(1, start);
        see(start);
        for (std::size_t at = 0; at < queue_.size(); ++at) {
            const Vec3i c = queue_[at];
            if (before_(c.x, c.y, c.z) < 0 && solids_.volume(c.x, c.y, c.z) > 0) return true;
            for_each_open_neighbour(solids_, n_, c, [&](const Vec3i& to) {
                const Vec3i away = to - start;
                if (std::max({std::abs(away.x), std::abs(away.y), std::abs(away.z)}) <= cells_ && see(to)) queue_.push_back(to);
            });
        }
        return false;
    }

private:
    bool see(const Vec3i& c) {
        const Vec3i d = c - start_ + Vec3i(cells_);
        std::uint8_t& seen = seen_[(std::size_t(d.z) * std::size_t(side_) + std::size_t(d.y)) * std::size_t(side_) + std::size_t(d.x)];
        return std::exchange(seen, std::uint8_t(1)) == 0;
    }

    const Solids& solids_;
    const field::Grid& before_;
    Vec3i n_, start_;
    int cells_ = 0, side_ = 1;
    std::vector<std::uint8_t> seen_;
    std::vector<Vec3i> queue_;
};

/// That the liquid in a cell may have come from, in a straight line along an axis.
int cells_crossed(const Reach& how, int i, int j, int k) {
    const field::MacGrid& u = *how.u;
    const float most = std::max({std::fabs(u.x(i, j, k)), std::fabs(u.x(i + 1, j, k)), std::fabs(u.y(i, j, k)), std::fabs(u.y(i, j + 1, k)),
                                 std::fabs(u.z(i, j, k)), std::fabs(u.z(i, j, k + 1))});
    constexpr double farthest = 8;   // what a level set's band can bear in a step, and more
    return int(std::ceil(std::min(double(most) * how.dt / how.h, farthest))) + 1;
}

std::vector<int> joined(const std::vector<std::vector<int>>& parts) {
    std::vector<int> all;
    for (const auto& part : parts) all.insert(all.end(), part.begin(), part.end());
    return all;
}

}  // namespace

std::vector<int> dry_skins(const Solids& solids, field::Grid& phi) {
    if (!solids.present()) return {};
    const field::Layout& layout = phi.layout();
    const Vec3i n = layout.cells();
    std::vector<std::vector<int>> of_plane(std::size_t(n.z));
    std::vector<std::vector<float>> air(std::size_t(n.z));
    parallel_for(n.z, [&](int k) {
        for (int j = 0; j < n.y; ++j) {
            const float *level = phi.row(j, k), *distance = solids.distance.row(j, k), *open = solids.volume.row(j, k);
            for (int i = 0; i < n.x; ++i) {
                if (!(level[i] < 0 && distance[i] < 0 && open[i] > 0)) continue;
                constexpr float none = std::numeric_limits<float>::max();
                float least = none;
                for_each_open_neighbour(solids, n, {i, j, k}, [&](const Vec3i& to) {
                    if (solids.distance(to.x, to.y, to.z) >= 0) least = std::min(least, phi(to.x, to.y, to.z));
                });
                if (least < 0 || least == none) continue;
                of_plane[std::size_t(k)].push_back(int(layout.offset(i, j, k))), air[std::size_t(k)].push_back(least);
            }
        }
    });
    for (std::size_t k = 0; k < of_plane.size(); ++k)
        for (std::size_t c = 0; c < of_plane[k].size(); ++c) phi.storage()[std::size_t(of_plane[k][c])] = air[k][c];
    return joined(of_plane);
}

std::vector<int> deny_unreached(const Reach& how, const Solids& solids, const field::Grid& before, field::Grid& phi) {
    if (!solids.present()) return {};
    const field::Layout& layout = phi.layout();
    const Vec3i n = layout.cells();
    const float near = 0.9f * solids.far;
    std::vector<std::vector<int>> of_plane(std::size_t(n.z));
    parallel_for(n.z, [&](int k) {
        Walk walk(solids, before);
        for (int j = 0; j < n.y; ++j) {
            const float *now = phi.row(j, k), *old = before.row(j, k), *distance = solids.distance.row(j, k), *open = solids.volume.row(j, k);
            for (int i = 0; i < n.x; ++i)
                if (now[i] < 0 && old[i] >= 0 && distance[i] < near && open[i] > 0 && !walk.finds_liquid({i, j, k}, cells_crossed(how, i, j, k)))
                    of_plane[std::size_t(k)].push_back(int(layout.offset(i, j, k)));
        }
    });
    std::vector<int> denied = joined(of_plane);
    const float dry = solids.far / 3;  // a cell: nothing is near by that could be a film on the wall
    for (const int at : denied) phi.storage()[std::size_t(at)] = dry;
    return denied;
}

void remove_inside(const field::Layout& layout, const std::vector<int>& cells, Markers& markers) {
    if (cells.empty()) return;
    std::vector<bool> denied(layout.size());
    for (const int at : cells) denied[std::size_t(at)] = true;
    MarkerSet& set = markers.inside;
    std::vector<std::uint8_t> gone(set.x.size());
    constexpr int chunk = 4096;
    const auto nearest = [](float x) { return int(std::floor(x + 0.5f)); };
    parallel_for(int((set.x.size() + chunk - 1) / chunk), [&](int c) {
        for (std::size_t m = std::size_t(c) * chunk; m < std::min(set.x.size(), (std::size_t(c) + 1) * chunk); ++m)
            gone[m] = denied[std::size_t(layout.offset(nearest(set.x[m]), nearest(set.y[m]), nearest(set.z[m])))];
    });
    particles::remove_marked(gone, set);
}

}  // namespace phlo::flow
