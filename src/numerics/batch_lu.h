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

    bool full = false;  ///< every entry is in it; rows and columns are in the caller's order

    int size() const { return int(column.size()); }
    /// Slot of the entry in row i, column j, both as the caller numbers them; −1 if it is not in the pattern.
    int slot(int i, int j) const;
};

/// `entries` are the pairs (row, column) that may be non-zero; the diagonal always is. The order is Markowitz's: the next pivot is the
/// one that can fill in least, ties by number.
LuPattern make_lu_pattern(int n, std::span<const std::pair<int, int>> entries);

namespace small_lu {

/// Full matrices of a size known to the compiler: the loops unroll. Not those over rows: their code would outgrow the cache from ten unknowns on.
template <int n, class P>
void factorise(P* a) {
#pragma GCC unroll 16
    for (int k = 0; k < n; ++k) {
        a[k * n + k] = P(typename P::Scalar(1)) / a[k * n + k];
#pragma GCC unroll 1
        for (int i = k + 1; i < n; ++i) {
            const P factor = a[i * n + k] * a[k * n + k];
            a[i * n + k] = factor;
#pragma GCC unroll 16
            for (int j = k + 1; j < n; ++j) a[i * n + j] -= factor * a[k * n + j];
        }
    }
}

template <int n, class P>
void solve(const P* a, P* x) {
#pragma GCC unroll 16
    for (int i = 1; i < n; ++i) {
        P sum = x[i];
#pragma GCC unroll 16
        for (int j = 0; j < i; ++j) sum -= a[i * n + j] * x[j];
        x[i] = sum;
    }
#pragma GCC unroll 16
    for (int i = n - 1; i >= 0; --i) {
        P sum = x[i];
#pragma GCC unroll 16
        for (int j = i + 1; j < n; ++j) sum -= a[i * n + j] * x[j];
        x[i] = sum * a[i * n + i];
    }
}

inline constexpr int largest = 12;

/// f.template operator()<n>() for the given n; false if it is too large.
template <int n = 1, class F>
bool with_size(int size, F&& f) {
    if (size == n) return f.template operator()<n>(), true;
    if constexpr (n < largest) return with_size<n + 1>(size, f);
    return false;
}

}  // namespace small_lu

/// In place; keeps the inverse of the diagonal on the diagonal. `work`: n packs.
template <class P>
void lu_factorise(const LuPattern& pattern, P* a, P* work) {
    if (pattern.full && small_lu::with_size(pattern.n, [&]<int n>() { small_lu::factorise<n>(a); })) return;
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
    if (pattern.full && small_lu::with_size(pattern.n, [&]<int n>() { small_lu::solve<n>(a, x); })) return;
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
