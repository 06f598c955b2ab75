#include "models/vortex_fire/follow_box.h"

#include <algorithm>
#include <cmath>

namespace phlo::models {
namespace {

constexpr int wanted = 8, least = 5, multiple = 8;   ///< nodes between what is needed and the edge, and in the box's sides

double count(const Vec3i& cells) { return double(cells.x) * cells.y * cells.z; }

int rounded_down(double x, int to) { return int(std::floor(x / to)) * to; }

VortexLattice fitting(double h, const FollowParams& params) {
    VortexLattice box{.h = h};
    for (int axis = 0; axis < 3; ++axis) {
        box.first[axis] = rounded_down(std::floor(params.needed.lower[axis] / h) - wanted, multiple);
        box.cells[axis] = -rounded_down(-(std::ceil(params.needed.upper[axis] / h) + wanted), multiple) - box.first[axis];
    }
    // Too large: one row after the other off the side that is farthest from the anchor.
    const Vec3d anchor = params.anchor / h;
    while (count(box.cells) > params.max_cells) {
        int side = -1;
        double farthest = -1;
        for (int s = 0; s < 6; ++s) {
            const int axis = s / 2;
            if (box.cells[axis] <= 2 * multiple) continue;
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
    if (!params.limits.empty()) {
        within.needed.lower = min(max(params.needed.lower, params.limits.lower), params.limits.upper);
        within.needed.upper = max(min(params.needed.upper, params.limits.upper), within.needed.lower);
    }
    const VortexLattice fresh = fitting(h, within);
    if (count(now.cells) == 0 || count(now.cells) > 2 * count(fresh.cells)) return fresh;
    for (int axis = 0; axis < 3; ++axis) {
        const int low = std::max(int(std::floor(within.needed.lower[axis] / h)) - least, fresh.first[axis]);
        const int high = std::min(int(std::ceil(within.needed.upper[axis] / h)) + least, fresh.first[axis] + fresh.cells[axis]);
        if (low < now.first[axis] || high > now.first[axis] + now.cells[axis]) return fresh;
    }
    return now;
}

}  // namespace phlo::models
