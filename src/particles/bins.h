// Neighbour search: points sorted into cubes, so that all points near a place lie in a few ranges of the sorted order.
//
//   Bins bins;
//   bins.build(points, side);
//   bins.order();                                     // indices of the points, cube by cube; within a cube as they were given
//   bins.for_each_range(place, [&](int first, int last) { for (int s = first; s < last; ++s) use(bins.order()[s]); });
//
// The ranges hold every point within `side` of the place, and others. Cubes belong to a lattice that is fixed in space: which points
// share a cube does not depend on points elsewhere.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "base/vec.h"

namespace phlo::particles {

class Bins {
public:
    void build(std::span<const Vec3f> points, double side);

    std::span<const int> order() const { return order_; }
    /// Cube of the lattice in which a place lies.
    Vec3i cube(const Vec3f& p) const;
    double side() const { return side_; }

    /// visit(first, last): ranges of order(), in a fixed order.
    template <class Visit>
    void for_each_range(const Vec3f& place, Visit&& visit) const {
        const Vec3i c = cube(place) - lowest_;
        const int i0 = std::max(c.x - 1, 0), i1 = std::min(c.x + 1, count_.x - 1);
        if (i0 > i1) return;
        for (int k = std::max(c.z - 1, 0); k <= std::min(c.z + 1, count_.z - 1); ++k)
            for (int j = std::max(c.y - 1, 0); j <= std::min(c.y + 1, count_.y - 1); ++j) {
                const int first = start_[at(i0, j, k)], last = start_[at(i1, j, k) + 1];
                if (first < last) visit(first, last);
            }
    }
    std::size_t bytes() const { return order_.capacity() * sizeof(int) + start_.capacity() * sizeof(int); }

private:
    std::size_t at(int i, int j, int k) const { return std::size_t(i) + std::size_t(count_.x) * (std::size_t(j) + std::size_t(count_.y) * std::size_t(k)); }

    double side_ = 1;
    Vec3i lowest_, count_;
    std::vector<int> start_, order_;
};

}  // namespace phlo::particles
