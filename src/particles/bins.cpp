#include "particles/bins.h"

#include <cmath>

#include "base/error.h"
#include "particles/order.h"

namespace phlo::particles {

Vec3i Bins::cube(const Vec3f& p) const {
    return {int(std::floor(double(p.x) / side_)), int(std::floor(double(p.y) / side_)), int(std::floor(double(p.z) / side_))};
}

void Bins::build(std::span<const Vec3f> points, double side) {
    PHLO_CHECK(side > 0);
    side_ = side;
    count_ = Vec3i();
    start_.assign(1, 0);
    order_.clear();
    if (points.empty()) return;
    Vec3f low = points[0], high = points[0];
    for (const Vec3f& p : points) low = min(low, p), high = max(high, p);
    lowest_ = cube(low);
    count_ = cube(high) - lowest_ + Vec3i(1);

    const int cubes = count_.x * count_.y * count_.z;
    std::vector<int> cube_of(points.size());
    for (std::size_t i = 0; i < points.size(); ++i) {
        const Vec3i c = cube(points[i]) - lowest_;
        cube_of[i] = int(at(c.x, c.y, c.z));
    }
    order_ = order_by(cube_of, cubes);
    start_.assign(std::size_t(cubes) + 1, int(points.size()));
    int next = 0;   // cube that begins next
    for (int s = 0; s < int(order_.size()); ++s)
        while (next <= cube_of[std::size_t(order_[std::size_t(s)])]) start_[std::size_t(next++)] = s;
}

}  // namespace phlo::particles
