// Groups of connected cells. Where a group touches no open wall and has no ground, its pressure is defined up to a constant.
//
//   SealedGroups groups(conductances);
//   double imbalance = groups.remove_means(rhs);     // each sealed group's mean, in natural rows
//
// Cells are joined in runs along x (a row without solids is one run), runs by union-find, so the cost grows with the number of runs.
#pragma once
#include <cstdint>
#include <vector>

#include "field/grid.h"
#include "numerics/conductances.h"

namespace phlo::numerics {

class SealedGroups {
public:
    SealedGroups() = default;
    /// `diagonal`: of the network, if it is known already; needed where there is ground.
    explicit SealedGroups(const Conductances& net, const RowTable* diagonal = nullptr);

    bool any() const { return sealed_count_ > 0; }
    /// Subtracts from each sealed group its mean; returns the largest |mean|.
    double remove_means(field::Grid& grid) const;
    std::size_t bytes() const { return runs_.size() * sizeof(Run) + first_run_.size() * sizeof(int); }

private:
    struct Run {
        int begin, end;  // cells [begin, end) of its row
        int group;       // -1: its group is open
        bool at_open_wall;  // or has ground
    };
    class Joined;
    void find_runs(const Conductances& net);
    void find_grounded_runs(const Conductances& net, const RowTable& diagonal);
    static void add_runs(const Conductances& net, const RowTable& diagonal, int j, int k, std::vector<Run>& runs);
    void join_rows(const Conductances& net, int axis, Joined& groups);
    void number_groups(Joined& groups);
    std::size_t row_index(int j, int k) const { return std::size_t(k) * std::size_t(n_.y) + std::size_t(j); }

    Vec3i n_;
    std::vector<Run> runs_;
    std::vector<int> first_run_;  // [k ny + j], one more at the end
    std::vector<double> cells_;   // of each sealed group
    int sealed_count_ = 0;
};

}  // namespace phlo::numerics
