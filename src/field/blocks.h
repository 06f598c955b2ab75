// A grid that is fine where it matters: a coarse base array, each of whose cells holds a block of (2^k)^3 cells, k from 0 to `depth`, in one
// pool a level. Blocks that touch, over faces, edges or corners, are at most one level apart. Two memory accesses lead to a value: the base
// array's entry, then the pool.
//
//   std::vector<std::int8_t> levels(8 * 8 * 8, 0);                // of the base cells, x fastest; Blocks::none: nothing is there
//   levels[0] = 3;
//   balance({8, 8, 8}, levels);                                   // its neighbours 2, theirs 1
//   Blocks blocks({8, 8, 8}, 4, std::move(levels));               // a base cell is 2^4 of the finest cells wide
//   BlockField<float> pressure(blocks);
//   float p = pressure.at(blocks, {5, 6, 7});                     // of the cell that covers finest cell (5, 6, 7)
//
//      +-------+---+---+      Levels meet only on the faces of blocks: inside a block everything is uniform. A block is stored with one ghost
//      |       |   |   |      layer, (2^k + 2)^3 values, x fastest, so that its stencils need no cases; whoever uses the ghosts fills them.
//      |   0   +---+---+      What the ghosts cost is little: small blocks have few cells in all. The structure itself is the base array and
//      |       |   | 1 |      a list of the blocks of each level.
//      +-------+---+---+
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/vec.h"

namespace phlo::field {

class Blocks {
public:
    static constexpr int max_depth = 4;
    static constexpr std::int8_t none = -1;

    Blocks() = default;
    /// Levels must be balanced.
    Blocks(Vec3i base, int depth, const std::vector<std::int8_t>& levels);

    Vec3i base() const { return base_; }
    int depth() const { return depth_; }
    int base_count() const { return base_.x * base_.y * base_.z; }
    int index(const Vec3i& b) const { return b.x + base_.x * (b.y + base_.y * b.z); }
    Vec3i place(int index) const { return {index % base_.x, index / base_.x % base_.y, index / base_.x / base_.y}; }
    bool inside(const Vec3i& b) const { return b.x >= 0 && b.y >= 0 && b.z >= 0 && b.x < base_.x && b.y < base_.y && b.z < base_.z; }

    int level(int index) const { return entries_[std::size_t(index)].level; }   ///< or none
    int slot(int index) const { return entries_[std::size_t(index)].slot; }     ///< of its level's pool
    /// The base cell across face 2 axis + side; -1: beyond the base array.
    int neighbour(int index, int face) const;
    /// Base indices of a level's blocks, by slot, in the order of the base array.
    const std::vector<int>& of_level(int level) const { return lists_[std::size_t(level)]; }
    /// All blocks, from the finest level to the coarsest: fixed items for parallel loops.
    const std::vector<int>& all() const { return all_; }
    std::size_t cell_count() const;                                             ///< of all blocks

    static int side(int level) { return 1 << level; }
    static int pitch(int level) { return (1 << level) + 2; }
    static std::size_t stored(int level) { return std::size_t(pitch(level)) * std::size_t(pitch(level)) * std::size_t(pitch(level)); }
    /// Of cell (i, j, k) in its block; -1 and 2^level are ghosts.
    static int offset(int level, int i, int j, int k) { return i + 1 + pitch(level) * (j + 1 + pitch(level) * (k + 1)); }
    /// Finest cells along the edge of a cell.
    int size(int level) const { return 1 << (depth_ - level); }

    /// The same, no finer than level m: what multigrid goes down to.
    Blocks clipped(int m) const;
    std::size_t bytes() const;
    friend bool operator==(const Blocks& a, const Blocks& b) { return a.base_ == b.base_ && a.depth_ == b.depth_ && a.entries_ == b.entries_; }

private:
    struct Entry {
        std::int32_t slot = -1;
        std::int8_t level = none;
        friend bool operator==(const Entry&, const Entry&) = default;
    };
    Vec3i base_;
    int depth_ = 0;
    std::vector<Entry> entries_;
    std::array<std::vector<int>, max_depth + 1> lists_;
    std::vector<int> all_;
};

/// Raises levels until blocks that touch are at most one level apart. Cells with none stay so and ask for nothing.
void balance(Vec3i base, std::vector<std::int8_t>& levels);

/// One value a cell, ghosts included, 0 at first.
template <class T>
class BlockField {
public:
    BlockField() = default;
    explicit BlockField(const Blocks& blocks) { reset(blocks); }
    /// 0 everywhere, on these blocks from now on. Memory is used again: new pages take longer to come by than all that is done with them in a step.
    void reset(const Blocks& blocks) {
        for (int k = 0; k <= Blocks::max_depth; ++k) {
            std::vector<T>& pool = pools_[std::size_t(k)];
            const std::size_t count = k > blocks.depth() || blocks.of_level(k).empty() ? 0 : blocks.of_level(k).size() * Blocks::stored(k) + slack;
            if (count > pool.capacity()) pool.clear(), pool.reserve(pool.capacity() == 0 ? count : count + count / 8);
            pool.assign(count, T(0));
        }
    }
    T* block(int level, int slot) { return pools_[std::size_t(level)].data() + std::size_t(slot) * Blocks::stored(level); }
    const T* block(int level, int slot) const { return pools_[std::size_t(level)].data() + std::size_t(slot) * Blocks::stored(level); }
    T* block(const Blocks& blocks, int index) { return block(blocks.level(index), blocks.slot(index)); }
    const T* block(const Blocks& blocks, int index) const { return block(blocks.level(index), blocks.slot(index)); }

    /// The value at a finest cell, which must be in a block.
    T at(const Blocks& blocks, const Vec3i& cell) const {
        const int d = blocks.depth(), index = blocks.index({cell.x >> d, cell.y >> d, cell.z >> d}), k = blocks.level(index), shift = d - k, mask = (1 << d) - 1;
        return block(k, blocks.slot(index))[Blocks::offset(k, (cell.x & mask) >> shift, (cell.y & mask) >> shift, (cell.z & mask) >> shift)];
    }
    /// All that it holds of a level, block after block: for checkpoints.
    std::vector<T>& pool(int level) { return pools_[std::size_t(level)]; }
    std::size_t bytes() const {
        std::size_t sum = 0;
        for (const std::vector<T>& pool : pools_) sum += pool.size() * sizeof(T);
        return sum;
    }

private:
    static constexpr std::size_t slack = 16;   ///< after the last block of a pool: packs are read whole
    std::array<std::vector<T>, Blocks::max_depth + 1> pools_;
};

}  // namespace phlo::field
