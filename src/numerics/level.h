// One level of the multigrid hierarchy: its network, its unknowns, and how it exchanges values with the next coarser level.
//
//   std::vector<Level> levels;
//   build_hierarchy(make_conductances(layout, weights), levels);
//   cycle(levels, 0, Order::same);    // sweeps.h
#pragma once
#include <tbb/enumerable_thread_specific.h>

#include <memory>
#include <vector>

#include "field/grid.h"
#include "numerics/conductances.h"
#include "numerics/poisson.h"

namespace phlo::numerics {

/// Planes of rows around the sweep front, for one tile and one thread. Rows count from the tile's first row; entries outside the
/// domain and in the padding stay zero.
class PlaneRing {
public:
    static constexpr int planes = 8;
    PlaneRing() = default;
    PlaneRing(int rows, int row_length) : stride_((row_length + 15) / 16 * 16), rows_(rows), buffer_(std::size_t(planes * rows) * std::size_t(stride_) + 32) {}
    float* row(int row, int plane) { return buffer_.data() + 16 + std::ptrdiff_t(plane * rows_ + row) * stride_; }
    std::ptrdiff_t stride() const { return stride_; }
    std::size_t bytes() const { return buffer_.bytes(); }

private:
    std::ptrdiff_t stride_ = 0;
    int rows_ = 0;
    Buffer buffer_;
};

/// What a thread needs to sweep a tile of a level.
struct Scratch {
    PlaneRing values;  ///< smoothed values: split rows of this level
    Buffer coarse;     ///< one plane of rows of the next level
    Buffer lines;      ///< a few single rows
    float* coarse_row(int row) { return coarse.data() + 16 + std::ptrdiff_t(row) * line_stride; }
    float* line(int index) { return lines.data() + 16 + std::ptrdiff_t(index) * line_stride; }
    float* unused_line() { return line(2); }  ///< for what nobody will read
    std::ptrdiff_t line_stride = 0;
};

struct Level {
    Conductances net;
    RowTable diagonal, inverse;       ///< and 1 / diagonal; both 0 in cells outside the system
    /// [k ny + j]: which entries of a row need their own weights. All others have the weights base_x along x and base_across across,
    /// which are one on the finest level. Ends are multiples of SplitRow::vector.
    std::vector<EntryRange> segment;
    const float *base_x = nullptr, *base_across = nullptr;
    bool finest = false;
    std::array<Transfer, 3> transfer;  ///< to the next level, in the order x, y, z
    SplitRow after_x;                  ///< rows of the next level
    std::shared_ptr<RowArena> arena;   ///< of inverse and transfer
    std::array<std::shared_ptr<RowArena>, 2> spare;  ///< of the networks between this level and the next, kept for the next set-up
    field::Grid r, z, y;               ///< right-hand side, solution, and its black values halfway through a cycle; split rows
    int tiles = 1;                       ///< along y: a sweep takes one at a time
    std::vector<std::size_t> work;       ///< [k]: entries of the system in planes before k, one more at the end; empty: all planes have the same
    bool serial = false;                 ///< too small to share among threads
    std::unique_ptr<tbb::enumerable_thread_specific<Scratch>> scratch;

    int nx() const { return net.n.x; }
    int ny() const { return net.n.y; }
    int nz() const { return net.n.z; }
    EntryRange own_segment(int j, int k) const { return segment[std::size_t(k) * std::size_t(net.n.y) + std::size_t(j)]; }
    std::size_t bytes() const;
};

/// `memory`: of an earlier network that is no longer used, or null.
Conductances make_conductances(const field::Layout& layout, const PoissonWeights& weights, std::shared_ptr<RowArena> memory = nullptr);

/// Rebuilds the coefficients of all levels; unknowns are kept if the sizes are the same.
void build_hierarchy(Conductances finest, std::vector<Level>& levels);

}  // namespace phlo::numerics
