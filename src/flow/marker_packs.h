// Loops over the columns of a set of markers, a register at a time.
//
//   for_each_pack(count, [&](std::size_t first, int lanes) { store_lanes(y + first, load_lanes(x + first, lanes) * 2.0f, lanes); });
#pragma once
#include <algorithm>
#include <cstddef>

#include "base/parallel.h"
#include "base/simd.h"

namespace phlo::flow {

inline constexpr std::size_t marker_chunk = 4096;   ///< markers of one task

/// Of the last lanes of a column only the first `lanes` are read; the others repeat the first.
PHLO_INLINE simd::Float load_lanes(const float* p, int lanes) {
    if (lanes == simd::width) return simd::load(p);
    alignas(64) float all[simd::width];
    for (int l = 0; l < simd::width; ++l) all[l] = p[l < lanes ? l : 0];
    return simd::load(all);
}
PHLO_INLINE void store_lanes(float* p, simd::Float value, int lanes) {
    if (lanes == simd::width) simd::store(p, value);
    else simd::store(p, value, simd::first_lanes(lanes));
}

/// body(chunk, first, last) in parallel.
template <class Body>
void for_each_marker_chunk(std::size_t count, const Body& body) {
    parallel_for(int((count + marker_chunk - 1) / marker_chunk), [&](int c) { body(c, std::size_t(c) * marker_chunk, std::min(count, (std::size_t(c) + 1) * marker_chunk)); });
}
/// body(first, lanes) in parallel, lanes <= simd::width.
template <class Body>
void for_each_pack(std::size_t count, const Body& body) {
    for_each_marker_chunk(count, [&](int, std::size_t first, std::size_t last) {
        for (std::size_t n = first; n < last; n += simd::width) body(n, int(std::min(last - n, std::size_t(simd::width))));
    });
}

}  // namespace phlo::flow
