// The velocity far from the vorticity: what the box's edge needs to know of the empty space around it.
//
//   std::vector<VortexCluster> clusters = cluster_vorticity(lattice, vorticity);
//   set_far_velocity(lattice, clusters, u);              // into the ghosts next to the box, of the three components
//
// Biot and Savart's law u(x) = 1/(4 pi) sum Gamma x r / r^3 with r = x - y, where blocks of 4 x 4 x 4 nodes act as one cluster by their total strength and
// first moments about their middle. With M_ab = sum d_a Gamma_b, d from the middle, a cluster adds
//
//      4 pi u = (Gamma x r + A) / r^3 + 3 (M^T r) x r / r^5,        A = (M_yz - M_zy, M_zx - M_xz, M_xy - M_yx)
//
// The edge is some cells away from all vorticity, where the velocity is smooth: it is computed at every fourth node and continued by cubics.
#pragma once
#include <array>
#include <span>
#include <vector>

#include "field/grid.h"
#include "models/vortex_fire/lattice.h"

namespace phlo::models {

struct VortexCluster {
    Vec3f middle;                       ///< weighted by |omega| [m]
    Vec3f strength;                     ///< [m^3/s]
    std::array<float, 9> moment{};      ///< M_ab, b fastest [m^4/s]
};

/// Blocks without vorticity are left out.
std::vector<VortexCluster> cluster_vorticity(const VortexLattice& lattice, const NodeValues<4>& vorticity);

/// At places that are not inside a cluster.
void far_velocity(std::span<const VortexCluster> clusters, std::span<const Vec3f> places, std::span<Vec3f> velocity);

void set_far_velocity(const VortexLattice& lattice, std::span<const VortexCluster> clusters, std::array<field::Grid, 3>& u);

}  // namespace phlo::models
