// The velocity far from the vorticity: what the box's edge needs to know of the empty space around it.
//
//   const VortexClusters clusters(lattice, vorticity, filled);
//   set_far_velocity(lattice, clusters, u);              // into the ghosts next to the box, of the three components
//
// Biot and Savart's law u(x) = 1/(4 pi) sum Gamma x r / r^3 with r = x - y, where blocks of 4 x 4 x 4 nodes act as one cluster by their total strength and
// first moments about their middle. With M_ab = sum d_a Gamma_b, d from the middle, a cluster adds
//
//      4 pi u = (Gamma x r + A) / r^3 + 3 (M^T r) x r / r^5,        A = (M_yz - M_zy, M_zx - M_xz, M_xy - M_yx)
//
// Eight such blocks make a larger one, and so on: from a side of the box those are seen that are at least twice their own size away [barnes1986].
// The edge is some cells away from all vorticity, where the velocity is smooth: it is computed at every fourth node and continued by cubics.
#pragma once
#include <array>
#include <span>
#include <vector>

#include "field/grid.h"
#include "models/vortex_fire/lattice.h"
#include "models/vortex_fire/node_rows.h"

namespace phlo::models {

struct VortexCluster {
    Vec3f middle;                       ///< weighted by |omega| [m]
    Vec3f strength;                     ///< [m^3/s]
    std::array<float, 9> moment{};      ///< M_ab, b fastest [m^4/s]
    float weight = 0;                   ///< sum of |omega|; 0: there is nothing [1/s]
};

class VortexClusters {
public:
    /// `filled`: where the vorticity is not zero.
    VortexClusters(const VortexLattice& lattice, const NodeValues<4>& vorticity, const NodeRows& filled);

    /// Those that stand for all vorticity at places in the plane of nodes number `at` across `axis`.
    std::vector<VortexCluster> seen_from(int axis, int at) const;

private:
    /// Blocks of one size, x fastest.
    struct Level {
        int side;                       ///< of a block [nodes]
        Vec3i blocks;
        std::vector<VortexCluster> cluster;

        const VortexCluster& operator()(const Vec3i& b) const { return cluster[(std::size_t(b.z) * std::size_t(blocks.y) + std::size_t(b.y)) * std::size_t(blocks.x) + std::size_t(b.x)]; }
    };
    void collect(std::size_t level, const Vec3i& block, int axis, int at, std::vector<VortexCluster>& seen) const;

    std::vector<Level> levels_;         ///< the smallest blocks first
};

/// At places that are not inside a cluster.
void far_velocity(std::span<const VortexCluster> clusters, std::span<const Vec3f> places, std::span<Vec3f> velocity);

void set_far_velocity(const VortexLattice& lattice, const VortexClusters& clusters, std::array<field::Grid, 3>& u);

}  // namespace phlo::models
