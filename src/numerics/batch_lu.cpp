#include "numerics/batch_lu.h"

#include <algorithm>

namespace phlo::numerics {

int LuPattern::slot(int i, int j) const {
    const int r = place[i], c = place[j];
    const auto begin = column.begin() + first[r], end = column.begin() + first[r + 1];
    const auto found = std::lower_bound(begin, end, c);
    return found != end && *found == c ? int(found - column.begin()) : -1;
}

LuPattern make_lu_pattern(int n, std::span<const std::pair<int, int>> entries) {
    std::vector<std::vector<char>> set(n, std::vector<char>(n, 0));
    for (int i = 0; i < n; ++i) set[i][i] = 1;
    for (const auto& [i, j] : entries) set[i][j] = 1;

    // --- eliminate symbolically: fill-in shows up in `set` ---
    LuPattern pattern{.n = n, .first = {}, .diagonal = {}, .column = {}, .place = std::vector<int>(n, -1), .unknown = {}, .full = false};
    for (int step = 0; step < n; ++step) {
        int best = -1;
        long best_cost = 0;
        for (int p = 0; p < n; ++p) {
            if (pattern.place[p] >= 0) continue;
            long in_row = 0, in_column = 0;
            for (int q = 0; q < n; ++q) {
                if (pattern.place[q] >= 0 || q == p) continue;
                in_row += set[p][q];
                in_column += set[q][p];
            }
            if (best < 0 || in_row * in_column < best_cost) best = p, best_cost = in_row * in_column;
        }
        pattern.place[best] = step;
        pattern.unknown.push_back(best);
        for (int i = 0; i < n; ++i) {
            if (pattern.place[i] >= 0 || !set[i][best]) continue;
            for (int j = 0; j < n; ++j)
                if (pattern.place[j] < 0 && set[best][j]) set[i][j] = 1;
        }
    }

    for (int r = 0; r < n; ++r) {
        pattern.first.push_back(pattern.size());
        for (int c = 0; c < n; ++c) {
            if (!set[pattern.unknown[r]][pattern.unknown[c]]) continue;
            if (c == r) pattern.diagonal.push_back(pattern.size());
            pattern.column.push_back(c);
        }
    }
    pattern.first.push_back(pattern.size());
    pattern.full = pattern.size() == n * n;
    return pattern;
}

}  // namespace phlo::numerics
