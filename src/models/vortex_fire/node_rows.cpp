#include "models/vortex_fire/node_rows.h"

namespace phlo::models {

void NodeRows::fit(const VortexLattice& lattice) {
    cells_ = lattice.cells;
    rows_.assign(std::size_t(cells_.y + 2 * ghost) * std::size_t(cells_.z + 2 * ghost), {});
}

void NodeRows::fill() { std::ranges::fill(rows_, Range{-ghost, cells_.x + ghost}); }

void NodeRows::include(const NodeRows& other) {
    for (std::size_t n = 0; n < rows_.size(); ++n) rows_[n].include(other.rows_[n]);
}

NodeRows NodeRows::grown(int down, int up) const {
    NodeRows wide = *this;
    for (Range& x : wide.rows_)
        if (!x.empty()) x = {std::max(x.first - down, -ghost), std::min(x.last + up, cells_.x + ghost)};
    NodeRows tall = wide;
    for (int k = -ghost; k < cells_.z + ghost; ++k)
        for (int j = -ghost; j < cells_.y + ghost; ++j)
            for (int from = std::max(j - up, -ghost); from <= std::min(j + down, cells_.y + ghost - 1); ++from)
                tall(j, k).include(wide(from, k));
    NodeRows all = tall;
    for (int k = -ghost; k < cells_.z + ghost; ++k)
        for (int from = std::max(k - up, -ghost); from <= std::min(k + down, cells_.z + ghost - 1); ++from)
            for (int j = -ghost; j < cells_.y + ghost; ++j) all(j, k).include(tall(j, from));
    return all;
}

NodeRows NodeRows::inside() const {
    NodeRows within = *this;
    for (int k = -ghost; k < cells_.z + ghost; ++k)
        for (int j = -ghost; j < cells_.y + ghost; ++j) {
            Range& x = within(j, k);
            const bool beyond = k < 0 || j < 0 || k >= cells_.z || j >= cells_.y;
            x = beyond ? Range{} : Range{std::max(x.first, 0), std::min(x.last, cells_.x)};
        }
    return within;
}

}  // namespace phlo::models
