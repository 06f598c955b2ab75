#include "numerics/poisson.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "numerics/band.h"
#include "numerics/components.h"
#include "numerics/conjugate.h"
#include "numerics/split_terms.h"

namespace phlo::numerics {

struct PoissonSolver::Impl {
    field::Layout layout;
    std::vector<Level> levels;
    Band band;
    Unknowns u;
    field::Grid b;  ///< a copy of the right-hand side, once a tight tolerance was asked for
    SealedGroups sealed;
    SplitTerms terms;

    double iterate(double target, double rr, int max_iterations, int& iterations, bool& started);
};

/// Preconditioned conjugate gradients on r, until r . r <= target. Adds to x; returns r . r.
///
/// The energy of the new direction p = z + beta p_before is z . A z - beta rho / alpha_before, since the residuals are orthogonal to each
/// other's z [chronopoulos1989]; the V-cycle hands out z . A z as it goes. So alpha is known before p is, and one pass does the rest. Where
/// convergence is slow the two terms are alike and their difference is lost in rounding: from then on p comes first and is asked itself.
double PoissonSolver::Impl::iterate(double target, double rr, int max_iterations, int& iterations, bool& started) {
    constexpr double trusted_part = 0.95;  // of z . A z that must be left
    Level& level = levels[0];
    double rho_before = 0, alpha = 0;
    bool waiting = false;  // does x still lack alpha p?
    bool direct = !terms.empty();
    while (rr > target && iterations < max_iterations) {
        const bool first = alpha == 0;
        const Preconditioned z = precondition(levels, band);
        const double rho = z.dot, beta = first ? 0 : rho / rho_before;
        double left = z.energy - (first ? 0 : beta * rho / alpha);
        direct = direct || !(left > trusted_part * z.energy);
        Step step{.beta = float(beta), .p_started = !first && !direct};
        if (direct && waiting) settle(level, u, float(alpha), started), started = true, waiting = false;
        if (first)
            std::swap(u.p, level.z);
        else if (direct)
            turn(level, u, step.beta);
        if (direct) left = energy(level, u) + terms.multiply(u.p);
        if (!(left > 0) || !(rho > 0)) break;  // rounding has eaten the direction
        step.alpha = float(rho / left), step.x_started = started;
        if (waiting) step.alpha_before = float(alpha), started = true;
        waiting = !waiting;
        alpha = double(step.alpha), rho_before = rho;
        terms.subtract(alpha, level.r);
        rr = advance(level, u, step);
        ++iterations;
    }
    if (waiting) settle(level, u, float(alpha), started), started = true;
    return rr;
}

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
    s.band = s.levels[0].r.empty() ? Band() : Band(s.levels[0]);
    s.sealed = SealedGroups(s.levels[0].net);
    s.terms = {};
}

void PoissonSolver::add(std::vector<RankTerm> terms) { impl_->terms = SplitTerms(std::move(terms), impl_->layout, impl_->levels[0].net.shape); }

PoissonSolver::Status PoissonSolver::solve(const Options& options) {
    Impl& s = *impl_;
    Level& level = s.levels[0];
    Status status;
    status.imbalance = s.sealed.remove_means(level.r);

    // In float, x stops getting better long before the recursive residual does. Below this tolerance b is kept, the residual is
    // computed anew from b and x, and the iteration starts again on what is left.
    constexpr double trusted_tolerance = 1e-3;
    const bool verify = options.tolerance < trusted_tolerance;
    if (verify && s.b.empty()) s.b = field::Grid(s.layout);
    const double bb = prepare(level, verify ? &s.b : nullptr), target = options.tolerance * options.tolerance * bb;
    double rr = bb;
    bool started = false;  // does x hold anything yet?
    for (int restart = 0; rr > target && status.iterations < options.max_iterations; ++restart) {
        const double before = rr;
        rr = s.iterate(restart == 0 ? target : 0.25 * target, rr, options.max_iterations, status.iterations, started);
        if (!verify || !started) break;
        if (!s.terms.empty()) {  // the terms first: they can be far larger than what is left
            level.r = s.b;
            s.terms.multiply(s.u.x);
            s.terms.subtract(1, level.r);
        }
        rr = true_residual(level, s.u, s.terms.empty() ? s.b : level.r);
        if (rr > 0.25 * before) break;  // as good as float gets
    }
    if (!started) s.u.x.fill(0);
    join_rows(level, s.u);
    s.sealed.remove_means(s.u.x);
    status.residual = bb > 0 ? std::sqrt(rr / bb) : 0;
    status.converged = rr <= target;
    return status;
}

std::size_t PoissonSolver::bytes() const {
    std::size_t total = impl_->u.x.bytes() + impl_->u.p.bytes() + impl_->b.bytes() + impl_->sealed.bytes() + impl_->terms.bytes() + impl_->band.bytes();
    for (const Level& level : impl_->levels) total += level.bytes();
    return total;
}

}  // namespace phlo::numerics
