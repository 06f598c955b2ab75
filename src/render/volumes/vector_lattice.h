// Vectors in the middles of a lattice's cells, side by side in memory: where all three components are wanted at points anywhere between.
//
//   VectorLattice v(cells);
//   v(i, j, k) = {1, 0, 0};
//   Vec3f here = v.sample({3.2f, 7, 1.5f});           // trilinear; cell centres are whole numbers, the outermost cells go on for ever
#pragma once
#include <algorithm>
#include <vector>

#include "field/trilinear.h"

namespace phlo::render {

class VectorLattice {
public:
    VectorLattice() = default;
    explicit VectorLattice(Vec3i cells) : cells_(cells), values_(std::size_t(cells.x) * std::size_t(cells.y) * std::size_t(cells.z)) {}

    Vec3i cells() const { return cells_; }
    Vec3f& operator()(int i, int j, int k) { return values_[index(i, j, k)]; }
    const Vec3f& operator()(int i, int j, int k) const { return values_[index(i, j, k)]; }
    /// Of a cell, or of the nearest one.
    const Vec3f& nearest(const Vec3i& c) const {
        return (*this)(std::clamp(c.x, 0, cells_.x - 1), std::clamp(c.y, 0, cells_.y - 1), std::clamp(c.z, 0, cells_.z - 1));
    }

    Vec3f sample(const Vec3f& p) const {
        const Place x(p.x, cells_.x), y(p.y, cells_.y), z(p.z, cells_.z);
        const Vec3f* low = &values_[index(x.low, y.low, z.low)];
        const std::size_t row = std::size_t(cells_.x) * std::size_t(y.next),
                          plane = std::size_t(cells_.x) * std::size_t(cells_.y) * std::size_t(z.next);
        return field::trilinear(x.part, y.part, z.part, [&](int i, int j, int k) {
            return low[std::size_t(i * x.next) + std::size_t(j) * row + std::size_t(k) * plane];
        });
    }

private:
    /// Between which two of `count` cells a coordinate lies.
    struct Place {
        int low, next;
        float part;
        Place(float p, int count) {
            const float inside = std::clamp(p, 0.f, float(count - 1));
            low = int(inside), next = low + 1 < count ? 1 : 0, part = inside - float(low);
        }
    };
    std::size_t index(int i, int j, int k) const {
        return std::size_t(i) + std::size_t(cells_.x) * (std::size_t(j) + std::size_t(cells_.y) * std::size_t(k));
    }

    Vec3i cells_;
    std::vector<Vec3f> values_;
};

}  // namespace phlo::render
