// Makes the velocity's divergence what it is told to be: div u = phi, 0 for plain smoke [chorin1968, kang2007 eq. 8].
//
//   Projector projector(layout);
//   projector.set_up(walls, solids);
//   ProjectionReport report = projector.project(solids, phi, h, options, u);
//
// On cut cells the outflow of a cell counts the open part of each face with the gas's velocity and the covered part with the
// body's [batty2007, ng2009]:
//
//      sum_f s_f (a_f u_f + (1 - a_f) w_f) = h phi        a: open fraction, w: the body's velocity, s: +1 on upper faces
//
// Every face is counted once by each of its two cells, so a moving body neither makes nor swallows gas. The unknown is
// q = dt p / (rho h), with u = u* - (q_upper - q_lower) on each open face; the density and the time step cancel out.
//
// In a part of the domain with no open wall the total of phi must equal what flows in; what is missing is spread evenly over
// that part's cells (the mean is removed), and said once.
#pragma once
#include <functional>

#include "field/mac.h"
#include "flow/solids.h"
#include "flow/walls.h"
#include "numerics/poisson.h"

namespace phlo::flow {

struct ProjectionReport {
    int iterations = 0;
    double residual = 0;         ///< relative
    bool converged = true;
    double divergence_max = 0;   ///< |div u - phi| over the fluid cells [1/s]
    double divergence_rms = 0;   ///< [1/s]
    double imbalance = 0;        ///< mean divergence that a sealed part could not hold [1/s]
};

class Projector {
public:
    explicit Projector(const field::Layout& layout) : solver_(layout) {}

    /// Tell it when the walls' kinds or the bodies have changed; the first projection needs it too.
    void set_up(const Walls& walls, const Solids& solids);

    /// Bodies that the pressure moves (free_bodies.h); until the next set_up().
    void couple(std::vector<numerics::RankTerm> bodies) { solver_.add(std::move(bodies)); }

    /// `phi` [1/s] may be null. The walls and bodies in `u` must be enforced before. `respond` is told the pressure q as soon as it is
    /// known: coupled bodies then take their impulses and give `solids` their new velocities.
    ProjectionReport project(const Solids& solids, const field::Grid* phi, double h, const numerics::PoissonSolver::Options& options,
                             field::MacGrid& u, const std::function<void(const field::Grid& q)>& respond = {});

    const field::Grid& pressure() { return solver_.solution(); }  ///< q = dt p / (rho h) [m/s]
    std::size_t bytes() const { return solver_.bytes(); }

private:
    void fill_right_hand_side(const Solids& solids, const field::Grid* phi, double h, const field::MacGrid& u);
    void subtract_gradient(const Solids& solids, field::MacGrid& u);

    numerics::PoissonSolver solver_;
    std::array<bool, 6> open_{};
};

struct DivergenceError {
    double max = 0, rms = 0;   ///< [1/s]
};
/// |div u - phi| over the cells that have an open face.
DivergenceError divergence_error(const Solids& solids, const field::Grid* phi, double h, const field::MacGrid& u);

}  // namespace phlo::flow
