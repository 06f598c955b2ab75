// Particles that add to a grid, from several threads: every task fills its own planes with the particles in their order, so the sums do not depend
// on the number of threads, and no two tasks touch one cell.
//
//   for_each_slab(cells.z, count, [&](int p) { return PlaneRange{first_plane_of(p), end_plane_of(p)}; },
//                 [&](int first, int end, std::span<const int> those) { ... });   // adds those to the planes [first, end)
#pragma once
#include <algorithm>
#include <span>
#include <vector>

#include "base/parallel.h"

namespace phlo::particles {

/// Planes [first, end) that a particle reaches; may go beyond the grid, and be empty.
struct PlaneRange {
    int first = 0, end = 0;
};

template <class Reach, class Fill>
void for_each_slab(int planes, int count, const Reach& reach, const Fill& fill) {
    constexpr int thick = 4;   // planes that one task fills
    std::vector<std::vector<int>> in_slab(std::size_t((planes + thick - 1) / thick));
    for (int p = 0; p < count; ++p) {
        const PlaneRange range = reach(p);
        const int first = std::max(range.first, 0), end = std::min(range.end, planes);
        for (int s = first / thick; s * thick < end && first < end; ++s) in_slab[std::size_t(s)].push_back(p);
    }
    parallel_for(int(in_slab.size()), [&](int s) { fill(s * thick, std::min((s + 1) * thick, planes), std::span<const int>(in_slab[std::size_t(s)])); });
}

}  // namespace phlo::particles
