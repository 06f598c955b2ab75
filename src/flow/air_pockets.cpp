#include "flow/air_pockets.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <unordered_map>

#include "flow/outflow.h"

namespace phlo::flow {
namespace {

/// Runs of air along x, joined where faces between them are open: union-find, the root of a group is its first run.
class AirGroups {
public:
    explicit AirGroups(const LiquidCells& cells) : cells_(cells), n_(cells.layout().cells()) {
        find_runs();
        parent_.resize(runs_.size());
        std::iota(parent_.begin(), parent_.end(), 0);
        for (int k = 0; k < n_.z; ++k)
            for (int j = 0; j < n_.y; ++j) {
                if (j > 0) join_rows(1, j, k);
                if (k > 0) join_rows(2, j, k);
            }
        measure();
    }

    /// The run's root if it is shut in, else -1.
    int pocket_of(int i, int j, int k) {
        const auto row = row_index(j, k);
        const auto at = std::upper_bound(runs_.begin() + first_[row], runs_.begin() + first_[row + 1], i, [](int cell, const Run& run) { return cell < run.begin; });
        const int root = find(int(at - runs_.begin()) - 1);
        return outside_[std::size_t(root)] != 0 ? -1 : root;
    }
    long size(int root) const { return sizes_[std::size_t(root)]; }

private:
    struct Run {
        int begin, end;
        bool at_open_wall;
    };
    std::size_t row_index(int j, int k) const { return std::size_t(k) * std::size_t(n_.y) + std::size_t(j); }
    int find(int a) {
        while (parent_[std::size_t(a)] != a) a = parent_[std::size_t(a)] = parent_[std::size_t(parent_[std::size_t(a)])];
        return a;
    }
    bool is_air(int i, int j, int k) const {
        return !cells_.liquid(i, j, k) && !(is_special_row(cells_.solids(), cells_.layout(), j, k) && cells_.solids().covered(i, j, k));
    }
    void find_runs() {
        for (int k = 0; k < n_.z; ++k)
            for (int j = 0; j < n_.y; ++j) {
                first_.push_back(std::ptrdiff_t(runs_.size()));
                const float* open = cells_.apertures(0, j, k);
                const bool wall = (j == 0 && cells_.open_wall(2)) || (j == n_.y - 1 && cells_.open_wall(3)) || (k == 0 && cells_.open_wall(4)) || (k == n_.z - 1 && cells_.open_wall(5));
                for (int i = 0; i < n_.x; ++i) {
                    if (!is_air(i, j, k)) continue;
                    const bool at_wall = wall || (i == 0 && cells_.open_wall(0)) || (i == n_.x - 1 && cells_.open_wall(1));
                    const bool goes_on = i > 0 && std::ptrdiff_t(runs_.size()) > first_.back() && runs_.back().end == i && (open == nullptr || open[i] > 0);
                    if (goes_on) runs_.back().end = i + 1, runs_.back().at_open_wall |= at_wall;
                    else runs_.push_back({i, i + 1, at_wall});
                }
            }
        first_.push_back(std::ptrdiff_t(runs_.size()));
    }
    void join_rows(int axis, int j, int k) {
        const std::size_t here = row_index(j, k), before = axis == 1 ? row_index(j - 1, k) : row_index(j, k - 1);
        const float* open = cells_.apertures(axis, j, k);
        for (std::ptrdiff_t r = first_[here], s = first_[before]; r < first_[here + 1] && s < first_[before + 1];) {
            const Run &p = runs_[std::size_t(r)], &q = runs_[std::size_t(s)];
            const int begin = std::max(p.begin, q.begin), end = std::min(p.end, q.end);
            bool joined = begin < end && open == nullptr;
            for (int i = begin; i < end && !joined; ++i) joined = open[i] > 0;
            if (joined) {
                const int a = find(int(r)), b = find(int(s));
                parent_[std::size_t(std::max(a, b))] = std::min(a, b);
            }
            p.end < q.end ? ++r : ++s;
        }
    }
    void measure() {
        sizes_.assign(runs_.size(), 0), outside_.assign(runs_.size(), 0);
        bool any_outside = false;
        for (std::size_t r = 0; r < runs_.size(); ++r) {
            const auto root = std::size_t(find(int(r)));
            sizes_[root] += runs_[r].end - runs_[r].begin;
            if (runs_[r].at_open_wall) outside_[root] = 1, any_outside = true;
        }
        if (!any_outside && !sizes_.empty()) outside_[std::size_t(std::max_element(sizes_.begin(), sizes_.end()) - sizes_.begin())] = 1;
    }

    const LiquidCells& cells_;
    const Vec3i n_;
    std::vector<Run> runs_;
    std::vector<std::ptrdiff_t> first_;  // by row, one more at the end
    std::vector<int> parent_;
    std::vector<long> sizes_;            // of roots
    std::vector<std::uint8_t> outside_;  // of roots
};

}  // namespace

std::vector<AirPocket> find_air_pockets(const LiquidCells& cells) {
    AirGroups groups(cells);
    const Vec3i n = cells.layout().cells();
    const field::Grid& phi = cells.phi();
    std::vector<AirPocket> pockets;
    std::unordered_map<int, std::size_t> known;  // by root: which pocket it is
    const auto pocket = [&](int root) -> AirPocket& {
        const auto [at, is_new] = known.try_emplace(root, pockets.size());
        if (is_new) pockets.push_back({.faces = {}, .cells = groups.size(root), .conductance = 0});
        return pockets[at->second];
    };
    for (int k = 0; k < n.z; ++k)
        for (int j = 0; j < n.y; ++j) {
            if (cells.kind(j, k) != numerics::PoissonRows::special) continue;
            for (int i = 0; i < n.x; ++i) {
                if (!cells.liquid(i, j, k)) continue;
                for (int a = 0; a < 3; ++a)
                    for (int side : {0, 1}) {
                        const Vec3i cell(i, j, k);
                        Vec3i face = cell, other = cell;
                        face[a] += side, other[a] += 2 * side - 1;
                        if (other[a] < 0 || other[a] >= n[a] || cells.liquid(other.x, other.y, other.z)) continue;
                        const float* open = cells.apertures(a, face.y, face.z);
                        const float aperture = open != nullptr ? open[face.x] : 1.f;
                        if (aperture <= 0) continue;
                        const int root = groups.pocket_of(other.x, other.y, other.z);
                        if (root < 0) continue;
                        const float slope = 1 / surface_share(phi(i, j, k), phi(other.x, other.y, other.z));
                        AirPocket& to = pocket(root);
                        to.faces.push_back({a, face, cell, side == 1 ? 1.f : -1.f, aperture, slope});
                        to.conductance += double(aperture) * double(slope);
                    }
            }
        }
    return pockets;
}

double flux_into(const AirPocket& pocket, const field::MacGrid& u) {
    double flux = 0;
    for (const AirPocket::Face& f : pocket.faces) flux += double(f.sign * f.aperture) * double(u[f.axis](f.face.x, f.face.y, f.face.z));
    return flux;
}

numerics::RankTerm pocket_term(const AirPocket& pocket) {
    numerics::RankTerm term;
    term.sign = -1;
    const double scale = 1 / std::sqrt(pocket.conductance);
    for (const AirPocket::Face& f : pocket.faces) {  // the faces of a cell follow each other
        const float part = float(double(f.aperture) * double(f.slope) * scale);
        if (!term.entries.empty() && term.entries.back().cell == f.cell) term.entries.back().value[0] += part;
        else term.entries.push_back({f.cell, {part}});
    }
    return term;
}

}  // namespace phlo::flow
