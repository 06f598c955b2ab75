// Solves  A x = b  for the Laplacian on blocks of several levels (field/blocks.h): conjugate gradients, preconditioned with multigrid over the same
// blocks clipped to ever coarser levels, down to the base array, and on from there if that is large. Nothing is assembled: cells of a block have the weights of their faces, and
// faces between levels are lists.
//
//   BlockSystem<float> system = plain_box<float>(blocks);
//   system.kind.block(level, slot)[Blocks::offset(level, i, j, k)] = zero;      // a cell that is held at zero
//   system.weight[0].block(level, slot)[Blocks::offset(level, i, j, k)] = 0;    // a wall before a cell, across x
//   for (Seam<float>& seam : system.seams) seam.faces[0].weight *= 0.5f;        // a half covered face between levels
//   BlockPoisson<float> solver;
//   solver.set_up(std::move(system));
//   BlockPoisson<float>::Status status = solver.solve({.tolerance = 1e-4}, b, x);
//
//   (A x)_c  =  sum over faces of c in its block's level  w (x_c - x_n)      x_n = 0 where the neighbour is held at zero
//             + sum over its faces between levels  w d_c (sum_i d_i x_i)      d: shares of the finer cells, one in all, and -1 for the coarser
//
// which is symmetric, positive semi-definite. One velocity a coarse face: its gradient is (mean of the four finer - coarser) over 3/4 of the coarser
// cell's size, exact for linear x and second order, where a difference over half a coarser and half a finer cell as in [losasso2004] is not; its
// divergence is the transpose [ando2020].
//
// Going down, a cell of which any part is held at zero is held at zero whole, weights are those of the parts together [mcadams2010]; values go
// up linearly and residuals down by the transpose. Each level smooths its finest blocks and those beside them: the others have levels of their own. Smoothing is a Chebyshev polynomial of the Jacobi iteration: symmetric, and the same for any number of
// threads. Blocks with faces that are open in part, along bodies, are smoothed twice as much: with a ball in it a liquid else needs twice the iterations.
#pragma once
#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "field/blocks.h"
#include "numerics/block_loops.h"

namespace phlo::numerics {

enum CellKind : std::uint8_t {
    outside,  ///< no part of the system, and nothing leads to it
    part,     ///< an unknown
    zero      ///< x = 0 there: air
};

/// A face of a cell of a block, behind which lie four cells of the next finer level.
template <class T>
struct LevelFace {
    std::int32_t coarse = 0;             ///< the cell's place in its block
    std::array<std::int32_t, 4> fine{};  ///< places in the finer block
    T coarse_share = 1;                  ///< 0: held at zero
    std::array<T, 4> share{};            ///< one in all, but for those held at zero: these have 0
    T weight = 0;                        ///< the coarser cell's size times 4/3 times the open part
};

/// Where a block meets one of the next finer level.
template <class T>
struct Seam {
    int coarse = 0, fine = 0;            ///< base indices
    int face = 0;                        ///< of the coarser block: 2 axis + side
    std::vector<LevelFace<T>> faces{};   ///< first along the lower of the two other axes
};

template <class T>
struct BlockSystem {
    field::Blocks blocks;
    field::BlockField<std::uint8_t> kind;              ///< a CellKind; across the faces of a block, in its ghosts, the neighbour's
    std::array<field::BlockField<T>, 3> weight;        ///< of the face before a cell, up to the one after the last; 0 in seams
    std::vector<Seam<T>> seams;

    BlockSystem() = default;
    explicit BlockSystem(const field::Blocks& given) { reset(given); }
    /// Nothing in it yet; memory is used again.
    void reset(const field::Blocks& given) {
        blocks = given, kind.reset(given), seams.clear();
        for (field::BlockField<T>& w : weight) w.reset(given);
    }
};

/// A box full of unknowns, shut all around, all weights those of open faces, seams included: to begin with.
template <class T>
void make_plain(const field::Blocks& blocks, BlockSystem<T>& system);
template <class T>
BlockSystem<T> plain_box(const field::Blocks& blocks) {
    BlockSystem<T> system;
    make_plain(blocks, system);
    return system;
}

/// Rows of a block along x: bit j of entry k.
using BlockRows = std::array<std::uint16_t, 16>;

template <class T>
class BlockPoisson {
public:
    using Field = field::BlockField<T>;

    void set_up(BlockSystem<T> system);
    const BlockSystem<T>& system() const { return levels_.back().system; }
    /// The last system, to be changed and set up again: its memory stays. Nothing else can be asked for until then.
    BlockSystem<T> take_system() { return levels_.empty() ? BlockSystem<T>() : std::move(levels_.back().system); }

    struct Options {
        double tolerance = 1e-4;   ///< of |b - A x| / |b|, the norm() of each
        int max_iterations = 100;
    };
    struct Status {
        int iterations = 0;
        double residual = 0;       ///< |b - A x| / |b|, as above
        bool converged = false;
    };
    /// x starts at 0. b becomes the residual. Where nothing is held at zero, the mean of b is taken off and x has a mean of its own choice.
    Status solve(const Options& options, Field& b, Field& x);
    /// The 2-norm of b, each cell's in units of its own face: as a flow through faces that is a velocity. Else what is left in a few large cells would hide what is
    /// left in all the small ones.
    double norm(const Field& b) const;
    /// The same of what the finest cells all over would have on the faces of these: as many times a cell's as there are of them on a face of it.
    double fine_norm(const Field& b) const;
    /// y = A x. The ghosts of x are filled.
    void apply(Field& x, Field& y) const;
    /// z = M b, one cycle: what the conjugate gradients are preconditioned with.
    void precondition(const Field& b, Field& z);

    const field::Blocks& blocks() const { return finest_; }
    long unknowns() const { return unknowns_; }
    bool grounded() const { return grounded_; }        ///< something is held at zero
    std::size_t bytes() const;

private:
    struct Level {
        BlockSystem<T> system;
        Field diagonal;                                ///< without seams
        Field inverse;                                 ///< 1 / (a bound of half the row's sum of sizes); 0 where there is no unknown
        Field x, next, b;
        std::vector<BlockRows> live;                   ///< of a base cell's block: rows with unknowns
        std::vector<BlockRows> plain;                  ///< those of which all cells have six open faces to unknowns of their own size
        std::vector<int> smoothed, rest;               ///< wet blocks as fine as blocks of this level can be, with those beside them, and others
        enum Touch : std::uint8_t { untouched, beside, inside };
        std::vector<Touch> touch;                      ///< of base cells: smoothed, one of the rest beside one that is smoothed, or neither
        std::vector<int> rough;                        ///< blocks with faces that are open in part, among those that are smoothed
        std::vector<std::array<std::int32_t, 6>> seam_at;   ///< of a base cell's faces: 1 + the seam's index, 0: none
    };
    void find_diagonals(Level& level);
    void clear_rest();
    void product(const Level& level, const Field& x, int block, T* y) const;
    void sort_blocks(Level& level, int m);
    void clear_unsmoothed(Level& level) const;
    void smooth(Level& level, double omega, bool from_zero);
    void smooth_rough(Level& level, double omega);
    void restrict_residual(Level& fine, Level& coarse) const;
    void prolong(Level& coarse, Level& fine) const;
    void set_up_base(const BlockSystem<T>& base);
    void solve_base(Level& level);
    void sweep_base(Level& level) const;
    void cycle(std::size_t at);
    void remove_mean(Field& b) const;
    double dot(const Field& a, const Field& b) const;
    template <class Scale>
    double scaled_dot(const Field& a, const Field& b, const Scale& scale) const;   ///< scale(level)
    template <class Each>
    void combine(const Each& each) const;              ///< each(level, slot, place) for every unknown's place of the finest level

    /// body(base index) for the blocks that hold unknowns.
    template <class Body>
    void each_wet(const Level& level, const Body& body) const {
        each_of(wet_, level.system.blocks.cell_count(), body);
    }
    void fill_wet_ghosts(const Level& level, Field& x) const;

    field::Blocks finest_;
    std::vector<int> wet_;                             ///< blocks that hold unknowns, on the finest level and so on all
    std::vector<Level> levels_;                        ///< [m]: clipped to m; the last one is the system itself
    std::unique_ptr<BlockPoisson> below_;              ///< a large base array, its cells in blocks of their own; null: it is small
    Field p_, z_;
    long unknowns_ = 0;
    bool grounded_ = false;
};

/// Copies cells next to the faces of blocks into the ghosts of their neighbours; a coarser neighbour's value into all ghosts that it covers. Those at finer
/// neighbours keep what they have.
template <class T>
void fill_ghosts(const field::Blocks& blocks, field::BlockField<T>& x);
template <class T>
void fill_ghosts_of(const field::Blocks& blocks, int block, field::BlockField<T>& x);   ///< one block's

}  // namespace phlo::numerics
