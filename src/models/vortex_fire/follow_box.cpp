#include "models/vortex_fire/follow_box.h"

#include <algorithm>
#include <cmath>

namespace phlo::models {
namespace {

constexpr int margin = 5, multiple = 8;   ///< nodes between what is needed and the edge, or more; and in the box's sides
constexpr int narrowest = 2 * multiple;              ///< side of a box

double count(const Vec3i& cells) { return double(cells.x) * cells.y * cells.z; }

int rounded_down(double x, int to) { return int(std::floor(x / to)) * to; }

field::Bounds cut(const field::Bounds& box, const field::Bounds& limits) {
    const Vec3d lower = min(max(box.lower, limits.lower), limits.upper);
    return {lower, max(min(box.upper, limits.upper), lower)};
}

VortexLattice fitting(double h, const FollowParams& params) {
    VortexLattice box{.h = h};
    const Vec3d anchor = params.anchor / h;
    for (int axis = 0; axis < 3; ++axis) {
        box.first[axis] = rounded_down(std::floor(params.needed.lower[axis] / h) - margin, multiple);
        box.cells[axis] = -rounded_down(-(std::ceil(params.needed.upper[axis] / h) + margin), multiple) - box.first[axis];
    }
    // Too large: one row after the other off the side that is farthest from the anchor.
    while (count(box.cells) > params.max_cells) {
        int side = -1;
        double farthest = -1;
        for (int s = 0; s < 6; ++s) {
            const int axis = s / 2;
            if (box.cells[axis] <= narrowest) continue;
            const double away = s % 2 ? box.first[axis] + box.cells[axis] - anchor[axis] : anchor[axis] - box.first[axis];
            if (away > farthest) farthest = away, side = s;
        }
        if (side < 0) break;
        box.cells[side / 2] -= multiple;
        if (side % 2 == 0) box.first[side / 2] += multiple;
    }
    return box;
}

}  // namespace

VortexLattice closed_lattice(const field::Bounds& box, double h) {
    VortexLattice lattice{.h = h};
    for (int axis = 0; axis < 3; ++axis) {
        lattice.first[axis] = int(std::lround(box.lower[axis] / h));
        lattice.cells[axis] = std::max(4, int(std::lround(box.upper[axis] / h)) - lattice.first[axis]);
    }
    return lattice;
}

VortexLattice follow(const VortexLattice& now, double h, const FollowParams& params) {
    FollowParams within = params;
    if (!params.limits.empty()) within.needed = cut(params.needed, params.limits);
    // Not even the narrowest box reaches farther from the anchor. What flew away beyond all numbers of nodes must not be counted in them.
    const Vec3d reach((params.max_cells / (narrowest * narrowest) + narrowest) * h);
    within.needed = cut(within.needed, {params.anchor - reach, params.anchor + reach});
    const VortexLattice fresh = fitting(h, within);
    if (count(now.cells) == 0 || count(now.cells) > 2 * count(fresh.cells)) return fresh;
    for (int axis = 0; axis < 3; ++axis) {
        const int low = std::max(int(std::floor(within.needed.lower[axis] / h)) - margin, fresh.first[axis]);
        const int high = std::min(int(std::ceil(within.needed.upper[axis] / h)) + margin, fresh.first[axis] + fresh.cells[axis]);
        if (low < now.first[axis] || high > now.first[axis] + now.cells[axis]) return fresh;
    }
    return now;
}

}  // namespace phlo::models
