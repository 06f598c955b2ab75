#include "numerics/components.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/parallel.h"

namespace phlo::numerics {
/// Runs joined into groups: union-find, the root of a group is its first run.
class SealedGroups::Joined {
public:
    explicit Joined(std::size_t count) : parent_(count) { std::iota(parent_.begin(), parent_.end(), 0); }
    int find(int a) {
        while (parent_[std::size_t(a)] != a) a = parent_[std::size_t(a)] = parent_[std::size_t(parent_[std::size_t(a)])];
        return a;
    }
    void join(int a, int b) {
        a = find(a), b = find(b);
        parent_[std::size_t(std::max(a, b))] = std::min(a, b);
    }

private:
    std::vector<int> parent_;
};

SealedGroups::SealedGroups(const Conductances& net, const RowTable* diagonal) : n_(net.n) {
    if (net.grounded()) find_grounded_runs(net, *diagonal);
    else find_runs(net);
    Joined groups(runs_.size());
    join_rows(net, 1, groups);
    join_rows(net, 2, groups);
    number_groups(groups);
}

/// Runs of cells that are joined along x; a cell without any open face belongs to none.
void SealedGroups::find_runs(const Conductances& net) {
    const SplitRow& shape = net.shape;
    first_run_.reserve(std::size_t(n_.y) * std::size_t(n_.z) + 1);
    for (int k = 0; k < n_.z; ++k)
        for (int j = 0; j < n_.y; ++j) {
            first_run_.push_back(int(runs_.size()));
            const float* x = net.face[0](j, k);
            const bool own = net.is_own(j, k);
            for (int i = 0; i < n_.x;) {
                int end = n_.x;
                if (own)
                    for (end = i + 1; end < n_.x && x[shape.at(end)] > 0;) ++end;
                if (!own || end > i + 1 || net.diagonal(i, j, k) > 0)
                    runs_.push_back({i, end, 0, (i == 0 && x[0] > 0) || (end == n_.x && x[shape.at(n_.x)] > 0)});
                i = end;
            }
        }
    first_run_.push_back(int(runs_.size()));
}

/// The same where rows may lie outside the system, and cells may have ground.
void SealedGroups::find_grounded_runs(const Conductances& net, const RowTable& diagonal) {
    std::vector<std::vector<Run>> by_plane(std::size_t(n_.z));
    first_run_.assign(std::size_t(n_.y) * std::size_t(n_.z) + 1, 0);  // counts, until they are summed up
    parallel_for(n_.z, [&](int k) {
        std::vector<Run>& runs = by_plane[std::size_t(k)];
        for (int j = 0; j < n_.y; ++j) {
            const std::size_t before = runs.size();
            if (!net.active_range(j, k).empty()) add_runs(net, diagonal, j, k, runs);
            first_run_[row_index(j, k) + 1] = int(runs.size() - before);
        }
    });
    std::partial_sum(first_run_.begin(), first_run_.end(), first_run_.begin());
    runs_.reserve(std::size_t(first_run_.back()));
    for (const auto& runs : by_plane) runs_.insert(runs_.end(), runs.begin(), runs.end());
}

void SealedGroups::add_runs(const Conductances& net, const RowTable& diagonal, int j, int k, std::vector<Run>& runs) {
    if (!net.is_own(j, k)) {
        runs.push_back({0, net.n.x, 0, false});
        return;
    }
    const SplitRow& shape = net.shape;
    const float *x = net.face[0](j, k), *d = diagonal(j, k), *gx = net.ground[0](j, k), *gy = net.ground[1](j, k), *gz = net.ground[2](j, k);
    const EntryRange active = net.active_range(j, k);
    for (int i = 2 * active.begin, last = std::min(net.n.x, 2 * active.end); i < last; ++i) {
        const int c = shape.at(i);
        if (d[c] <= 0) continue;
        const bool held = gx[c] + gy[c] + gz[c] > 0;
        if (x[c] > 0) runs.back().end = i + 1, runs.back().at_open_wall |= held;  // the cell before it is part of the system too
        else runs.push_back({i, i + 1, 0, held});
    }
}

/// Joins runs of rows that are neighbours along the axis wherever a face between them is open; marks those with an open wall face.
void SealedGroups::join_rows(const Conductances& net, int axis, Joined& groups) {
    const SplitRow& shape = net.shape;
    const RowTable& table = net.face[std::size_t(axis)];
    const auto any_open = [&](const float* face, int begin, int end, bool own) {
        if (!own) return face[shape.at(begin)] > 0;
        for (int i = begin; i < end; ++i)
            if (face[shape.at(i)] > 0) return true;
        return false;
    };
    const auto mark = [&](const float* face, bool own, std::size_t row) {
        for (int r = first_run_[row]; r < first_run_[row + 1]; ++r)
            if (Run& run = runs_[std::size_t(r)]; any_open(face, run.begin, run.end, own)) run.at_open_wall = true;
    };
    const auto join = [&](const float* face, bool own, std::size_t row, std::size_t before) {
        for (int r = first_run_[row], s = first_run_[before]; r < first_run_[row + 1] && s < first_run_[before + 1];) {
            const Run &p = runs_[std::size_t(r)], &q = runs_[std::size_t(s)];
            const int begin = std::max(p.begin, q.begin), end = std::min(p.end, q.end);
            if (begin < end && any_open(face, begin, end, own)) groups.join(r, s);
            p.end < q.end ? ++r : ++s;
        }
    };
    const int dj = axis == 1, dk = axis == 2;
    for (int k = 0; k < n_.z + dk; ++k)
        for (int j = 0; j < n_.y + dj; ++j) {   // the faces between row (j, k) and (j - dj, k - dk)
            const float* face = table(j, k);
            const bool own = table.is_own(j, k);
            if (j == n_.y || k == n_.z) mark(face, own, row_index(j - dj, k - dk));
            else if (j < dj || k < dk) mark(face, own, row_index(j, k));
            else join(face, own, row_index(j, k), row_index(j - dj, k - dk));
        }
}

/// Numbers the groups without an open wall.
void SealedGroups::number_groups(Joined& groups) {
    std::vector<std::uint8_t> open(runs_.size(), 0);   // by root
    for (std::size_t r = 0; r < runs_.size(); ++r)
        if (runs_[r].at_open_wall) open[std::size_t(groups.find(int(r)))] = 1;
    std::vector<int> number(runs_.size(), -1);
    for (std::size_t r = 0; r < runs_.size(); ++r) {
        const auto root = std::size_t(groups.find(int(r)));
        if (open[root] == 0 && number[root] < 0) number[root] = sealed_count_++, cells_.push_back(0);
        runs_[r].group = open[root] == 0 ? number[root] : -1;
        if (runs_[r].group >= 0) cells_[std::size_t(runs_[r].group)] += runs_[r].end - runs_[r].begin;
    }
}

double SealedGroups::remove_means(field::Grid& grid) const {
    if (!any()) return 0;
    const auto each_run = [&](const auto& body) {
        parallel_for(n_.z, [&](int k) {
            for (int j = 0; j < n_.y; ++j) {
                const std::size_t row = row_index(j, k);
                for (int r = first_run_[row]; r < first_run_[row + 1]; ++r)
                    if (runs_[std::size_t(r)].group >= 0) body(runs_[std::size_t(r)], std::size_t(r), grid.row(j, k));
            }
        });
    };
    std::vector<double> sums(runs_.size(), 0.0), means(std::size_t(sealed_count_), 0.0);
    each_run([&](const Run& run, std::size_t index, const float* row) {
        for (int i = run.begin; i < run.end; ++i) sums[index] += double(row[i]);
    });
    for (std::size_t r = 0; r < runs_.size(); ++r)
        if (runs_[r].group >= 0) means[std::size_t(runs_[r].group)] += sums[r];
    double largest = 0;
    for (std::size_t g = 0; g < means.size(); ++g) {
        means[g] /= cells_[g];
        largest = std::max(largest, std::fabs(means[g]));
    }
    each_run([&](const Run& run, std::size_t, float* row) {
        const double mean = means[std::size_t(run.group)];
        for (int i = run.begin; i < run.end; ++i) row[i] = float(double(row[i]) - mean);
    });
    return largest;
}

}  // namespace phlo::numerics
