// The velocity of a vorticity on a lattice: laplace(u) = -curl(omega), three Poisson equations that differ in their right-hand sides only
// [cottet2000, sec. 8.2].
//
//   LatticeVelocity velocity;
//   velocity.fit(lattice, LatticeVelocity::Edge::far);   // keeps what it knows of the part of space that both boxes share
//   velocity.solve(vorticity, filled, 1e-3);             // from where it was: a cycle or two of multigrid in a running fire
//   velocity.component(0)(i, j, k);                      // u_x [m/s] at a node
//
//     far: the ghosts next to the box have the velocity            closed: a free-slip wall half a cell beyond the outermost nodes,
//     that the vorticity gives them (far_field.h)                  the flow beyond which is its mirror image
//
// Both differences are central, so that the discrete divergence of u vanishes as the discrete divergence of a curl does.
#pragma once
#include <array>
#include <memory>

#include "field/grid.h"
#include "models/vortex_fire/lattice.h"
#include "models/vortex_fire/node_rows.h"
#include "numerics/poisson.h"

namespace phlo::models {

class LatticeVelocity {
public:
    enum class Edge { far, closed };

    void fit(const VortexLattice& lattice, Edge edge);
    const VortexLattice& lattice() const { return lattice_; }

    struct Report {
        int iterations = 0;       ///< multigrid cycles of the three components together
        double residual = 0;      ///< the worst of the three, relative
    };
    /// With closed walls the vorticity's ghosts must hold its mirror image, else 0. `filled`: where it is not zero.
    Report solve(const NodeValues<4>& vorticity, const NodeRows& filled, double tolerance);

    const field::Grid& component(int axis) const { return u_[std::size_t(axis)]; }
    std::array<field::Grid, 3>& components() { return u_; }
    std::size_t bytes() const;

private:
    void set_ghosts(const NodeValues<4>& vorticity, const NodeRows& filled);
    void mirror_ghosts(int component);
    std::array<double, 3> find_defects(const NodeValues<4>& vorticity, const NodeRows& turning);
    numerics::PoissonSolver::Status correct(int component, double tolerance);
    numerics::PoissonSolver& solver(int component);

    VortexLattice lattice_;
    Edge edge_ = Edge::far;
    std::array<field::Grid, 3> u_, defect_;
    std::array<std::unique_ptr<numerics::PoissonSolver>, 3> solvers_;   ///< one for all components if the edge is far
};

}  // namespace phlo::models
