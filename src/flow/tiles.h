// Where work is done: the domain in tiles of 16 x 8 x 8 cells, each active or not.
//
//   TileSet active(layout);                                   // nothing
//   active.activate_where(density, 0.0f, 1e-4f, 3);           // tiles within 3 cells of a cell with |density - 0| > 1e-4
//   active |= near_emitters;
//   active.for_each_run([&](const CellBox& box) { ... });     // parallel; a box is a run of neighbouring active tiles along x
//
// Runs depend only on the set, never on the number of threads. The height of piles does: what happens to a cell must not depend on it.
#pragma once
#include <cstdint>
#include <vector>

#include "base/parallel.h"
#include "field/grid.h"

namespace phlo::flow {

/// Cells lower <= (i, j, k) < upper.
struct CellBox {
    Vec3i lower, upper;
    friend bool operator==(const CellBox&, const CellBox&) = default;
};

class TileSet {
public:
    static constexpr Vec3i tile{16, 8, 8};   ///< cells of a tile

    TileSet() = default;
    explicit TileSet(const field::Layout& layout, bool active = false);

    /// Tiles for which wanted(CellBox) is true; asked in parallel.
    template <class Predicate>
    static TileSet where(const field::Layout& layout, Predicate&& wanted);

    Vec3i cells() const { return cells_; }
    Vec3i tiles() const { return tiles_; }                           ///< how many on each axis
    int tile_count() const { return int(flags_.size()); }
    int active_count() const;
    double active_fraction() const { return double(active_count()) / std::max(tile_count(), 1); }

    bool active(int ti, int tj, int tk) const { return flags_[index(ti, tj, tk)] != 0; }
    bool active_at_cell(int i, int j, int k) const { return active(i / tile.x, j / tile.y, k / tile.z); }
    void set(int ti, int tj, int tk, bool on) { flags_[index(ti, tj, tk)] = on; }
    CellBox box(int ti, int tj, int tk) const;                       ///< cut at the domain's end

    void clear() { std::fill(flags_.begin(), flags_.end(), std::uint8_t(0)); }
    void activate_all() { std::fill(flags_.begin(), flags_.end(), std::uint8_t(1)); }
    /// Every tile that shares a cell with `box`; the part outside the domain is ignored.
    void activate(const CellBox& box);
    /// Every tile within `margin` cells of a cell where |field - background| > threshold.
    void activate_where(const field::Grid& field, float background, float threshold, int margin = 0);
    /// Every tile within `cells` cells of an active tile.
    void dilate(int cells);
    TileSet& operator|=(const TileSet& other);
    TileSet& operator&=(const TileSet& other);
    TileSet inverse() const;
    friend bool operator==(const TileSet&, const TileSet&) = default;

    /// Runs of neighbouring active tiles along an axis, as boxes of cells.
    std::vector<CellBox> runs(int axis = 0) const;
    template <class Body>
    void for_each_run(Body&& body) const;
    /// Runs along x, piled up along z where they are alike, at most `most` tiles high: whoever looks around each cell reads less twice.
    std::vector<CellBox> piles(int most) const;
    template <class Body>
    void for_each_pile(Body&& body) const;

private:
    std::size_t index(int ti, int tj, int tk) const { return std::size_t(ti + tiles_.x * (tj + tiles_.y * tk)); }

    Vec3i cells_, tiles_;
    std::vector<std::uint8_t> flags_;
};

template <class Predicate>
TileSet TileSet::where(const field::Layout& layout, Predicate&& wanted) {
    TileSet set(layout);
    parallel_for(set.tiles_.y * set.tiles_.z, [&](int line) {
        const int tj = line % set.tiles_.y, tk = line / set.tiles_.y;
        for (int ti = 0; ti < set.tiles_.x; ++ti) set.set(ti, tj, tk, wanted(set.box(ti, tj, tk)));
    });
    return set;
}

template <class Body>
void TileSet::for_each_run(Body&& body) const {
    const std::vector<CellBox> boxes = runs();
    parallel_for(int(boxes.size()), [&](int i) { body(boxes[std::size_t(i)]); });
}

template <class Body>
void TileSet::for_each_pile(Body&& body) const {
    constexpr int highest = 4, items_a_thread = 8;   // piles as high as leaves every thread enough of them
    const std::vector<CellBox> boxes = piles(std::clamp(int(runs().size()) / (items_a_thread * thread_count()), 1, highest));
    parallel_for(int(boxes.size()), [&](int i) { body(boxes[std::size_t(i)]); });
}

/// Copies the cells of the given tiles.
void copy_tiles(const field::Grid& from, field::Grid& to, const TileSet& tiles);

}  // namespace phlo::flow
