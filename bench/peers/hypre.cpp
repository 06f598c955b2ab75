// phlo_bench_hypre N VARIANT TOLERANCE REPETITIONS, run by mpirun: PFMG-preconditioned conjugate gradients of hypre on the bench's system,
// in slabs along z. Prints the best set-up and solve times.
#include <HYPRE_struct_ls.h>
#include <mpi.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "pressure_problem.h"

namespace {

double now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

double over_ranks(double value, MPI_Op operation) {
    double result = 0;
    MPI_Allreduce(&value, &result, 1, MPI_DOUBLE, operation, MPI_COMM_WORLD);
    return result;
}

struct Slab {
    int rank = 0, ranks = 1, first = 0, last = 0;  // planes [first, last)
    std::vector<double> matrix, rhs, solution;     // matrix: diagonal and the three entries before it
};

Slab make_slab(const phlo::bench::PressureProblem& problem) {
    Slab slab;
    MPI_Comm_rank(MPI_COMM_WORLD, &slab.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &slab.ranks);
    const int n = problem.n();
    slab.first = n * slab.rank / slab.ranks, slab.last = n * (slab.rank + 1) / slab.ranks;
    for (int k = slab.first; k < slab.last; ++k)
        for (int j = 0; j < n; ++j)
            for (int i = 0; i < n; ++i) {
                const bool fluid = problem.fluid(i, j, k);
                slab.matrix.push_back(fluid ? problem.diagonal(i, j, k) : 1.0);
                slab.matrix.push_back(fluid && problem.fluid(i - 1, j, k) ? -1.0 : 0.0);
                slab.matrix.push_back(fluid && problem.fluid(i, j - 1, k) ? -1.0 : 0.0);
                slab.matrix.push_back(fluid && problem.fluid(i, j, k - 1) ? -1.0 : 0.0);
                slab.rhs.push_back(problem.rhs(i, j, k));
            }
    slab.solution.assign(slab.rhs.size(), 0.0);
    return slab;
}

struct Times {
    double setup = 1e30, solve = 1e30;
    int iterations = 0;
};

void solve_once(Slab& slab, int n, double tolerance, Times& best) {
    int low[3] = {0, 0, slab.first}, high[3] = {n - 1, n - 1, slab.last - 1}, entries[4] = {0, 1, 2, 3};
    int offsets[4][3] = {{0, 0, 0}, {-1, 0, 0}, {0, -1, 0}, {0, 0, -1}};
    MPI_Barrier(MPI_COMM_WORLD);
    const double start = now();
    HYPRE_StructGrid grid;
    HYPRE_StructGridCreate(MPI_COMM_WORLD, 3, &grid);
    HYPRE_StructGridSetExtents(grid, low, high);
    HYPRE_StructGridAssemble(grid);
    HYPRE_StructStencil stencil;
    HYPRE_StructStencilCreate(3, 4, &stencil);
    for (int e = 0; e < 4; ++e) HYPRE_StructStencilSetElement(stencil, e, offsets[e]);
    HYPRE_StructMatrix a;
    HYPRE_StructMatrixCreate(MPI_COMM_WORLD, grid, stencil, &a);
    HYPRE_StructMatrixSetSymmetric(a, 1);
    HYPRE_StructMatrixInitialize(a);
    HYPRE_StructMatrixSetBoxValues(a, low, high, 4, entries, slab.matrix.data());
    HYPRE_StructMatrixAssemble(a);
    HYPRE_StructVector b, x;
    HYPRE_StructVectorCreate(MPI_COMM_WORLD, grid, &b);
    HYPRE_StructVectorInitialize(b);
    HYPRE_StructVectorSetBoxValues(b, low, high, slab.rhs.data());
    HYPRE_StructVectorAssemble(b);
    HYPRE_StructVectorCreate(MPI_COMM_WORLD, grid, &x);
    HYPRE_StructVectorInitialize(x);
    HYPRE_StructVectorSetConstantValues(x, 0);
    HYPRE_StructVectorAssemble(x);

    // The fastest settings found: red-black smoothing, non-redundant relaxation skipped, Galerkin coarse operators.
    HYPRE_StructSolver cg, pfmg;
    HYPRE_StructPCGCreate(MPI_COMM_WORLD, &cg);
    HYPRE_StructPCGSetTol(cg, tolerance);
    HYPRE_StructPCGSetMaxIter(cg, 500);
    HYPRE_StructPCGSetTwoNorm(cg, 1);
    HYPRE_StructPFMGCreate(MPI_COMM_WORLD, &pfmg);
    HYPRE_StructPFMGSetMaxIter(pfmg, 1);
    HYPRE_StructPFMGSetTol(pfmg, 0);
    HYPRE_StructPFMGSetZeroGuess(pfmg);
    HYPRE_StructPFMGSetRAPType(pfmg, 0);
    HYPRE_StructPFMGSetRelaxType(pfmg, 2);
    HYPRE_StructPFMGSetNumPreRelax(pfmg, 1);
    HYPRE_StructPFMGSetNumPostRelax(pfmg, 1);
    HYPRE_StructPFMGSetSkipRelax(pfmg, 1);
    HYPRE_StructPCGSetPrecond(cg, HYPRE_StructPFMGSolve, HYPRE_StructPFMGSetup, pfmg);
    HYPRE_StructPCGSetup(cg, a, b, x);
    MPI_Barrier(MPI_COMM_WORLD);
    const double ready = now();
    HYPRE_StructPCGSolve(cg, a, b, x);
    MPI_Barrier(MPI_COMM_WORLD);
    const double end = now();

    HYPRE_StructPCGGetNumIterations(cg, &best.iterations);
    HYPRE_StructVectorGetBoxValues(x, low, high, slab.solution.data());
    best.setup = std::min(best.setup, ready - start), best.solve = std::min(best.solve, end - ready);
    HYPRE_StructPCGDestroy(cg);
    HYPRE_StructPFMGDestroy(pfmg);
    HYPRE_StructMatrixDestroy(a);
    HYPRE_StructVectorDestroy(b);
    HYPRE_StructVectorDestroy(x);
    HYPRE_StructStencilDestroy(stencil);
    HYPRE_StructGridDestroy(grid);
}

}  // namespace

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    if (argc < 5) {
        std::fprintf(stderr, "usage: phlo_bench_hypre N box|sphere|plate TOLERANCE REPETITIONS\n");
        MPI_Finalize();
        return 2;
    }
    const int n = std::atoi(argv[1]), repetitions = std::atoi(argv[4]);
    const double tolerance = std::atof(argv[3]);
    const phlo::bench::PressureProblem problem(n, argv[2]);
    Slab slab = make_slab(problem);
    Times best;
    for (int r = 0; r < repetitions; ++r) solve_once(slab, n, tolerance, best);
    best.setup = over_ranks(best.setup, MPI_MAX), best.solve = over_ranks(best.solve, MPI_MAX);

    std::vector<int> counts(std::size_t(slab.ranks)), starts(std::size_t(slab.ranks));
    for (int r = 0; r < slab.ranks; ++r) {
        starts[std::size_t(r)] = n * r / slab.ranks * n * n;
        counts[std::size_t(r)] = n * (r + 1) / slab.ranks * n * n - starts[std::size_t(r)];
    }
    std::vector<double> all(slab.rank == 0 ? std::size_t(n) * std::size_t(n) * std::size_t(n) : 1);
    MPI_Gatherv(slab.solution.data(), int(slab.solution.size()), MPI_DOUBLE, all.data(), counts.data(), starts.data(), MPI_DOUBLE, 0, MPI_COMM_WORLD);
    if (slab.rank == 0) {
        const double residual =
            problem.residual([&](int i, int j, int k) { return all[(std::size_t(k) * std::size_t(n) + std::size_t(j)) * std::size_t(n) + std::size_t(i)]; });
        std::printf("hypre setup %.6f solve %.6f iterations %d residual %.3e\n", best.setup, best.solve, best.iterations, residual);
    }
    MPI_Finalize();
}
