#include "numerics/components.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/parallel.h"

namespace phlo::numerics {
namespace {

class UnionFind {
public:
    explicit UnionFind(std::size_t count) : parent_(count) { std::iota(parent_.begin(), parent_.end(), 0); }
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

}  // namespace

SealedGroups::SealedGroups(const Network& net) : n_(net.n) {
    const SplitRow& shape = net.shape;
    const auto row_index = [&](int j, int k) { return std::size_t(k) * std::size_t(n_.y) + std::size_t(j); };

    // Runs of cells that are joined along x; a cell without any open face belongs to none.
    std::vector<std::uint8_t> open;
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
                if (!own || end > i + 1 || net.diagonal(i, j, k) > 0) {
                    runs_.push_back({i, end, 0});
                    open.push_back((i == 0 && x[0] > 0) || (end == n_.x && x[shape.at(n_.x)] > 0));
                }
                i = end;
            }
        }
    first_run_.push_back(int(runs_.size()));

    // Join runs of neighbouring rows wherever a face between them is open; mark those with an open wall face.
    UnionFind sets(runs_.size());
    const auto any_open = [&](const float* face, int begin, int end, bool own) {
        if (!own) return face[shape.at(begin)] > 0;
        for (int i = begin; i < end; ++i)
            if (face[shape.at(i)] > 0) return true;
        return false;
    };
    const auto visit = [&](int a, int j, int k, int dj, int dk) {  // the faces between row (j, k) and (j - dj, k - dk)
        const RowTable& table = net.face[std::size_t(a)];
        const float* face = table(j, k);
        const bool own = table.is_own(j, k), inside = j < n_.y && k < n_.z, before = j - dj >= 0 && k - dk >= 0;
        if (!inside || !before) {
            const std::size_t row = inside ? row_index(j, k) : row_index(j - dj, k - dk);
            for (int r = first_run_[row]; r < first_run_[row + 1]; ++r)
                if (any_open(face, runs_[std::size_t(r)].begin, runs_[std::size_t(r)].end, own)) open[std::size_t(r)] = 1;
            return;
        }
        const std::size_t row = row_index(j, k), other = row_index(j - dj, k - dk);
        for (int r = first_run_[row], s = first_run_[other]; r < first_run_[row + 1] && s < first_run_[other + 1];) {
            const Run &p = runs_[std::size_t(r)], &q = runs_[std::size_t(s)];
            const int begin = std::max(p.begin, q.begin), end = std::min(p.end, q.end);
            if (begin < end && any_open(face, begin, end, own)) sets.join(r, s);
            p.end < q.end ? ++r : ++s;
        }
    };
    for (int k = 0; k < n_.z; ++k)
        for (int j = 0; j <= n_.y; ++j) visit(1, j, k, 1, 0);
    for (int k = 0; k <= n_.z; ++k)
        for (int j = 0; j < n_.y; ++j) visit(2, j, k, 0, 1);

    // Number the groups without an open wall.
    for (std::size_t r = 0; r < runs_.size(); ++r)
        if (open[r] != 0) open[std::size_t(sets.find(int(r)))] = 1;
    std::vector<int> number(runs_.size(), -1);
    for (std::size_t r = 0; r < runs_.size(); ++r) {
        const auto root = std::size_t(sets.find(int(r)));
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
                const std::size_t row = std::size_t(k) * std::size_t(n_.y) + std::size_t(j);
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
