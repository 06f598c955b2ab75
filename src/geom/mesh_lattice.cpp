#include "geom/mesh_lattice.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "base/parallel.h"
#include "geom/mesh_nearest.h"

namespace phlo::geom {
namespace {

constexpr int across = 48;  ///< lattice cells along the longest side
constexpr int margin = 6;  ///< lattice cells around the surface

}  // namespace

DistanceLattice::DistanceLattice(const field::TriangleMesh& mesh, const Bounds& bounds) {
    const Vec3d size = bounds.size();
    spacing_ = std::max({size.x, size.y, size.z}) / across;
    origin_ = bounds.lower - Vec3d(margin * spacing_);
    for (int axis = 0; axis < 3; ++axis) count_[axis] = int(std::ceil(size[axis] / spacing_)) + 2 * margin + 1;
    distance_.assign(index(0, 0, count_.z), std::numeric_limits<float>::infinity());
    nearest_.assign(distance_.size(), -1);

    const auto corner = [&](int t, int c) { return Vec3d(mesh.points[std::size_t(mesh.triangles[std::size_t(t)][c])]); };
    const auto offer = [&](int i, int j, int k, int t) {
        const Vec3d p = point(i, j, k);
        const float d = float(length(p - closest_on_triangle(p, corner(t, 0), corner(t, 1), corner(t, 2)).point));
        const std::size_t at = index(i, j, k);
        if (d < distance_[at]) distance_[at] = d, nearest_[at] = t;
    };

    // Next to the surface: every triangle tells the points around it
    for (int t = 0; t < int(mesh.triangles.size()); ++t) {
        Bounds box;
        for (int c = 0; c < 3; ++c) box.include(corner(t, c));
        const Vec3d low = (box.lower - origin_) / spacing_, high = (box.upper - origin_) / spacing_;
        for (int k = int(low.z); k <= int(high.z) + 1; ++k)
            for (int j = int(low.y); j <= int(high.y) + 1; ++j)
                for (int i = int(low.x); i <= int(high.x) + 1; ++i) offer(i, j, k, t);
    }
    // Elsewhere: pass the nearest triangle on, in sweeps along all eight diagonals
    for (int sweep = 0; sweep < 8; ++sweep) {
        const std::array<int, 3> step = {sweep & 1 ? -1 : 1, sweep & 2 ? -1 : 1, sweep & 4 ? -1 : 1};
        const auto start = [&](int axis) { return step[std::size_t(axis)] > 0 ? 1 : count_[axis] - 2; };
        const auto inside = [&](int axis, int i) { return i >= 0 && i < count_[axis]; };
        for (int k = start(2); inside(2, k); k += step[2])
            for (int j = start(1); inside(1, j); j += step[1])
                for (int i = start(0); inside(0, i); i += step[0])
                    for (const int from :
                         {nearest_[index(i - step[0], j, k)], nearest_[index(i, j - step[1], k)], nearest_[index(i, j, k - step[2])]})
                        if (from >= 0 && from != nearest_[index(i, j, k)]) offer(i, j, k, from);
    }
}

void DistanceLattice::set_signs(const std::function<bool(const Vec3d&, int)>& inside) {
    parallel_for(count_.z, [&](int k) {
        for (int j = 0; j < count_.y; ++j)
            for (int i = 0; i < count_.x; ++i)
                if (inside(point(i, j, k), nearest_[index(i, j, k)])) distance_[index(i, j, k)] *= -1;
    });
    nearest_ = {};
}

DistanceLattice::Estimate DistanceLattice::at(const Vec3d& p) const {
    const Vec3d q = (p - origin_) / spacing_;
    for (int axis = 0; axis < 3; ++axis)
        if (!(q[axis] >= 0 && q[axis] < count_[axis] - 1)) return {0, std::numeric_limits<double>::infinity()};
    const int i = int(q.x), j = int(q.y), k = int(q.z);
    const double x = q.x - i, y = q.y - j, z = q.z - k;
    double distance = 0, size = 0;
    for (int c = 0; c < 8; ++c) {
        const int a = c & 1, b = c >> 1 & 1, e = c >> 2;
        const double d = double(distance_[index(i + a, j + b, k + e)]), w = (a ? x : 1 - x) * (b ? y : 1 - y) * (e ? z : 1 - z);
        distance += w * d, size += w * std::fabs(d);
    }
    // |d(p)| <= |d(corner)| + |p - corner| for each corner, so the mean holds too; the mean way to the corners is at most 0.87.
    return {distance, size + error()};
}

}  // namespace phlo::geom
