#include "particles/bins.h"

#include <cmath>

#include "base/error.h"

namespace phlo::particles {

Vec3i Bins::cube(const Vec3f& p) const {
    return {int(std::floor(double(p.x) / side_)), int(std::floor(double(p.y) / side_)), int(std::floor(double(p.z) / side_))};
}

void Bins::build(std::span<const Vec3f> points, double side) {
    PHLO_CHECK(side > 0);
    side_ = side;
    count_ = Vec3i();
    start_.assign(1, 0);
    order_.resize(points.size());
    if (points.empty()) return;
    Vec3f low = points[0], high = points[0];
    for (const Vec3f& p : points) low = min(low, p), high = max(high, p);
    lowest_ = cube(low);
    count_ = cube(high) - lowest_ + Vec3i(1);

    // A counting sort: how many in each cube, where each cube begins, then every point to its place.
    start_.assign(std::size_t(count_.x) * std::size_t(count_.y) * std::size_t(count_.z) + 1, 0);
    cube_of_.resize(points.size());
    for (std::size_t i = 0; i < points.size(); ++i) {
        const Vec3i c = cube(points[i]) - lowest_;
        cube_of_[i] = int(at(c.x, c.y, c.z));
        ++start_[std::size_t(cube_of_[i]) + 1];
    }
    for (std::size_t c = 1; c < start_.size(); ++c) start_[c] += start_[c - 1];
    next_.assign(start_.begin(), start_.end() - 1);
    for (std::size_t i = 0; i < points.size(); ++i) order_[std::size_t(next_[std::size_t(cube_of_[i])]++)] = int(i);
}

}  // namespace phlo::particles
