// Loops over blocks whose size the compiler knows.
#pragma once
#include <cstddef>
#include <type_traits>

#include "base/parallel.h"
#include "field/blocks.h"

namespace phlo::numerics {

/// body(std::integral_constant<int, 2^level>()).
template <class Body>
void with_side(int level, const Body& body) {
    switch (level) {
        case 0: return body(std::integral_constant<int, 1>());
        case 1: return body(std::integral_constant<int, 2>());
        case 2: return body(std::integral_constant<int, 4>());
        case 3: return body(std::integral_constant<int, 8>());
        default: return body(std::integral_constant<int, 16>());
    }
}

/// body(base index) for the blocks of a list, in parallel if they hold `cells` enough: to wake other threads for a few takes longer than to do them.
template <class Body>
void each_of(const std::vector<int>& list, std::size_t cells, const Body& body) {
    constexpr std::size_t few = 16384;
    if (cells >= few) return parallel_for(int(list.size()), [&](int i) { body(list[std::size_t(i)]); });
    for (const int block : list) body(block);
}

/// body(base index) for all blocks.
template <class Body>
void each_block(const field::Blocks& blocks, const Body& body) {
    each_of(blocks.all(), blocks.cell_count(), body);
}

/// Cells across a face of a block: body(a, b, place of the cell before the face, place of the ghost behind it), a along the lower of the two other axes.
template <class Body>
void each_at_face(int level, int face, const Body& body) {
    using field::Blocks;
    const int n = Blocks::side(level), axis = face / 2, first = axis == 0 ? 1 : 0, second = axis == 2 ? 1 : 2;
    Vec3i at;
    at[axis] = face % 2 == 0 ? 0 : n - 1;
    const int step = (axis == 0 ? 1 : axis == 1 ? Blocks::pitch(level) : Blocks::pitch(level) * Blocks::pitch(level)) * (face % 2 == 0 ? -1 : 1);
    for (int b = 0; b < n; ++b)
        for (int a = 0; a < n; ++a) {
            at[first] = a, at[second] = b;
            const int place = Blocks::offset(level, at.x, at.y, at.z);
            body(a, b, place, place + step);
        }
}

}  // namespace phlo::numerics
