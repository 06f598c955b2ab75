// LU factorisation of many small sparse matrices at once: one a lane, all with the same pattern and without pivoting.
//
//   const LuPattern pattern = make_lu_pattern(n, entries);           // once: order of elimination, fill-in
//   std::vector<P> a(pattern.size());
//   a[pattern.slot(i, j)] = …;                                       // zero where an entry is fill-in
//   lu_factorise(pattern, a.data(), work);                           // work: n packs
//   lu_solve(pattern, a.data(), x, work);                            // x: right-hand side, then the solution
//
// Matrices of kinetics, 1/(hγ) − J, are solved well without pivoting when the diagonal decides the order [sandu1996].
#pragma once
#include <span>
#include <utility>
#include <vector>

namespace phlo::numerics {

/// Rows are in order of elimination. The entries of row r are slots first[r] … first[r+1] − 1: the multipliers left of the diagonal,
/// then the diagonal, then the rest, by ascending column.
struct LuPattern {
    int n = 0;
    std::vector<int> first, diagonal;  ///< slots, by row
    std::vector<int> column;  ///< in the order of elimination, by slot
    std::vector<int> place;  ///< of an unknown in the order of elimination
    std::vector<int> unknown;  ///< its inverse

    int size() const { return int(column.size()); }
    /// Slot of the entry in row i, column j, both as the caller numbers them; −1 if it is not in the pattern.
    int slot(int i, int j) const;
};

/// `entries` are the pairs (row, column) that may be non-zero; the diagonal always is. The order is Markowitz's: the next pivot is the
/// one that can fill in least, ties by number.
LuPattern make_lu_pattern(int n, std::span<const std::pair<int, int>> entries);

/// In place; keeps the inverse of the diagonal on the diagonal.
template <class P>
void lu_factorise(const LuPattern& pattern, P* a, P* work) {
    const int* column = pattern.column.data();
    for (int r = 0; r < pattern.n; ++r) {
        const int begin = pattern.first[r], diagonal = pattern.diagonal[r], end = pattern.first[r + 1];
        for (int s = begin; s < end; ++s) work[column[s]] = a[s];
        for (int s = begin; s < diagonal; ++s) {
            const int k = column[s];
            const P factor = work[k] * a[pattern.diagonal[k]];
            a[s] = factor;
            for (int u = pattern.diagonal[k] + 1; u < pattern.first[k + 1]; ++u) work[column[u]] -= factor * a[u];
        }
        a[diagonal] = P(typename P::Scalar(1)) / work[r];
        for (int s = diagonal + 1; s < end; ++s) a[s] = work[column[s]];
    }
}

template <class P>
void lu_solve(const LuPattern& pattern, const P* a, P* x, P* work) {
    const int* column = pattern.column.data();
    for (int r = 0; r < pattern.n; ++r) {
        P sum = x[pattern.unknown[r]];
        for (int s = pattern.first[r]; s < pattern.diagonal[r]; ++s) sum -= a[s] * work[column[s]];
        work[r] = sum;
    }
    for (int r = pattern.n - 1; r >= 0; --r) {
        P sum = work[r];
        for (int s = pattern.diagonal[r] + 1; s < pattern.first[r + 1]; ++s) sum -= a[s] * work[column[s]];
        work[r] = sum * a[pattern.diagonal[r]];
        x[pattern.unknown[r]] = work[r];
    }
}

}  // namespace phlo::numerics
