#include "examples.h"

#include "numerics/batch_integrate.h"
#include "numerics/batch_lu.h"
#include "numerics/block_poisson.h"
#include "numerics/components.h"
#include "numerics/conductances.h"
#include "numerics/eight.h"
#include "numerics/level.h"
#include "numerics/poisson.h"
#include "numerics/rosenbrock.h"
#include "numerics/row_plan.h"
#include "numerics/sweeps.h"

namespace phlo::numerics {

/// dy/dt = -y in every lane, for a number of cells.
template <class P>
struct Decay {
    using Mask = typename P::Mask;
    int size() const { return 1; }
    void rates(P, const P* y, P* f) { f[0] = -y[0]; }
    void linearise(P t, const P* y, P* f) { rates(t, y, f); }
    void factorise(P shift) { shift_ = shift; }
    void solve(P* x) { x[0] = x[0] / (shift_ + P(1.0)); }
    const P* time_slope() const { return nullptr; }
    bool load(int, P*) { return false; }
    void store(int, const P*, Outcome) {}
    P absolute(int) const { return P(1e-9); }
    P scale(int) const { return P(1.0); }
    Mask repair(P*) { return Mask::every(); }
    P shift_;
};

template <class P, class System>
void integrate_example_of(System& system, double dt) {
    Rosenbrock<Rodas4, System, P> stepper(system);
    BatchReport report = integrate_batch<P>(system, stepper, dt, {.relative = 1e-4});
}
void batch_integrate_example(Decay<simd::Pack<double>>& system, double dt) { integrate_example_of<simd::Pack<double>>(system, dt); }

void block_poisson_example(const field::Blocks& blocks, int level, int slot, int i, int j, int k, field::BlockField<float>& b, field::BlockField<float>& x) {
    using field::Blocks;
    BlockSystem<float> system = plain_box<float>(blocks);
    system.kind.block(level, slot)[Blocks::offset(level, i, j, k)] = zero;
    system.weight[0].block(level, slot)[Blocks::offset(level, i, j, k)] = 0;
    for (Seam<float>& seam : system.seams) seam.faces[0].weight *= 0.5f;
    BlockPoisson<float> solver;
    solver.set_up(std::move(system));
    BlockPoisson<float>::Status status = solver.solve({.tolerance = 1e-4}, b, x);
}

using P = simd::Pack<double>;
void batch_lu_example(int n, std::span<const std::pair<int, int>> entries, P* x, P* work, int i, int j, P value) {
    const LuPattern pattern = make_lu_pattern(n, entries);
    std::vector<P> a(pattern.size());
    a[pattern.slot(i, j)] = value;
    lu_factorise(pattern, a.data(), work);
    lu_solve(pattern, a.data(), x, work);
}

void components_example(const Conductances& conductances, field::Grid& rhs) {
    SealedGroups groups(conductances);
    double imbalance = groups.remove_means(rhs);
}

void conductances_example(const field::Layout& layout, const PoissonWeights& weights, const std::shared_ptr<RowArena>& arena) {
    Conductances fine = make_conductances(layout, weights);
    Transfer transfer;
    Conductances half = coarsen(fine, 0, transfer, arena);
}

void eight_example(std::ptrdiff_t n, const float* a, const float* b, float* out) {
    each_eight(0, n, [=](std::ptrdiff_t c) { store(out + c, load(a + c) + 0.5f * load(b + c)); });
}

void level_example(const field::Layout& layout, const PoissonWeights& weights) {
    std::vector<Level> levels;
    build_hierarchy(make_conductances(layout, weights), levels);
    cycle(levels, 0, Order::same);
}

void poisson_example(const field::Layout& layout, const field::MacGrid& apertures, const std::vector<std::uint8_t>& rows, int i, int j, int k, float value) {
    PoissonSolver solver(layout);
    solver.setup({.faces = &apertures, .open = {false, false, false, false, false, true}, .special_row = rows});
    solver.rhs()(i, j, k) = value;
    auto status = solver.solve({.tolerance = 1e-4});
    solver.solution()(i, j, k);
}

void row_plan_example(RowTable& table, RowArena& arena, int length, int j, int k, bool differs_from_plain_box) {
    RowPlan plan(table, arena, length);
    plan.add(j, k, differs_from_plain_box);
    plan.run([&](int j, int k, float* row) { row[0] = float(j + k); });
}

void sweeps_example(std::vector<Level>& levels) {
    smooth_down(levels[0], levels[1]);
    solve_next(levels);
    double rr = smooth_over(levels[0], levels[1]);
    smooth_last(levels[0]);
}

}  // namespace phlo::numerics
