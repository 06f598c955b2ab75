// Rows of cells with the even and the odd cells apart. A red-black sweep then reads and writes whole vectors of one colour.
//
//   cells     0 1 2 3 4 5 6              SplitRow shape(7);   row[shape.at(5)] is cell 5
//   split     0 2 4 6 . . . .  1 3 5 . .
//             even half        odd half, starts at shape.odd
//
// In the row (j, k) the red cells are those with i + j + k even: the even half if j + k is even, else the odd half. Entry c of the
// even half is cell 2 c, of the odd half cell 2 c + 1, so the neighbours in x of entry c are
//   even half: entries c - 1 and c of the odd half;      odd half: entries c and c + 1 of the even half,
// and the neighbours in y and z are the same entry of the same half. Entries outside the row (c = -1, c >= count) are zero.
// A split row takes no more room than the padded row of field::Layout.
#pragma once
#include <algorithm>
#include <cstddef>

#include "base/error.h"
#include "field/grid.h"

namespace phlo::numerics {

struct SplitRow {
    static constexpr int vector = 8;  ///< floats; loops run over multiples of it

    int cells = 0;
    int padded = 0;  ///< entries of one half that a loop visits, a multiple of `vector`
    int odd = 0;     ///< where the odd half starts
    int length = 0;  ///< floats of a whole row, ghosts at its end included

    SplitRow() = default;
    explicit SplitRow(int n)
        : cells(n), padded(round_up((n + 1) / 2)), odd(round_up((n + 1) / 2 + 2)), length(odd + padded + vector) {}

    static int round_up(int count) { return (count + vector - 1) / vector * vector; }
    int count(int half) const { return half == 0 ? (cells + 1) / 2 : cells / 2; }
    int start(int half) const { return half == 0 ? 0 : odd; }
    int at(int i) const { return (i % 2 == 0 ? 0 : odd) + i / 2; }

    bool fits(const field::Layout& layout) const { return odd + (cells + 1) / 2 + 2 <= layout.stride_y() && odd + padded <= layout.stride_y(); }

    /// Zeroes the padding behind a half that a loop over whole vectors has written.
    void clear_padding(float* half_row, int half) const {
        for (int c = count(half); c < padded; ++c) half_row[c] = 0;
    }
    /// out = the split form of natural[0 .. 2 padded).
    void split(const float* __restrict natural, float* __restrict out) const {
        float* __restrict even_half = out;
        float* __restrict odd_half = out + odd;
        const int n = padded;
        if (n % vector != 0) __builtin_unreachable();
#pragma omp simd
        for (int c = 0; c < n; ++c) even_half[c] = natural[2 * c], odd_half[c] = natural[2 * c + 1];
    }
    /// natural[0 .. 2 padded) = the cells in their order.
    void join(const float* __restrict in, float* __restrict natural) const {
        const float* __restrict even_half = in;
        const float* __restrict odd_half = in + odd;
        const int n = padded;
        if (n % vector != 0) __builtin_unreachable();
#pragma omp simd
        for (int c = 0; c < n; ++c) natural[2 * c] = even_half[c], natural[2 * c + 1] = odd_half[c];
    }
};

}  // namespace phlo::numerics
