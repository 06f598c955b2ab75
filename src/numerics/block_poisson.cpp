#include "numerics/block_poisson.h"

#include <algorithm>
#include <cmath>

#include "numerics/block_coarsen.h"
#include "numerics/block_loops.h"

namespace phlo::numerics {
namespace {

using field::BlockField;
using field::Blocks;

/// The roots of Chebyshev's polynomial of degree two for eigenvalues in [1/3, 2], those of errors that the next coarser level cannot hold.
constexpr double omegas[2] = {0.5695, 1.7319};

template <int n, class T>
void product_inside(const BlockRows& live, const BlockRows& plain, T size, const T* __restrict x, const T* __restrict wx, const T* __restrict wy, const T* __restrict wz,
                    const T* __restrict diagonal, T* __restrict y) {
    constexpr int p = n + 2, q = p * p;
    for (int k = 0; k < n; ++k)
        for (int j = 0; j < n; ++j) {
            if ((live[std::size_t(k)] >> j & 1) == 0) continue;
            const int row = 1 + p * (j + 1 + p * (k + 1));
            if ((plain[std::size_t(k)] >> j & 1) != 0) {   // half of the memory to read
#pragma omp simd
                for (int i = row; i < row + n; ++i) y[i] = size * (6 * x[i] - (x[i - 1] + x[i + 1]) - (x[i - p] + x[i + p]) - (x[i - q] + x[i + q]));
                continue;
            }
#pragma omp simd
            for (int i = row; i < row + n; ++i)
                y[i] = diagonal[i] * x[i] - (wx[i] * x[i - 1] + wx[i + 1] * x[i + 1]) - (wy[i] * x[i - p] + wy[i + p] * x[i + p]) -
                       (wz[i] * x[i - q] + wz[i + q] * x[i + q]);
        }
}

/// each(place of the first cell) for the rows of a block in which there are unknowns.
template <int n, class Each>
void rows(const BlockRows& live, const Each& each) {
    constexpr int p = n + 2;
    for (int k = 0; k < n; ++k)
        for (int j = 0; j < n; ++j)
            if ((live[std::size_t(k)] >> j & 1) != 0) each(1 + p * (j + 1 + p * (k + 1)));
}

/// Marks the row whose first cell has this place.
void set_row(int place, int pitch, BlockRows& marked) {
    const int j = place / pitch % pitch - 1, k = place / pitch / pitch - 1;
    marked[std::size_t(k)] = std::uint16_t(marked[std::size_t(k)] | 1 << j);
}

/// The rows of a block that hold a part of the system.
BlockRows live_rows(int level, const std::uint8_t* kind) {
    BlockRows live{};
    const int n = Blocks::side(level);
    for (int k = 0; k < n; ++k)
        for (int j = 0; j < n; ++j) {
            const std::uint8_t* row = kind + Blocks::offset(level, 0, j, k);
            if (std::find(row, row + n, std::uint8_t(part)) != row + n) live[std::size_t(k)] = std::uint16_t(live[std::size_t(k)] | 1 << j);
        }
    return live;
}

/// each(base cell, block, place) for the cells of a base array and where they are in the blocks below it.
template <class Each>
void each_below(const Blocks& base, const Blocks& below, const Each& each) {
    const int d = below.depth(), mask = (1 << d) - 1;
    for (const int cell : base.all()) {
        const Vec3i at = base.place(cell);
        each(cell, below.index({at.x >> d, at.y >> d, at.z >> d}), Blocks::offset(d, at.x & mask, at.y & mask, at.z & mask));
    }
}

template <class T>
using Scratch = std::array<T, 18 * 18 * 18>;

}  // namespace

template <class T>
void fill_ghosts_of(const Blocks& blocks, int block, BlockField<T>& x) {
    const int level = blocks.level(block), n = Blocks::side(level), wide = Blocks::pitch(level);
    T* here = x.block(blocks, block);
    for (int face = 0; face < 6; ++face) {
        const int other = blocks.neighbour(block, face);
        if (other < 0 || blocks.level(other) == Blocks::none || blocks.level(other) > level) continue;
        const int axis = face / 2, first = axis == 0 ? wide : 1, second = axis == 2 ? wide : wide * wide, along = axis == 0 ? 1 : axis == 1 ? wide : wide * wide;
        const int inner = Blocks::offset(level, 0, 0, 0), ghost = inner + (face % 2 == 0 ? -along : n * along);
        const T* from = x.block(blocks, other);
        if (blocks.level(other) == level) {
            const int there = inner + (face % 2 == 0 ? (n - 1) * along : 0);
            with_side(level, [&](auto side) {
                for (int c = 0; c < side(); ++c) {
                    T* to = here + ghost + c * second;
                    const T* row = from + there + c * second;
                    if (axis == 0) for (int a = 0; a < side(); ++a) to[a * first] = row[a * first];
                    else std::copy_n(row, side(), to);
                }
            });
            continue;
        }
        const int small = Blocks::pitch(level - 1), half_first = axis == 0 ? small : 1, half_second = axis == 2 ? small : small * small;
        const int there = Blocks::offset(level - 1, 0, 0, 0) + (face % 2 == 0 ? (n / 2 - 1) * (axis == 0 ? 1 : axis == 1 ? small : small * small) : 0);
        for (int c = 0; c < n; ++c)
            for (int a = 0; a < n; ++a) here[ghost + a * first + c * second] = from[there + a / 2 * half_first + c / 2 * half_second];
    }
}

template <class T>
void fill_ghosts(const Blocks& blocks, BlockField<T>& x) {
    each_block(blocks, [&](int block) { fill_ghosts_of(blocks, block, x); });
}

template <class T>
void BlockPoisson<T>::fill_wet_ghosts(const Level& level, Field& x) const {
    each_wet(level, [&](int block) { fill_ghosts_of(level.system.blocks, block, x); });
}

template <class T>
void BlockPoisson<T>::set_up(BlockSystem<T> system) {
    const int depth = system.blocks.depth();
    const bool same = levels_.size() == std::size_t(depth) + 1 && finest_ == system.blocks;   // fields can stay
    finest_ = system.blocks;
    levels_.resize(std::size_t(depth) + 1);
    levels_.back().system = std::move(system);
    for (int m = depth; m >= 0; --m) {
        Level& level = levels_[std::size_t(m)];
        if (m < depth) coarsen(levels_[std::size_t(m) + 1].system, m, level.system);
        const Blocks& blocks = level.system.blocks;
        level.seam_at.assign(std::size_t(blocks.base_count()), {});
        for (std::size_t s = 0; s < level.system.seams.size(); ++s) {
            const Seam<T>& seam = level.system.seams[s];
            level.seam_at[std::size_t(seam.coarse)][std::size_t(seam.face)] = std::int32_t(s) + 1;
            level.seam_at[std::size_t(seam.fine)][std::size_t(seam.face ^ 1)] = std::int32_t(s) + 1;
        }
        if (!same) level.diagonal.reset(blocks), level.inverse.reset(blocks);
        find_diagonals(level);
        if (m == depth) {
            wet_.clear();
            for (const int block : blocks.all())
                if (std::ranges::any_of(level.live[std::size_t(block)], [](std::uint16_t rows_of_plane) { return rows_of_plane != 0; })) wet_.push_back(block);
        }
        if (!same) level.x.reset(blocks), level.next.reset(blocks), level.b.reset(blocks);
        sort_blocks(level, m);
    }
    set_up_base(levels_.front().system);
    if (!same) p_.reset(blocks()), z_.reset(blocks());
    else clear_rest();
}

template <class T>
void BlockPoisson<T>::sort_blocks(Level& level, int m) {
    const Blocks& blocks = level.system.blocks;
    const auto is_beside = [&](int block, const auto& one) {
        for (int face = 0; face < 6; ++face)
            if (const int other = blocks.neighbour(block, face); other >= 0 && one(other)) return true;
        return false;
    };
    const auto finest = [&](int block) { return blocks.level(block) == m; };
    level.smoothed.clear(), level.rest.clear(), level.touch.assign(std::size_t(blocks.base_count()), Level::untouched);
    for (const int block : wet_)
        if (finest(block) || is_beside(block, finest)) level.smoothed.push_back(block), level.touch[std::size_t(block)] = Level::inside;
    const auto smoothed = [&](int block) { return level.touch[std::size_t(block)] == Level::inside; };
    for (const int block : wet_) {
        if (smoothed(block)) continue;
        level.rest.push_back(block);
        if (is_beside(block, smoothed)) level.touch[std::size_t(block)] = Level::beside;
    }
    std::erase_if(level.rough, [&](int block) { return !smoothed(block); });
}

/// What is not smoothed starts at zero, whichever of the two fields is looked at.
template <class T>
void BlockPoisson<T>::clear_unsmoothed(Level& level) const {
    const Blocks& blocks = level.system.blocks;
    each_of(level.rest, blocks.cell_count(), [&](int block) {
        for (Field* x : {&level.x, &level.next}) std::fill_n(x->block(blocks, block), Blocks::stored(blocks.level(block)), T(0));
    });
}

/// Rows in which there are no unknowns any more are never written, and neighbours take what is in them for zero.
template <class T>
void BlockPoisson<T>::clear_rest() {
    const auto clear = [](const Level& level, Field& x) {
        const Blocks& blocks = level.system.blocks;
        each_block(blocks, [&](int block) {
            const int k = blocks.level(block), n = Blocks::side(k);
            const BlockRows& live = level.live[std::size_t(block)];
            if (live == BlockRows{}) std::fill_n(x.block(blocks, block), Blocks::stored(k), T(0));   // what neighbours look for in its ghosts, too
            for (int r = 0; r < n * n; ++r)
                if ((live[std::size_t(r / n)] >> r % n & 1) == 0) std::fill_n(x.block(blocks, block) + Blocks::offset(k, 0, r % n, r / n), n, T(0));
        });
    };
    for (Level& level : levels_) clear(level, level.x), clear(level, level.next), clear(level, level.b);
    clear(levels_.back(), p_), clear(levels_.back(), z_);
}

/// One more system below a large base array: the array's cells, in blocks of 16^3, with their own size for unit.
template <class T>
void BlockPoisson<T>::set_up_base(const BlockSystem<T>& base) {
    constexpr int small = 512, depth = Blocks::max_depth, edge = 1 << depth;
    below_.reset();
    if (base.blocks.all().size() <= small) return;
    const Vec3i n = base.blocks.base(), groups((n.x + edge - 1) / edge, (n.y + edge - 1) / edge, (n.z + edge - 1) / edge);
    const Blocks blocks(groups, depth, std::vector<std::int8_t>(std::size_t(groups.x * groups.y * groups.z), std::int8_t(depth)));
    BlockSystem<T> system(blocks);
    const T unit = T(base.blocks.size(0));
    constexpr int steps[3] = {1, 3, 9}, middle = 13;
    const int far[3] = {1, Blocks::pitch(depth), Blocks::pitch(depth) * Blocks::pitch(depth)};
    each_below(base.blocks, blocks, [&](int cell, int block, int place) {
        const std::uint8_t* kind = base.kind.block(base.blocks, cell);
        std::uint8_t* to = system.kind.block(blocks, block);
        to[place] = kind[middle];
        for (std::size_t a = 0; a < 3; ++a) {
            const T* weight = base.weight[a].block(base.blocks, cell);
            system.weight[a].block(blocks, block)[place] = weight[middle] / unit;
            system.weight[a].block(blocks, block)[place + far[a]] = weight[middle + steps[a]] / unit;
            for (const int side : {-1, 1})   // what is beyond a cell that has no neighbour; one that is there sets its own
                if (to[place + side * far[a]] == outside) to[place + side * far[a]] = kind[middle + side * steps[a]];
        }
    });
    each_below(base.blocks, blocks, [&](int cell, int block, int place) { system.kind.block(blocks, block)[place] = base.kind.block(base.blocks, cell)[middle]; });
    fill_ghosts(blocks, system.kind);
    below_ = std::make_unique<BlockPoisson>();
    below_->set_up(std::move(system));
}

template <class T>
void BlockPoisson<T>::find_diagonals(Level& level) {
    const BlockSystem<T>& system = level.system;
    const Blocks& blocks = system.blocks;
    level.live.assign(std::size_t(blocks.base_count()), {}), level.plain = level.live;
    struct Count {
        long cells = 0;
        bool grounded = false;
        std::vector<int> rough = {};
    };
    const Count all = parallel_reduce(int(blocks.all().size()), Count{}, [&](int item) {
        const int block = blocks.all()[std::size_t(item)];
        const int k = blocks.level(block), pitch = Blocks::pitch(k);
        const int steps[3] = {1, pitch, pitch * pitch};
        const std::uint8_t* kind = system.kind.block(blocks, block);
        const BlockRows live = level.live[std::size_t(block)] = live_rows(k, kind);
        T *diagonal = level.diagonal.block(blocks, block), *inverse = level.inverse.block(blocks, block);
        std::fill_n(diagonal, Blocks::stored(k), T(0)), std::fill_n(inverse, Blocks::stored(k), T(0));
        Scratch<T> bound{};
        Count count;
        bool rough = false;
        const T whole = T(0.999) * T(blocks.size(k));
        for (const std::int32_t at : level.seam_at[std::size_t(block)]) {
            if (at == 0) continue;
            const Seam<T>& seam = system.seams[std::size_t(at) - 1];
            for (const LevelFace<T>& f : seam.faces) {
                const T shares = f.share[0] + f.share[1] + f.share[2] + f.share[3], half = (shares + f.coarse_share) / 2;
                if (f.weight > 0 && std::abs(double(shares - f.coarse_share)) > 1e-3) count.grounded = true;
                if (seam.coarse == block) bound[std::size_t(f.coarse)] += f.weight * f.coarse_share * std::max(half, f.coarse_share);
                else
                    for (std::size_t c = 0; c < 4; ++c) bound[std::size_t(f.fine[c])] += f.weight * f.share[c] * std::max(half, f.share[c]);
            }
        }
        const T size = T(blocks.size(k));
        with_side(k, [&](auto side) {
            rows<side()>(live, [&](int row) {
                bool plain = true;
                for (int i = row; i < row + side(); ++i) {
                    if (kind[i] != part) {
                        plain = false;
                        continue;
                    }
                    T sum = 0;
                    for (std::size_t a = 0; a < 3; ++a) {
                        const T* w = system.weight[a].block(blocks, block);
                        const T before = w[i], after = w[i + steps[a]];
                        sum += before + after;
                        plain = plain && before == size && after == size && kind[i - steps[a]] == part && kind[i + steps[a]] == part;
                        rough = rough || (before > 0 && before < whole) || (after > 0 && after < whole);
                        if ((before > 0 && kind[i - steps[a]] != part) || (after > 0 && kind[i + steps[a]] != part)) count.grounded = true;
                    }
                    diagonal[i] = sum;
                    const T all_of_it = sum + bound[std::size_t(i)];
                    inverse[i] = all_of_it > 0 ? 1 / all_of_it : T(0);
                    plain = plain && bound[std::size_t(i)] == 0;
                    ++count.cells;
                }
                if (plain) set_row(row, pitch, level.plain[std::size_t(block)]);
            });
        });
        if (rough) count.rough = {block};
        return count;
    }, [](Count a, const Count& b) {
        a.cells += b.cells, a.grounded = a.grounded || b.grounded;
        a.rough.insert(a.rough.end(), b.rough.begin(), b.rough.end());
        return a;
    });
    level.rough = all.rough;
    if (&level == &levels_.back()) unknowns_ = all.cells, grounded_ = all.grounded;
}

/// y = (A x) of a block. The ghosts of x are filled.
template <class T>
void BlockPoisson<T>::product(const Level& level, const Field& x, int block, T* y) const {
    const BlockSystem<T>& system = level.system;
    const Blocks& blocks = system.blocks;
    with_side(blocks.level(block), [&](auto side) {
        product_inside<side()>(level.live[std::size_t(block)], level.plain[std::size_t(block)], T(blocks.size(blocks.level(block))), x.block(blocks, block), system.weight[0].block(blocks, block), system.weight[1].block(blocks, block),
                              system.weight[2].block(blocks, block), level.diagonal.block(blocks, block), y);
    });
    for (const std::int32_t at : level.seam_at[std::size_t(block)]) {
        if (at == 0) continue;
        const Seam<T>& seam = system.seams[std::size_t(at) - 1];
        const T *coarse = x.block(blocks, seam.coarse), *fine = x.block(blocks, seam.fine);
        for (const LevelFace<T>& f : seam.faces) {
            T slope = -f.coarse_share * coarse[f.coarse];
            for (std::size_t c = 0; c < 4; ++c) slope += f.share[c] * fine[f.fine[c]];
            slope *= f.weight;
            if (seam.coarse == block) y[f.coarse] -= f.coarse_share * slope;
            else
                for (std::size_t c = 0; c < 4; ++c) y[f.fine[c]] += f.share[c] * slope;
        }
    }
}

template <class T>
void BlockPoisson<T>::apply(Field& x, Field& y) const {
    const Level& level = levels_.back();
    const Blocks& blocks = level.system.blocks;
    fill_wet_ghosts(level, x);
    each_wet(level, [&](int block) {
        Scratch<T> scratch;
        product(level, x, block, scratch.data());
        const std::uint8_t* kind = level.system.kind.block(blocks, block);
        T* to = y.block(blocks, block);
        with_side(blocks.level(block), [&](auto side) {
            rows<side()>(level.live[std::size_t(block)], [&](int row) {
                for (int i = row; i < row + side(); ++i) to[i] = kind[i] == part ? scratch[std::size_t(i)] : T(0);
            });
        });
    });
}

/// x += omega D^-1 (b - A x).
template <class T>
void BlockPoisson<T>::smooth(Level& level, double omega, bool from_zero) {
    const Blocks& blocks = level.system.blocks;
    if (!from_zero) each_of(level.smoothed, blocks.cell_count(), [&](int block) { fill_ghosts_of(blocks, block, level.x); });
    each_of(level.smoothed, blocks.cell_count(), [&](int block) {
        Scratch<T> scratch;
        if (!from_zero) product(level, level.x, block, scratch.data());
        const T *__restrict b = level.b.block(blocks, block), *__restrict inverse = level.inverse.block(blocks, block), *__restrict x = level.x.block(blocks, block);
        const T* __restrict y = scratch.data();
        T* __restrict to = level.next.block(blocks, block);
        const T w = T(omega), whole = w / T(6 * blocks.size(blocks.level(block)));
        with_side(blocks.level(block), [&](auto side) {
            constexpr int pitch = side() + 2;
            rows<side()>(level.live[std::size_t(block)], [&](int row) {
                if (from_zero) {
#pragma omp simd
                    for (int i = row; i < row + side(); ++i) to[i] = w * inverse[i] * b[i];
                } else if (level.plain[std::size_t(block)][std::size_t(row / pitch / pitch - 1)] >> (row / pitch % pitch - 1) & 1) {
#pragma omp simd
                    for (int i = row; i < row + side(); ++i) to[i] = x[i] + whole * (b[i] - y[i]);
                } else {
#pragma omp simd
                    for (int i = row; i < row + side(); ++i) to[i] = x[i] + w * inverse[i] * (b[i] - y[i]);
                }
            });
        });
    });
    std::swap(level.x, level.next);
}

/// The same in rough blocks alone.
template <class T>
void BlockPoisson<T>::smooth_rough(Level& level, double omega) {
    if (level.rough.empty()) return;
    const Blocks& blocks = level.system.blocks;
    each_of(level.rough, blocks.cell_count(), [&](int block) { fill_ghosts_of(blocks, block, level.x); });
    const auto each = [&](const auto& body) {
        parallel_for(int(level.rough.size()), [&](int item) {
            const int block = level.rough[std::size_t(item)];
            with_side(blocks.level(block), [&](auto side) { body(block, side); });
        });
    };
    each([&](int block, auto side) {
        Scratch<T> scratch;
        product(level, level.x, block, scratch.data());
        const T *__restrict b = level.b.block(blocks, block), *__restrict inverse = level.inverse.block(blocks, block), *__restrict y = scratch.data();
        T* __restrict to = level.next.block(blocks, block);
        const T w = T(omega);
        rows<side()>(level.live[std::size_t(block)], [&](int row) {
#pragma omp simd
            for (int i = row; i < row + side(); ++i) to[i] = w * inverse[i] * (b[i] - y[i]);
        });
    });
    each([&](int block, auto side) {
        const T* more = level.next.block(blocks, block);
        T* x = level.x.block(blocks, block);
        rows<side()>(level.live[std::size_t(block)], [&](int row) {
            for (int i = row; i < row + side(); ++i) x[i] += more[i];
        });
    });
}

template <class T>
void BlockPoisson<T>::cycle(std::size_t at) {
    Level& level = levels_[at];
    if (at == 0) return solve_base(level);
    clear_unsmoothed(level);
    smooth(level, omegas[0], true);
    smooth(level, omegas[1], false);
    smooth_rough(level, omegas[0]), smooth_rough(level, omegas[1]);
    restrict_residual(level, levels_[at - 1]);
    cycle(at - 1);
    prolong(levels_[at - 1], level);
    smooth_rough(level, omegas[1]), smooth_rough(level, omegas[0]);
    smooth(level, omegas[1], false);
    smooth(level, omegas[0], false);
}

template <class T>
void BlockPoisson<T>::solve_base(Level& level) {
    if (!below_) return sweep_base(level);
    const Blocks &base = level.system.blocks, &blocks = below_->blocks();
    constexpr int middle = 13;
    Level& finest = below_->levels_.back();
    each_below(base, blocks, [&](int cell, int block, int place) { finest.b.block(blocks, block)[place] = level.b.block(base, cell)[middle] / T(base.size(0)); });
    below_->cycle(below_->levels_.size() - 1);
    each_below(base, blocks, [&](int cell, int block, int place) { level.x.block(base, cell)[middle] = finest.x.block(blocks, block)[place]; });
}

/// A few hundred cells: symmetric sweeps one cell after the other.
template <class T>
void BlockPoisson<T>::sweep_base(Level& level) const {
    const Blocks& blocks = level.system.blocks;
    const int count = int(blocks.all().size());
    struct Cell {
        std::array<int, 6> other;
        std::array<double, 6> weight;
        double b, inverse;
    };
    std::vector<Cell> cells(static_cast<std::size_t>(count));
    std::vector<double> x(std::size_t(count) + 1, 0);   // the last one stays 0
    constexpr int steps[3] = {1, 3, 9}, middle = 13;
    for (int c = 0; c < count; ++c) {
        const int block = blocks.all()[std::size_t(c)];
        Cell& cell = cells[std::size_t(c)];
        for (int face = 0; face < 6; ++face) {
            const int other = blocks.neighbour(block, face);
            cell.other[std::size_t(face)] = other >= 0 && blocks.level(other) != Blocks::none ? blocks.slot(other) : count;
            cell.weight[std::size_t(face)] = double(level.system.weight[std::size_t(face / 2)].block(blocks, block)[middle + (face % 2) * steps[face / 2]]);
        }
        cell.b = double(level.b.block(blocks, block)[middle]), cell.inverse = double(level.inverse.block(blocks, block)[middle]);
    }
    const auto update = [&](int c) {
        const Cell& cell = cells[std::size_t(c)];
        double sum = cell.b;
        for (std::size_t face = 0; face < 6; ++face) sum += cell.weight[face] * x[std::size_t(cell.other[face])];
        x[std::size_t(c)] = sum * cell.inverse;
    };
    constexpr int sweeps = 16;
    for (int s = 0; s < sweeps; ++s) {
        for (int c = 0; c < count; ++c) update(c);
        for (int c = count - 1; c >= 0; --c) update(c);
    }
    for (int c = 0; c < count; ++c) level.x.block(blocks, blocks.all()[std::size_t(c)])[middle] = T(x[std::size_t(c)]);
}

template <class T>
void BlockPoisson<T>::precondition(const Field& b, Field& z) {
    levels_.back().b = b;
    cycle(levels_.size() - 1);
    z = levels_.back().x;
}

template <class T>
template <class Each>
void BlockPoisson<T>::combine(const Each& each) const {
    each_wet(levels_.back(), [&](int block) {
        const int k = blocks().level(block), slot = blocks().slot(block);
        with_side(k, [&](auto side) { rows<side()>(levels_.back().live[std::size_t(block)], [&](int row) { each(k, slot, row, side()); }); });
    });
}

template <class T>
template <class Scale>
double BlockPoisson<T>::scaled_dot(const Field& a, const Field& b, const Scale& scale) const {
    const std::vector<int>& all = wet_;
    return parallel_sum(int(all.size()), [&](int item) {
        const T *x = a.block(blocks(), all[std::size_t(item)]), *y = b.block(blocks(), all[std::size_t(item)]);
        double sum = 0;
        with_side(blocks().level(all[std::size_t(item)]), [&](auto side) {
            rows<side()>(levels_.back().live[std::size_t(all[std::size_t(item)])], [&](int row) {
                T line = 0;
#pragma omp simd reduction(+ : line)
                for (int i = row; i < row + side(); ++i) line += x[i] * y[i];
                sum += double(line);
            });
        });
        return sum * scale(blocks().level(all[std::size_t(item)]));
    });
}

template <class T>
double BlockPoisson<T>::dot(const Field& a, const Field& b) const {
    return scaled_dot(a, b, [](int) { return 1.0; });
}

template <class T>
double BlockPoisson<T>::norm(const Field& b) const {
    return std::sqrt(scaled_dot(b, b, [&](int level) { return std::pow(double(blocks().size(level)), -4); }));
}

template <class T>
double BlockPoisson<T>::fine_norm(const Field& b) const {
    return std::sqrt(scaled_dot(b, b, [&](int level) { return std::pow(double(blocks().size(level)), -2); }));
}

/// Spread over the unknowns by their volume.
template <class T>
void BlockPoisson<T>::remove_mean(Field& b) const {
    struct Sums {
        double b = 0, volume = 0;
    };
    const auto volume = [&](int k) { return std::pow(double(blocks().size(k)), 3); };
    const std::vector<int>& all = wet_;
    const Field& inverse = levels_.back().inverse;
    const Sums sums = parallel_reduce(int(all.size()), Sums{}, [&](int item) {
        const int k = blocks().level(all[std::size_t(item)]);
        const T *x = b.block(blocks(), all[std::size_t(item)]), *in = inverse.block(blocks(), all[std::size_t(item)]);
        Sums s;
        with_side(k, [&](auto side) {
            rows<side()>(levels_.back().live[std::size_t(all[std::size_t(item)])], [&](int row) {
                for (int i = row; i < row + side(); ++i)
                    if (in[i] > 0) s.b += double(x[i]), s.volume += volume(k);
            });
        });
        return s;
    }, [](const Sums& a, const Sums& c) { return Sums{a.b + c.b, a.volume + c.volume}; });
    if (sums.volume == 0) return;
    combine([&](int k, int slot, int row, int n) {
        T* x = b.block(k, slot);
        const T* in = inverse.block(k, slot);
        for (int i = row; i < row + n; ++i)
            if (in[i] > 0) x[i] -= T(sums.b / sums.volume * volume(k));
    });
}

template <class T>
typename BlockPoisson<T>::Status BlockPoisson<T>::solve(const Options& options, Field& b, Field& x) {
    if (!grounded_) remove_mean(b);
    each_block(blocks(), [&](int block) { std::fill_n(x.block(blocks(), block), Blocks::stored(blocks().level(block)), T(0)); });   // air, too, where it holds anything
    const double start = norm(b);
    Status status;
    if (!(start > 0)) return {.converged = start == 0};
    double before = 0;
    for (status.residual = 1; status.iterations < options.max_iterations;) {
        std::swap(levels_.back().b, b);
        cycle(levels_.size() - 1);
        std::swap(levels_.back().b, b), std::swap(levels_.back().x, z_);
        const double rho = dot(b, z_), beta = before != 0 ? rho / before : 0;
        before = rho;
        combine([&](int k, int slot, int row, int n) {
            T* p = p_.block(k, slot);
            const T* z = z_.block(k, slot);
            for (int i = row; i < row + n; ++i) p[i] = z[i] + T(beta) * p[i];
        });
        apply(p_, z_);
        const double steep = dot(p_, z_);
        if (!(steep > 0) || !(rho > 0)) break;   // as good as numbers of this size can tell
        const T alpha = T(rho / steep);
        combine([&](int k, int slot, int row, int n) {
            T *to = x.block(k, slot), *r = b.block(k, slot);
            const T *p = p_.block(k, slot), *ap = z_.block(k, slot);
            for (int i = row; i < row + n; ++i) to[i] += alpha * p[i], r[i] -= alpha * ap[i];
        });
        ++status.iterations;
        status.residual = norm(b) / start;
        if (status.residual <= options.tolerance) break;
    }
    status.converged = status.residual <= options.tolerance;
    return status;
}

template <class T>
std::size_t BlockPoisson<T>::bytes() const {
    std::size_t sum = p_.bytes() + z_.bytes() + (below_ ? below_->bytes() : 0);
    for (const Level& level : levels_) {
        sum += level.system.blocks.bytes() + level.system.kind.bytes() + level.diagonal.bytes() + level.inverse.bytes() + level.x.bytes() + level.next.bytes() + level.b.bytes();
        for (const Field& w : level.system.weight) sum += w.bytes();
        for (const Seam<T>& seam : level.system.seams) sum += seam.faces.size() * sizeof(LevelFace<T>);
        sum += level.seam_at.size() * sizeof(level.seam_at[0]) + 2 * level.live.size() * sizeof(level.live[0]);
    }
    return sum;
}

template void fill_ghosts_of(const Blocks&, int, BlockField<float>&);
template void fill_ghosts(const Blocks&, BlockField<float>&);
template void fill_ghosts(const Blocks&, BlockField<double>&);
template void fill_ghosts(const Blocks&, BlockField<std::uint8_t>&);
template class BlockPoisson<float>;
template class BlockPoisson<double>;

}  // namespace phlo::numerics
