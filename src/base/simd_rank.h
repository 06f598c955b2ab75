// The n-th smallest number of each of many rows, a row a lane: by a sorting network, which takes the same time whatever the numbers are.
//
//   alignas(64) float rows[simd::width][40] = {};
//   simd::Float sixteenth = simd::middle_of_rows<16>(rows[0], 40);   // of the first 32 numbers of each row
//
// For a smaller n put numbers that are smaller than all others in front, for fewer numbers infinities behind.
#pragma once
#include <array>
#include <cstddef>
#include <utility>

#include "base/simd.h"

namespace phlo::simd {

/// Column c of the result holds number c of each row; rows are `stride` numbers apart.
PHLO_INLINE void load_columns(const float* rows, std::size_t stride, Float (&column)[width]) {
#if PHLO_SIMD_512
    const Int first = lane_index() * Int(int(stride));
    for (int c = 0; c < width; ++c) column[c] = gather(rows + c, first);
#else
    for (int c = 0; c < width; c += 4) {
        const auto pair = [&](std::size_t r) {   // four numbers of row r and of row r + 4
            const float* at = rows + r * stride + std::size_t(c);
            return _mm256_insertf128_ps(_mm256_castps128_ps256(_mm_loadu_ps(at)), _mm_loadu_ps(at + 4 * stride), 1);
        };
        const __m256 a = pair(0), b = pair(1), d = pair(2), e = pair(3);
        const __m256 ab_low = _mm256_unpacklo_ps(a, b), ab_high = _mm256_unpackhi_ps(a, b), de_low = _mm256_unpacklo_ps(d, e), de_high = _mm256_unpackhi_ps(d, e);
        column[c] = _mm256_shuffle_ps(ab_low, de_low, 0x44), column[c + 1] = _mm256_shuffle_ps(ab_low, de_low, 0xee);
        column[c + 2] = _mm256_shuffle_ps(ab_high, de_high, 0x44), column[c + 3] = _mm256_shuffle_ps(ab_high, de_high, 0xee);
    }
#endif
}

/// Batcher's odd-even merge sort: pairs to be put in order, one after the other [batcher1968].
template <int size>
struct SortingNetwork {
    struct Pair {
        int low, high;
    };
    template <class Visit>
    static constexpr void for_each_pair(Visit&& visit) {
        for (int p = 1; p < size; p *= 2)
            for (int k = p; k >= 1; k /= 2)
                for (int j = k % p; j + k < size; j += 2 * k)
                    for (int i = j; i < j + k; ++i)
                        if (i + k < size && i / (2 * p) == (i + k) / (2 * p)) visit(Pair{i, i + k});
    }
    static constexpr std::size_t count = [] {
        std::size_t sum = 0;
        for_each_pair([&](Pair) { ++sum; });
        return sum;
    }();
    static constexpr std::array<Pair, count> pairs = [] {
        std::array<Pair, count> list{};
        std::size_t at = 0;
        for_each_pair([&](Pair pair) { list[at++] = pair; });
        return list;
    }();

    PHLO_INLINE static void sort(Float* v) {
        if constexpr (size <= 16) {   // as many as there are registers, or nearly
            [&]<std::size_t... c>(std::index_sequence<c...>) { (exchange(v[pairs[c].low], v[pairs[c].high]), ...); }(std::make_index_sequence<count>());
        } else {
            for (const Pair& pair : pairs) exchange(v[pair.low], v[pair.high]);
        }
    }

private:
    PHLO_INLINE static void exchange(Float& a, Float& b) {
        const Float smaller = min(a, b);
        b = max(a, b), a = smaller;
    }
};

/// The `half`-th smallest of the first 2 `half` numbers of each of `width` rows.
template <int half>
Float middle_of_rows(const float* rows, std::size_t stride) {
    static_assert(half % width == 0);
    Float lower[half], upper[half];
    const auto sorted = [&](const float* from, Float* to) {
        for (int c = 0; c < half; c += width) {
            Float column[width];
            load_columns(from + c, stride, column);
            for (int v = 0; v < width; ++v) to[c + v] = column[v];
        }
        SortingNetwork<half>::sort(to);
    };
    sorted(rows, lower), sorted(rows + half, upper);
    // The smaller half of both together, in no order; its largest.
    Float most = min(lower[0], upper[half - 1]);
    for (int c = 1; c < half; ++c) most = max(most, min(lower[c], upper[half - 1 - c]));
    return most;
}

}  // namespace phlo::simd
