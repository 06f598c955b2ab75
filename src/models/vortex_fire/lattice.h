// The lattice of a vortex fire: a box of nodes that follows the vorticity, and several numbers at each node, side by side in memory.
//
//   VortexLattice lattice{.first = {-32, -32, 0}, .cells = {64, 64, 96}, .h = 0.02};
//   NodeValues<4> vorticity;
//   vorticity.fit(lattice);                              // all zero
//   float* omega = vorticity.node(i, j, k);              // omega[0], omega[1], omega[2]; ghosts reach from -2 to n + 1
//
// Nodes are the centres of cubic cells. They belong to one lattice that is fixed in the world, so that nothing shifts when the box does.
#pragma once
#include <array>

#include "base/memory.h"
#include "base/parallel.h"
#include "field/domain.h"

namespace phlo::models {

struct VortexLattice {
    Vec3i first{};          ///< the box's lowest node, counted in the lattice of the world
    Vec3i cells{};
    double h = 1;           ///< spacing [m]

    field::Domain domain() const { return {cells, Vec3d(first) * h, h}; }
    double cell_volume() const { return h * h * h; }
    bool contains(int i, int j, int k) const { return i >= 0 && j >= 0 && k >= 0 && i < cells.x && j < cells.y && k < cells.z; }
    Vec3f node_position(int i, int j, int k) const { return Vec3f(domain().cell_center(i, j, k)); }
    friend bool operator==(const VortexLattice&, const VortexLattice&) = default;
};

template <int channels>
class NodeValues {
public:
    static constexpr int ghost = 2;

    /// The size of the box; every value is then 0.
    void fit(const VortexLattice& lattice) {
        if (!resize(lattice)) parallel_for(cells_.z + 2 * ghost, [&](int k) { std::fill_n(buffer_.data() + k * stride_z_, stride_z_, 0.0f); });
    }
    /// The size of the box, for who is going to set every value that is read. Returns whether the size is another; then all is 0, else as it was.
    bool resize(const VortexLattice& lattice) {
        if (!empty() && lattice.cells == cells_) return false;
        const Vec3i n = lattice.cells + Vec3i(2 * ghost);
        stride_y_ = std::ptrdiff_t(channels) * n.x, stride_z_ = stride_y_ * n.y;
        const std::size_t count = std::size_t(stride_z_) * std::size_t(n.z);
        cells_ = lattice.cells;
        buffer_ = Buffer(count);   // zeroed
        return true;
    }

    float* node(int i, int j, int k) { return buffer_.data() + offset(i, j, k); }
    const float* node(int i, int j, int k) const { return buffer_.data() + offset(i, j, k); }
    const float* number(std::ptrdiff_t n) const { return buffer_.data() + n * channels; }   ///< node number n, x fastest, ghosts counted
    std::ptrdiff_t stride_y() const { return stride_y_; }   ///< floats from one row of nodes to the next
    std::ptrdiff_t stride_z() const { return stride_z_; }
    Vec3i cells() const { return cells_; }
    bool empty() const { return buffer_.size() == 0; }
    std::size_t bytes() const { return buffer_.bytes(); }
    std::span<float> storage() { return buffer_.span(); }

private:
    std::ptrdiff_t offset(int i, int j, int k) const { return (i + ghost) * channels + (j + ghost) * stride_y_ + (k + ghost) * stride_z_; }

    Vec3i cells_;
    std::ptrdiff_t stride_y_ = 0, stride_z_ = 0;
    Buffer buffer_;
};

/// From places in the world to places among the nodes.
class NodeFinder {
public:
    explicit NodeFinder(const VortexLattice& lattice)
        : origin_((Vec3d(lattice.first) + Vec3d(0.5)) * lattice.h), per_h_(float(1 / lattice.h)), last_(Vec3f(lattice.cells) - Vec3f(1.0f)) {}

    /// In units of the spacing, from the centre of the lowest node.
    Vec3f nodes_from_world(const Vec3f& p) const { return {(p.x - float(origin_.x)) * per_h_, (p.y - float(origin_.y)) * per_h_, (p.z - float(origin_.z)) * per_h_}; }

    /// Not more than `margin` cells beyond the outermost nodes.
    bool near(const Vec3f& p, float margin) const {
        const Vec3f at = nodes_from_world(p);
        return at.x >= -margin && at.y >= -margin && at.z >= -margin && at.x <= last_.x + margin && at.y <= last_.y + margin && at.z <= last_.z + margin;
    }

private:
    Vec3d origin_;
    float per_h_;
    Vec3f last_;
};

}  // namespace phlo::models
