// The Poisson operator as a network of conductances on a box of points, and its coarsening along one axis.
//
//   Conductances fine = make_conductances(layout, weights);          // 64 x 64 x 64 points (level.h)
//   Transfer transfer;
//   Conductances half = coarsen(fine, 0, transfer, arena);       // 33 x 64 x 64 points
//
// Along x, every even point and the last one stay. An odd point between conductances a and b takes its value from its neighbours,
//
//   --a--( odd )--b--        value = (a west + b east) / (a + b),      conductance of the new face = a b / (a + b)
//
// which is exact elimination if nothing flows in from the sides. Only a last point that lies near the one before it goes if it is odd:
// next to wider and wider cells it would be a thin layer, with which pointwise smoothing cannot deal. A wall anywhere between two points
// stays a wall and values never cross it, so thin plates, gaps and holes survive on every level. Conductances across the axis are shared out
// to the two neighbours in the same proportion (parallel resistors), which keeps seven points, symmetry, positive weights and zero row sums
// on all levels.
// Three such steps, x, y, z, make the next level: in a plain box trilinear interpolation and the rediscretised Laplacian.
// Cf. operator-dependent interpolation [alcouffe1981, dezeeuw1990] and PFMG [ashby1996].
//
// A point may also have conductances to ground, one for each axis (a free surface, poisson.h). With g that of the axis, s = a + b + g:
//
//   --a--( odd )--b--        value = (a west + b east) / s,      new face = a b / s,      g goes to the two in the shares a/s, b/s
//          | g               The weights sum to sigma = (a + b) / s: what lies across the axis counts sigma times as well as its share.
//         ---
//
// One conductance a point for all axes would not do: coarse levels would take a surface for what it is not, and cycles diverge.
// coarsen_ground.cpp has the rules. Rows without any point of the system are marked `outside` and cost nothing.
//
// Coefficients live in split rows along x. Rows away from solids look alike: they share one stored row, so set-up and memory cost
// only what differs from the plain box. Rows along flat or symmetric solids share theirs too.
#pragma once
#include <tbb/spin_mutex.h>

#include <array>
#include <cstdint>
#include <deque>
#include <memory>
#include <unordered_map>
#include <vector>

#include "base/memory.h"
#include "numerics/split_row.h"

namespace phlo::numerics {

/// Storage of coefficient rows whose addresses stay valid. Zeroed.
class RowArena {
public:
    float* take(int length);
    /// A stored row equal to this one: an earlier one if there is, so that what is read over and over stays in cache.
    /// May be called from several threads at once, but not beside take.
    const float* keep(const float* row, int length);
    /// The same without looking for an equal one.
    const float* append(const float* row, int length);
    /// A row of zeros, the same one at every call with this length.
    const float* zeros(int length);
    /// Forgets all rows but keeps the memory: a liquid's rows are made anew every step.
    void clear();
    std::size_t bytes() const { return bytes_; }

private:
    float* find_room(std::size_t count);
    struct Stored {
        const float* row;
        int length;
    };
    std::deque<Buffer> blocks_;
    std::size_t block_ = 0;               ///< the one that is being filled
    std::size_t used_ = 16, bytes_ = 0;   ///< floats of it; bytes of all
    bool fresh_ = true;                   ///< zeros wherever no row is
    const float* zeros_ = nullptr;
    int zeros_length_ = 0;
    tbb::spin_mutex mutex_;  ///< held for less time than it takes to put a thread to sleep
    std::unordered_multimap<std::uint64_t, Stored> stored_;  ///< by hash
};

/// Entries [begin, end) of either half of a split row; multiples of SplitRow::vector.
struct EntryRange {
    std::uint16_t begin = 0, end = 0;
    bool empty() const { return begin == end; }
};

/// One pointer per row (j, k); `own` marks rows that differ from the plain box and have a stored row of their own.
struct RowTable {
    enum Kind : std::uint8_t { plain, special, outside };  ///< outside: all zero

    int nj = 0, nk = 0;
    std::vector<const float*> row;
    std::vector<std::uint8_t> own;  ///< a Kind
    const float* inner = nullptr;  ///< the row that all plain rows far from the walls share, if there is one

    void resize(int rows_j, int rows_k) {
        nj = rows_j, nk = rows_k;
        row.assign(std::size_t(nj) * std::size_t(nk), nullptr);
        own.assign(row.size(), 0);
    }
    std::size_t index(int j, int k) const { return std::size_t(k) * std::size_t(nj) + std::size_t(j); }
    const float* operator()(int j, int k) const { return row[index(j, k)]; }
    bool is_own(int j, int k) const { return own[index(j, k)] != plain; }
    bool is_special(int j, int k) const { return own[index(j, k)] == special; }
    bool is_used(int j, int k) const { return own[index(j, k)] != outside; }
    std::size_t bytes() const { return row.size() * sizeof(row[0]) + own.size(); }
};

struct Conductances {
    Vec3i n;
    SplitRow shape;
    /// Conductances of the faces: face[a] entry (i, j, k) joins the points (i, j, k) and the one before it along axis a; the outermost
    /// ones lead to a ghost point of value zero. face[1] has n.y + 1 rows in j, face[2] has n.z + 1 planes in k.
    std::array<RowTable, 3> face;
    std::array<RowTable, 3> ground;  ///< by axis, entries are points; without rows: there is none
    /// [k n.y + j]: which entries of a row may be part of the system; empty: all of all rows. Given if and only if there is ground.
    std::vector<EntryRange> active;
    std::array<bool, 3> short_end{};  ///< by axis: is the last point nearer to the one before it than the others are to theirs?
    std::shared_ptr<RowArena> arena;

    explicit Conductances(Vec3i points = {1, 1, 1}, std::shared_ptr<RowArena> memory = nullptr);
    bool grounded() const { return !active.empty(); }
    void add_ground();  ///< tables without rows yet, every entry active
    std::size_t row_index(int j, int k) const { return std::size_t(k) * std::size_t(n.y) + std::size_t(j); }
    EntryRange active_range(int j, int k) const { return active.empty() ? EntryRange{0, std::uint16_t(shape.padded)} : active[row_index(j, k)]; }
    /// The sum of all conductances of point (i, j, k).
    float diagonal(int i, int j, int k) const;
    bool is_own(int j, int k) const;  ///< does any face of this row of points differ from the plain box?
};

/// What odd points take from the point before and the point behind them. Along x, entry c belongs to point 2 c + 1 and rows are (j, k);
/// along y the rows are (j / 2, k), along z (j, k / 2), and entries are those of a split row of points.
struct Transfer {
    RowTable low, high;
};

int coarse_count(int n, bool short_end = false);
Conductances coarsen(const Conductances& fine, int axis, Transfer& transfer, std::shared_ptr<RowArena> weights);
/// For networks with ground; `memory` is where the new one lives.
Conductances coarsen_grounded(const Conductances& fine, int axis, Transfer& transfer, std::shared_ptr<RowArena> weights, std::shared_ptr<RowArena> memory);

}  // namespace phlo::numerics
