// Fields of the finest cells, and functions, on blocks of several levels: for tests.
#pragma once
#include <functional>

#include "flow/block_liquid.h"
#include "liquid_cases.h"

namespace phlo::flow {

/// Blocks of all levels, the finest at random places, the coarsest no coarser than `coarsest`.
inline field::Blocks mixed_blocks(int n, int depth, int coarsest, std::uint64_t seed, float share = 0.06f) {
    const Vec3i base(n >> depth);
    std::vector<std::int8_t> levels(std::size_t(base.x * base.y * base.z), std::int8_t(coarsest));
    for (std::size_t b = 0; b < levels.size(); ++b)
        if (uniform4({seed, 3, 0}, std::uint32_t(b))[0] < share) levels[b] = std::int8_t(depth);
    field::balance(base, levels);
    return {base, depth, levels};
}

inline field::Blocks one_level(int n, int depth, int level) {
    const Vec3i base(n >> depth);
    return {base, depth, std::vector<std::int8_t>(std::size_t(base.x * base.y * base.z), std::int8_t(level))};
}

/// each(place in its block's memory, where it is in finest cells, how wide it is) for the entries of a block.
inline void each_entry(const field::Blocks& blocks, int axis, int block, const std::function<void(int, const Vec3d&, int)>& each) {
    const int level = blocks.level(block), size = blocks.size(level);
    const Vec3d corner(blocks.place(block) * (1 << blocks.depth()));
    Vec3i c, last(field::Blocks::side(level));
    if (axis >= 0) ++last[axis];
    for (c.z = 0; c.z < last.z; ++c.z)
        for (c.y = 0; c.y < last.y; ++c.y)
            for (c.x = 0; c.x < last.x; ++c.x) {
                Vec3d at = Vec3d(c) + Vec3d(0.5);
                if (axis >= 0) at[axis] -= 0.5;
                each(field::Blocks::offset(level, c.x, c.y, c.z), corner + at * double(size), size);
            }
}

/// f(where it is, in finest cells); ghosts are filled.
inline field::BlockField<float> on_blocks(const field::Blocks& blocks, int axis, const std::function<double(const Vec3d&)>& f) {
    field::BlockField<float> made(blocks);
    for (const int block : blocks.all())
        each_entry(blocks, axis, block, [&](int place, const Vec3d& at, int) { made.block(blocks, block)[place] = float(f(at)); });
    fill_ghosts_around(blocks, axis, field::Seams::one_value, made);
    return made;
}

/// A grid's values: of a coarse cell the mean of the eight around its centre, of a coarse face that of all on it.
inline field::BlockField<float> on_blocks(const field::Blocks& blocks, int axis, const field::Grid& grid) {
    field::BlockField<float> made(blocks);
    for (const int block : blocks.all())
        each_entry(blocks, axis, block, [&](int place, const Vec3d& at, int size) {
            Vec3i first, last;
            for (int a = 0; a < 3; ++a) {
                const int half = axis >= 0 ? size / 2 : 1;
                first[a] = a == axis || size == 1 ? int(at[a]) : int(at[a]) - half, last[a] = a == axis || size == 1 ? first[a] + 1 : int(at[a]) + half;
            }
            double sum = 0;
            for (int k = first.z; k < last.z; ++k)
                for (int j = first.y; j < last.y; ++j)
                    for (int i = first.x; i < last.x; ++i) sum += double(grid(i, j, k));
            const Vec3i count = last - first;
            made.block(blocks, block)[place] = float(sum / (count.x * count.y * count.z));
        });
    fill_ghosts_around(blocks, axis, field::Seams::one_value, made);
    return made;
}

inline BlockVelocity on_blocks(const field::Blocks& blocks, const field::MacGrid& u) { return {on_blocks(blocks, 0, u.x), on_blocks(blocks, 1, u.y), on_blocks(blocks, 2, u.z)}; }

/// The largest speed on faces that touch liquid.
inline double largest_wet_speed(const field::Blocks& blocks, const field::BlockField<std::uint8_t>& kind, const BlockVelocity& u) {
    double most = 0;
    for (const int block : blocks.all())
        for (int axis = 0; axis < 3; ++axis) {
            const int wide = field::Blocks::pitch(blocks.level(block)), step = axis == 0 ? 1 : axis == 1 ? wide : wide * wide;
            const std::uint8_t* k = kind.block(blocks, block);
            each_entry(blocks, axis, block, [&](int place, const Vec3d&, int) {
                if (k[place] == numerics::part || k[place - step] == numerics::part) most = std::max(most, std::fabs(double(u[std::size_t(axis)].block(blocks, block)[place])));
            });
        }
    return most;
}

}  // namespace phlo::flow
