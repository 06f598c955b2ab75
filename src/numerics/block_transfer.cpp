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

/// What the six neighbours of the parents in a row mean to the children beside them: shares, 0 across walls.
template <class T, int n>
struct RowShares {
    std::array<std::array<T, n>, 6> share;
    std::array<bool, 6> there;   ///< across the row's sides; of the first and the last parent across theirs

    RowShares(const BlockSystem<T>& coarse, int block, int j, int k) {
        const int level = coarse.blocks.level(block), row = Blocks::offset(level, 0, j, k);
        constexpr int p = n + 2, steps[3] = {1, p, p * p};
        for (int face = 0; face < 6; ++face) {
            const int axis = face / 2, to = face % 2 == 0 ? -steps[axis] : steps[axis];
            const T* __restrict weight = coarse.weight[std::size_t(axis)].block(coarse.blocks, block) + row + (face % 2 == 0 ? 0 : steps[axis]);
            T* __restrict here = share[std::size_t(face)].data();
#pragma omp simd
            for (int i = 0; i < n; ++i) here[i] = weight[i] > 0 ? T(0.25) : T(0);
            const int at = axis == 1 ? j : k, last = face % 2 == 0 ? 0 : n - 1;
            there[std::size_t(face)] = true;
            if (axis > 0 && at != last) continue;   // inside of the block
            const int other = coarse.blocks.neighbour(block, face), finer = other >= 0 ? coarse.blocks.level(other) : int(Blocks::none);
            there[std::size_t(face)] = finer != Blocks::none;
            if (finer == Blocks::none || finer >= level) continue;
            const std::uint8_t* kind = coarse.kind.block(coarse.blocks, block) + row + to;
            for (int i = axis == 0 ? last : 0; i < (axis == 0 ? last + 1 : n); ++i) here[i] = kind[i] == part ? T(1) / 6 : T(0);
        }
    }
};

/// How much of its parents' value a child takes.
template <class T>
T taken(T inverse, T full) { return std::min(T(1), inverse * full); }

/// each(place of a row's first cell, how many there are).
template <class Each>
void each_row(int level, const Each& each) {
    const int n = Blocks::side(level);
    for (int r = 0; r < n * n; ++r) each(Blocks::offset(level, 0, r % n, r / n), n);
}

/// The transpose of what prolong() does in this block: parents' parts of `residual`, those of neighbours in the ghosts.
template <int n, class T>
void gather(const BlockSystem<T>& coarse, int block, const T* __restrict residual, T* __restrict sum) {
    constexpr int p = n + 2, q = 2 * n + 2;
    for (int k = 0; k < n; ++k)
        for (int j = 0; j < n; ++j) {
            const RowShares<T, n> shares(coarse, block, j, k);
            std::array<std::array<T, n>, 6> half;   // of the children on each side
            std::array<T, n> all;
            const T *a = residual + 1 + q * (2 * j + 1 + q * (2 * k + 1)), *b = a + q, *c = a + q * q, *d = c + q;
#pragma omp simd
            for (int i = 0; i < n; ++i) {
                const T ae = a[2 * i], ao = a[2 * i + 1], be = b[2 * i], bo = b[2 * i + 1], ce = c[2 * i], co = c[2 * i + 1], de = d[2 * i], d_o = d[2 * i + 1];
                const T ra = ae + ao, rb = be + bo, rc = ce + co, rd = de + d_o;
                half[0][std::size_t(i)] = shares.share[0][std::size_t(i)] * ((ae + be) + (ce + de)), half[1][std::size_t(i)] = shares.share[1][std::size_t(i)] * ((ao + bo) + (co + d_o));
                half[2][std::size_t(i)] = shares.share[2][std::size_t(i)] * (ra + rc), half[3][std::size_t(i)] = shares.share[3][std::size_t(i)] * (rb + rd);
                half[4][std::size_t(i)] = shares.share[4][std::size_t(i)] * (ra + rb), half[5][std::size_t(i)] = shares.share[5][std::size_t(i)] * (rc + rd);
                all[std::size_t(i)] = ((ra + rb) + (rc + rd)) - ((half[0][std::size_t(i)] + half[1][std::size_t(i)]) + (half[2][std::size_t(i)] + half[3][std::size_t(i)]) +
                                                                 (half[4][std::size_t(i)] + half[5][std::size_t(i)]));
            }
            T* row = sum + 1 + p * (j + 1 + p * (k + 1));
            const auto add = [&](T* to, const std::array<T, n>& more, int first, int last) {
                for (int i = first; i < last; ++i) to[i] += more[std::size_t(i)];
            };
            add(row, all, 0, n);
            add(row - 1, half[0], shares.there[0] ? 0 : 1, n), add(row + 1, half[1], 0, shares.there[1] ? n : n - 1);   // nothing goes beyond the box
            if (shares.there[2]) add(row - p, half[2], 0, n);
            if (shares.there[3]) add(row + p, half[3], 0, n);
            if (shares.there[4]) add(row - p * p, half[4], 0, n);
            if (shares.there[5]) add(row + p * p, half[5], 0, n);
        }
}

/// Adds the parents' values to those of the children of a block.
template <int n, class T>
void spread(const BlockSystem<T>& coarse, int block, const T* __restrict parents, const T* __restrict inverse, T full, T* __restrict x) {
    constexpr int p = n + 2, q = 2 * n + 2;
    for (int k = 0; k < n; ++k)
        for (int j = 0; j < n; ++j) {
            const RowShares<T, n> shares(coarse, block, j, k);
            const T* row = parents + 1 + p * (j + 1 + p * (k + 1));
            std::array<std::array<T, n>, 6> more;
            constexpr int steps[6] = {-1, 1, -p, p, -p * p, p * p};
            for (std::size_t face = 0; face < 6; ++face) {
#pragma omp simd
                for (int i = 0; i < n; ++i) more[face][std::size_t(i)] = shares.share[face][std::size_t(i)] * (row[i + steps[face]] - row[i]);
            }
            for (int c = 0; c < 2; ++c)
                for (int b = 0; b < 2; ++b) {
                    const int child = 1 + q * (2 * j + b + 1 + q * (2 * k + c + 1));
                    const T *y = more[std::size_t(2 + b)].data(), *z = more[std::size_t(4 + c)].data();
#pragma omp simd
                    for (int i = 0; i < n; ++i) {
                        const T own = row[i] + y[i] + z[i];
                        x[child + 2 * i] += taken(inverse[child + 2 * i], full) * (own + more[0][std::size_t(i)]);
                        x[child + 2 * i + 1] += taken(inverse[child + 2 * i + 1], full) * (own + more[1][std::size_t(i)]);
                    }
                }
        }
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
    each_wet(fine, [&](int block) {
        if (fine.touch[std::size_t(block)] != Level::untouched) fill_ghosts_of(from, block, fine.x);
    });
    each_wet(fine, [&](int block) {
        const int level = from.level(block);
        if (fine.touch[std::size_t(block)] == Level::untouched) {   // nothing has changed there
            const T* b = fine.b.block(from, block);
            T* sum = coarse.next.block(to, block);
            std::fill_n(sum, Blocks::stored(level), T(0));
            each_row(level, [&](int row, int n) { std::copy_n(b + row, n, sum + row); });
            return;
        }
        std::array<T, 18 * 18 * 18> residual;
        product(fine, fine.x, block, residual.data());
        const T *b = fine.b.block(from, block), *inverse = fine.inverse.block(from, block);
        const bool parents = to.level(block) != level;
        const T full = T(6 * from.size(level));
        T* __restrict r = residual.data();
        T* sum = coarse.next.block(to, block);
        std::fill_n(sum, Blocks::stored(to.level(block)), T(0));
        each_row(level, [&](int row, int n) {
            if (!parents) {
#pragma omp simd
                for (int i = row; i < row + n; ++i) sum[i] = inverse[i] > 0 ? b[i] - r[i] : T(0);
            } else {
#pragma omp simd
                for (int i = row; i < row + n; ++i) r[i] = inverse[i] > 0 ? (b[i] - r[i]) * taken(inverse[i], full) : T(0);
            }
        });
        if (parents) with_side(to.level(block), [&](auto side) { gather<side()>(coarse.system, block, r, sum); });
    });
    each_wet(coarse, [&](int block) {
        const int level = to.level(block);
        T* b = coarse.b.block(to, block);
        T* sum = coarse.next.block(to, block);
        const T* inverse = coarse.inverse.block(to, block);
        // Rows without unknowns are never written again and must be zero. Neighbours look at the ghosts alone.
        each_row(level, [&](int row, int n) { std::copy_n(sum + row, n, b + row), std::fill_n(sum + row, n, T(0)); });
        fold_in(to, coarse.next, block, b);
        each_row(level, [&](int row, int n) {
#pragma omp simd
            for (int i = row; i < row + n; ++i) b[i] = inverse[i] > 0 ? b[i] : T(0);
        });
    });
}

template <class T>
void BlockPoisson<T>::prolong(Level& coarse, Level& fine) const {
    const Blocks &from = coarse.system.blocks, &to = fine.system.blocks;
    fill_wet_ghosts(coarse, coarse.x);
    each_wet(fine, [&](int block) {
        const int level = from.level(block);
        const T *parents = coarse.x.block(from, block), *inverse = fine.inverse.block(to, block);
        T* x = fine.x.block(to, block);
        if (level == to.level(block)) {
            each_row(level, [&](int row, int n) {
#pragma omp simd
                for (int i = row; i < row + n; ++i) x[i] += inverse[i] > 0 ? parents[i] : T(0);
            });
            if (fine.touch[std::size_t(block)] != Level::inside) std::copy_n(x, Blocks::stored(level), fine.next.block(to, block));   // smoothing goes from one to the other
            return;
        }
        const T full = T(6 * to.size(level + 1));
        with_side(level, [&](auto side) { spread<side()>(coarse.system, block, parents, inverse, full, x); });
    });
}

template void BlockPoisson<float>::restrict_residual(Level&, Level&) const;
template void BlockPoisson<double>::restrict_residual(Level&, Level&) const;
template void BlockPoisson<float>::prolong(Level&, Level&) const;
template void BlockPoisson<double>::prolong(Level&, Level&) const;

}  // namespace phlo::numerics
