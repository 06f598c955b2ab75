// Between blocks clipped to level m + 1 and to m: a child's value is its parent's, moved a quarter of the way to the parents beside it on its side, or a
// sixth to a larger one. Not across walls. A child that is held fast, next to a surface that all but touches its centre, takes as much less as it is held.
// Residuals go by the transpose.
#include <algorithm>

#include "numerics/block_loops.h"
#include "numerics/block_poisson.h"

namespace phlo::numerics {
namespace {

using field::BlockField;
using field::Blocks;

/// What a parent's six neighbours mean to the children beside them.
template <class T>
class Shares {
public:
    Shares(const BlockSystem<T>& coarse, int block) : level_(coarse.blocks.level(block)), kind_(coarse.kind.block(coarse.blocks, block)) {
        for (std::size_t a = 0; a < 3; ++a) weight_[a] = coarse.weight[a].block(coarse.blocks, block);
        for (int face = 0; face < 6; ++face) {
            const int other = coarse.blocks.neighbour(block, face);
            there_[std::size_t(face)] = other >= 0 && coarse.blocks.level(other) != Blocks::none;
            larger_[std::size_t(face)] = there_[std::size_t(face)] && coarse.blocks.level(other) < level_;
        }
        const int pitch = Blocks::pitch(level_);
        steps_ = {1, pitch, pitch * pitch};
    }
    /// Of the neighbour across `face` of the cell (i, j, k); `place` becomes its place, or -1 if it has none and is zero.
    T operator()(const Vec3i& cell, int face, int& place) const {
        const int axis = face / 2, side = face % 2, here = Blocks::offset(level_, cell.x, cell.y, cell.z), step = steps_[std::size_t(axis)];
        const bool at_edge = side == 0 ? cell[axis] == 0 : cell[axis] == Blocks::side(level_) - 1;
        place = here + (side == 0 ? -step : step);
        if (at_edge && larger_[std::size_t(face)]) return kind_[place] == part ? T(1) / 6 : T(0);
        const T weight = weight_[std::size_t(axis)][side == 0 ? here : here + step];
        if (at_edge && !there_[std::size_t(face)]) place = -1;
        return weight > 0 ? T(0.25) : T(0);
    }

private:
    int level_;
    const std::uint8_t* kind_;
    std::array<const T*, 3> weight_{};
    std::array<bool, 6> there_{}, larger_{};
    std::array<int, 3> steps_{};
};

/// How much of its parents' value a child takes.
template <class T>
T taken(T inverse, T full) { return std::min(T(1), inverse * full); }

template <class Each>
void each_cell(int level, const Each& each) {
    Vec3i c;
    for (c.z = 0; c.z < Blocks::side(level); ++c.z)
        for (c.y = 0; c.y < Blocks::side(level); ++c.y)
            for (c.x = 0; c.x < Blocks::side(level); ++c.x) each(c, Blocks::offset(level, c.x, c.y, c.z));
}

template <class Each>
void each_child(int level, const Vec3i& cell, const Each& each) {
    for (int z = 0; z < 2; ++z)
        for (int y = 0; y < 2; ++y)
            for (int x = 0; x < 2; ++x) each(x, y, z, Blocks::offset(level + 1, 2 * cell.x + x, 2 * cell.y + y, 2 * cell.z + z));
}

/// The transpose of what prolong() does in this block: parents' parts of `residual`, those of neighbours in the ghosts.
template <class T>
void gather(const BlockSystem<T>& coarse, int block, const T* residual, T* sum) {
    const int level = coarse.blocks.level(block);
    const Shares<T> shares(coarse, block);
    const std::uint8_t* kind = coarse.kind.block(coarse.blocks, block);
    each_cell(level, [&](const Vec3i& cell, int place) {
        if (kind[place] == outside) return;
        T all = 0, half[6] = {};
        each_child(level, cell, [&](int x, int y, int z, int child) {
            const T r = residual[child];
            all += r, half[x] += r, half[2 + y] += r, half[4 + z] += r;
        });
        for (int face = 0; face < 6; ++face) {
            int other = 0;
            const T moved = shares(cell, face, other) * half[face];
            all -= moved;
            if (other >= 0) sum[other] += moved;
        }
        sum[place] += all;
    });
}

/// Adds what the neighbours hold in their ghosts for the cells of this block.
template <class T>
void fold_in(const Blocks& blocks, const BlockField<T>& sums, int block, T* b) {
    const int level = blocks.level(block);
    for (int face = 0; face < 6; ++face) {
        const int other = blocks.neighbour(block, face);
        if (other < 0 || blocks.level(other) < level) continue;   // none is less than any level
        const int there = blocks.level(other), finer = there - level, axis = face / 2, first = axis == 0 ? 1 : 0, second = axis == 2 ? 1 : 2;
        const T* from = sums.block(blocks, other);
        Vec3i at;
        at[axis] = face % 2 == 0 ? 0 : Blocks::side(level) - 1;
        each_at_face(there, face ^ 1, [&](int a, int c, int, int ghost) {
            at[first] = a >> finer, at[second] = c >> finer;
            b[Blocks::offset(level, at.x, at.y, at.z)] += from[ghost];
        });
    }
}

}  // namespace

template <class T>
void BlockPoisson<T>::restrict_residual(Level& fine, Level& coarse) const {
    const Blocks &from = fine.system.blocks, &to = coarse.system.blocks;
    fill_ghosts(from, fine.x);
    each_block(from, [&](int block) {
        const int level = from.level(block);
        std::array<T, 18 * 18 * 18> residual;
        product(fine, fine.x, block, residual.data());
        const T *b = fine.b.block(from, block), *inverse = fine.inverse.block(from, block);
        const bool parents = to.level(block) != level;
        const T full = T(6 * from.size(level));
        each_cell(level, [&](const Vec3i&, int place) {
            T& r = residual[std::size_t(place)];
            r = inverse[place] > 0 ? (b[place] - r) * (parents ? taken(inverse[place], full) : T(1)) : T(0);
        });
        T* sum = coarse.next.block(to, block);
        std::fill_n(sum, Blocks::stored(to.level(block)), T(0));
        if (!parents) each_cell(level, [&](const Vec3i&, int place) { sum[place] = residual[std::size_t(place)]; });
        else gather(coarse.system, block, residual.data(), sum);
    });
    each_block(to, [&](int block) {
        const int level = to.level(block);
        T* b = coarse.b.block(to, block);
        T* sum = coarse.next.block(to, block);
        const T* inverse = coarse.inverse.block(to, block);
        // Rows without unknowns are never written again and must be zero. Neighbours look at the ghosts alone.
        each_cell(level, [&](const Vec3i&, int place) { b[place] = sum[place], sum[place] = 0; });
        fold_in(to, coarse.next, block, b);
        each_cell(level, [&](const Vec3i&, int place) { b[place] = inverse[place] > 0 ? b[place] : T(0); });
    });
}

template <class T>
void BlockPoisson<T>::prolong(Level& coarse, Level& fine) const {
    const Blocks &from = coarse.system.blocks, &to = fine.system.blocks;
    fill_ghosts(from, coarse.x);
    each_block(to, [&](int block) {
        const int level = from.level(block);
        const T *parents = coarse.x.block(from, block), *inverse = fine.inverse.block(to, block);
        T* x = fine.x.block(to, block);
        if (level == to.level(block)) {
            each_cell(level, [&](const Vec3i&, int place) { x[place] += inverse[place] > 0 ? parents[place] : T(0); });
            return;
        }
        const Shares<T> shares(coarse.system, block);
        const std::uint8_t* kind = coarse.system.kind.block(from, block);
        const T full = T(6 * to.size(level + 1));
        each_cell(level, [&](const Vec3i& cell, int place) {
            if (kind[place] == outside) return;
            const T own = parents[place];
            T more[6];
            for (int face = 0; face < 6; ++face) {
                int other = 0;
                const T share = shares(cell, face, other);
                more[face] = share * ((other >= 0 ? parents[other] : T(0)) - own);
            }
            each_child(level, cell, [&](int a, int b, int c, int child) {
                if (inverse[child] > 0) x[child] += taken(inverse[child], full) * (own + more[a] + more[2 + b] + more[4 + c]);
            });
        });
    });
}

template void BlockPoisson<float>::restrict_residual(Level&, Level&) const;
template void BlockPoisson<double>::restrict_residual(Level&, Level&) const;
template void BlockPoisson<float>::prolong(Level&, Level&) const;
template void BlockPoisson<double>::prolong(Level&, Level&) const;

}  // namespace phlo::numerics
