// Solves  A x = b  for the seven-point Laplacian with face weights (cut cells): multigrid, and where that alone is slow, conjugate
// gradients preconditioned with it.
//
//   (A x)_c = sum over the six faces f of cell c of  w_f (x_c - x_neighbour(f))  +  g_c x_c,     grid spacing 1
//
// g is a conductance to ground: where a liquid's surface crosses the way to a neighbour, pressure is given there (flow/free_surface.h).
//   PoissonSolver solver(layout);
//   solver.setup({.faces = &apertures, .open = {false, false, false, false, false, true}, .special_row = rows});
//   solver.rhs()(i, j, k) = ...;                        // every cell; ghosts need no value
//   auto status = solver.solve({.tolerance = 1e-4});    // rhs is destroyed
//   solver.solution()(i, j, k);
//
//        closed wall: weight 0            open wall: x = 0 in the ghost centre
//        |  c  |  c  |                    |  c  |  c  |
//        ^ no flux                     0 -w-   -w-
//
// Cells without any open face are not part of the system: their solution is 0. Where a group of connected cells touches no open wall and no ground,
// the solution is defined up to a constant: the mean of the right-hand side is removed there (and reported), and the mean of the
// solution is zero.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "field/grid.h"
#include "field/mac.h"
#include "numerics/rank_term.h"

namespace phlo::numerics {

/// A system of which only some cells of the box are part, and whose weights are made when they are asked for: a liquid. Time and memory grow
/// with the rows that are not outside.
struct PoissonRows {
    enum Kind : std::uint8_t {
        plain,    ///< all cells of the row are part of it, and all their faces but those in the box's walls have weight one
        special,
        outside   ///< no cell of the row is
    };
    std::vector<std::uint8_t> kind;  ///< [k ny + j]
    /// Fills face[0 .. nx): the faces before the cells of row (j, k) along `axis`. Weight zero unless both cells are part of the system. Not
    /// asked for faces in the box's walls, except for those at either end of the rows along x, which count as 0.
    std::function<void(int axis, int j, int k, float* face)> faces;
    /// Fills ground[a][0 .. nx) for the cells of the special row (j, k): conductances to ground by axis.
    std::function<void(int j, int k, const std::array<float*, 3>& ground)> ground;
};

struct PoissonWeights {
    /// Weights in [0, 1] of all faces, those in open walls included (index 0 and n: the open part). Faces in closed walls count as 0
    /// whatever is stored there, so apertures can be passed as they are. Null: a plain box. Only rows marked special are read.
    const field::MacGrid* faces = nullptr;
    std::array<bool, 6> open{};             ///< walls -x, +x, -y, +y, -z, +z
    std::vector<std::uint8_t> special_row{};  ///< [k ny + j]: a face of a cell in this row differs from the plain box; empty: none does
    const PoissonRows* rows = nullptr;  ///< if given, all of the above is left unread; only needed during setup()
};

class PoissonSolver {
public:
    explicit PoissonSolver(const field::Layout& layout);  ///< a closed plain box until setup is called
    ~PoissonSolver();
    PoissonSolver(PoissonSolver&&) noexcept;
    PoissonSolver& operator=(PoissonSolver&&) noexcept;

    void setup(const PoissonWeights& weights);  ///< the cost grows with the number of special rows
    /// Adds these to A until the next setup(), which removes them. The solution is then no longer free by a constant in a group without an
    /// open wall unless every column sums to zero over the group: see to that.
    void add(std::vector<RankTerm> terms);

    field::Grid& rhs();
    field::Grid& solution();

    struct Options {
        double tolerance = 1e-4;  ///< of |b - A x| / |b|, 2-norms
        int max_iterations = 100;
        /// Floats cannot hold a large x as well as a tight tolerance asks for. True: x is corrected by further runs as long as that helps.
        /// False: the caller has better means to correct, and should get x as soon as one run has ended.
        bool correct = true;
    };
    struct Status {
        int iterations = 0;    ///< multigrid cycles, alone or within conjugate gradients
        int conjugate = 0;     ///< how many of them within conjugate gradients
        double residual = 0;   ///< |b - A x| / |b|
        bool converged = false;
        double imbalance = 0;  ///< largest |mean rhs| removed from a group of cells without an open wall
    };
    Status solve(const Options& options);

    std::size_t bytes() const;  ///< memory held

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace phlo::numerics
