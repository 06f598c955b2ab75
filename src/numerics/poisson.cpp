#include "numerics/poisson.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "numerics/components.h"
#include "numerics/split_terms.h"
#include "numerics/sweeps.h"
#include "numerics/vectors.h"

namespace phlo::numerics {

struct PoissonSolver::Impl {
    field::Layout layout;
    std::vector<Level> levels;
    Unknowns u;
    field::Grid b;  ///< a copy of the right-hand side, once one run was not enough
    SealedGroups sealed;
    SplitTerms terms;

    double iterate_multigrid(double target, double rr, int max_iterations, int& iterations);
    void iterate_conjugate(double target, double rr, int max_iterations, int& iterations);
    double find_residual();
};

/// Multigrid cycles on A z = r from z = 0, until |r - A z|^2 <= target or they gain little. Returns that square; r stays as it is.
double PoissonSolver::Impl::iterate_multigrid(double target, double rr, int max_iterations, int& iterations) {
    Level& level = levels[0];
    // Of two cycles: they can do well and badly in turns. Conjugate gradients do better below; on rough liquids they do not, until later.
    const double least_gain = level.net.grounded() ? 8 * 8 : 16 * 16;
    smooth_down(level, levels[1]);
    for (double before = 2 * rr * least_gain, two_before = before; rr > target && rr * least_gain < two_before && iterations < max_iterations; ++iterations) {
        solve_next(levels);
        two_before = std::exchange(before, rr);
        rr = smooth_over(level, levels[1]);
    }
    smooth_last(level);
    return rr;
}

/// Conjugate gradients on r, until r . r <= target; one symmetric multigrid cycle is the preconditioner. Adds to x.
void PoissonSolver::Impl::iterate_conjugate(double target, double rr, int max_iterations, int& iterations) {
    Level& level = levels[0];
    if (u.p.empty()) u.p = field::Grid(layout);
    u.p.fill(0);
    for (double before = 0; rr > target && iterations < max_iterations; ++iterations) {
        cycle(levels, 0, Order::mirrored);
        const double rho = dot(level, level.r, level.z);
        turn(level, u, before == 0 ? 0.f : float(rho / before));
        before = rho;
        const double bend = energy(level, u.p) + terms.multiply(u.p);
        if (!(bend > 0) || !(rho > 0)) break;  // rounding has eaten the direction
        terms.subtract(rho / bend, level.r);
        rr = advance(level, u, float(rho / bend));
    }
}

/// r = b - A x; returns r . r.
double PoissonSolver::Impl::find_residual() {
    Level& level = levels[0];
    if (terms.empty()) return residual_square(level, u.x, u.open_x, b, &level.r);
    copy(level, b, level.r);  // the terms first: they can be far larger than what is left
    terms.multiply(u.x);
    terms.subtract(1, level.r);
    return residual_square(level, u.x, u.open_x, level.r, &level.r);
}

PoissonSolver::PoissonSolver(const field::Layout& layout) : impl_(std::make_unique<Impl>()) {
    Impl& s = *impl_;
    s.layout = layout;
    s.u.x = field::Grid(layout);
    setup({});
    PHLO_CHECK(s.levels[0].net.shape.fits(layout));
    s.levels[0].r = field::Grid(layout), s.levels[0].y = field::Grid(layout);  // z borrows from x until both are needed
}

PoissonSolver::~PoissonSolver() = default;
PoissonSolver::PoissonSolver(PoissonSolver&&) noexcept = default;
PoissonSolver& PoissonSolver::operator=(PoissonSolver&&) noexcept = default;

field::Grid& PoissonSolver::rhs() { return impl_->levels[0].r; }
field::Grid& PoissonSolver::solution() { return impl_->u.x; }

void PoissonSolver::setup(const PoissonWeights& weights) {
    Impl& s = *impl_;
    s.u.open_x = weights.rows == nullptr ? std::array<bool, 2>{weights.open[0], weights.open[1]} : std::array<bool, 2>{};
    std::shared_ptr<RowArena> memory;
    if (weights.rows != nullptr && !s.levels.empty() && s.levels[0].net.grounded()) {
        memory = s.levels[0].net.arena;
        memory->clear();  // the levels are not used before they are rebuilt
    }
    build_hierarchy(make_conductances(s.layout, weights, std::move(memory)), s.levels);
    s.sealed = SealedGroups(s.levels[0].net, &s.levels[0].diagonal);
    s.terms = {};
}

void PoissonSolver::add(std::vector<RankTerm> terms) { impl_->terms = SplitTerms(std::move(terms), impl_->layout, impl_->levels[0].net.shape); }

PoissonSolver::Status PoissonSolver::solve(const Options& options) {
    Impl& s = *impl_;
    Level& level = s.levels[0];
    Status status;
    status.imbalance = s.sealed.remove_means(level.r);

    const double bb = prepare(level), target = options.tolerance * options.tolerance * bb;
    double rr = bb;
    bool slow = !s.terms.empty() || s.levels.size() == 1;  // too slow for multigrid alone
    if (slow || bb == 0) {
        s.u.x.fill(0);
    } else {
        if (level.z.empty()) std::swap(level.z, s.u.x);
        const double found = s.iterate_multigrid(target, rr, options.max_iterations, status.iterations);
        std::swap(level.z, s.u.x);
        rr = residual_square(level, s.u.x, s.u.open_x, level.r, nullptr);
        slow = found > target && rr < found;  // else it is rounding that stops it
    }
    if (rr > target && (options.correct || slow)) {
        // In float, x stops getting better long before the residual of an iteration does. So each run solves for what is left over after the
        // ones before it, computed anew from b and x.
        copy(level, level.r, s.b);
        rr = s.find_residual();
        if (level.z.empty()) level.z = field::Grid(s.layout);
        double aim = 0.9 * target;
        for (double before = 8 * rr; rr > target && rr < 0.25 * before && status.iterations < options.max_iterations; aim = 0.25 * target) {
            before = rr;
            if (slow) {
                const int already = status.iterations;
                s.iterate_conjugate(aim, rr, options.max_iterations, status.iterations);
                status.conjugate += status.iterations - already;
            } else {
                s.iterate_multigrid(aim, rr, options.max_iterations, status.iterations);
                add_to(s.u.x, level, level.z);
            }
            rr = s.find_residual();
            if (!options.correct) break;
        }
    }
    join_rows(level, s.u.x);
    s.sealed.remove_means(s.u.x);
    status.residual = bb > 0 ? std::sqrt(rr / bb) : 0;
    status.converged = rr <= target;
    return status;
}

std::size_t PoissonSolver::bytes() const {
    std::size_t total = impl_->u.x.bytes() + impl_->u.p.bytes() + impl_->b.bytes() + impl_->sealed.bytes() + impl_->terms.bytes();
    for (const Level& level : impl_->levels) total += level.bytes();
    return total;
}

}  // namespace phlo::numerics
