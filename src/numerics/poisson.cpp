#include "numerics/poisson.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "numerics/components.h"
#include "numerics/conjugate.h"
#include "numerics/sweeps.h"

namespace phlo::numerics {

struct PoissonSolver::Impl {
    field::Layout layout;
    std::vector<Level> levels;
    Unknowns u;
    SealedGroups sealed;
};

PoissonSolver::PoissonSolver(const field::Layout& layout) : impl_(std::make_unique<Impl>()) {
    Impl& s = *impl_;
    s.layout = layout;
    s.u.x = field::Grid(layout), s.u.p = field::Grid(layout);
    setup({});
    PHLO_CHECK(s.levels[0].net.shape.fits(layout));
    s.levels[0].r = field::Grid(layout), s.levels[0].z = field::Grid(layout);
}

PoissonSolver::~PoissonSolver() = default;
PoissonSolver::PoissonSolver(PoissonSolver&&) noexcept = default;
PoissonSolver& PoissonSolver::operator=(PoissonSolver&&) noexcept = default;

field::Grid& PoissonSolver::rhs() { return impl_->levels[0].r; }
field::Grid& PoissonSolver::solution() { return impl_->u.x; }

void PoissonSolver::setup(const PoissonWeights& weights) {
    Impl& s = *impl_;
    s.u.open_x = {weights.open[0], weights.open[1]};
    build_hierarchy(make_network(s.layout, weights), s.levels);
    s.sealed = SealedGroups(s.levels[0].net);
}

PoissonSolver::Status PoissonSolver::solve(const Options& options) {
    Impl& s = *impl_;
    Level& level = s.levels[0];
    Status status;
    status.imbalance = s.sealed.remove_means(level.r);
    const double bb = prepare(level), target = options.tolerance * options.tolerance * bb;

    // Preconditioned conjugate gradients [shewchuk1994, B3]; the update of x is deferred to the pass that next reads p.
    double rr = bb, rho_before = 1, alpha = 0;
    while (rr > target && status.iterations < options.max_iterations) {
        const double rho = v_cycle(s.levels);
        const int i = status.iterations;
        if (i == 0) std::swap(s.u.p, level.z);
        const Advance stage = i == 0 ? Advance::first : i == 1 ? Advance::second : Advance::later;
        const double energy = advance(level, s.u, float(alpha), float(rho / rho_before), stage);
        if (!(energy > 0)) break;
        alpha = rho / energy;
        rho_before = rho;
        rr = reduce(level, s.u, float(alpha));
        ++status.iterations;
    }
    finish(level, s.u, float(alpha), status.iterations > 1, status.iterations > 0);
    s.sealed.remove_means(s.u.x);
    status.residual = bb > 0 ? std::sqrt(rr / bb) : 0;
    status.converged = rr <= target;
    return status;
}

std::size_t PoissonSolver::bytes() const {
    std::size_t total = impl_->u.x.bytes() + impl_->u.p.bytes() + impl_->sealed.bytes();
    for (const Level& level : impl_->levels) total += level.bytes();
    return total;
}

}  // namespace phlo::numerics
