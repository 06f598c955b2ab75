// Rank terms (rank_term.h) on split rows, as the passes of the conjugate gradient method need them.
#pragma once
#include <vector>

#include "field/grid.h"
#include "numerics/rank_term.h"
#include "numerics/split_row.h"

namespace phlo::numerics {

class SplitTerms {
public:
    SplitTerms() = default;
    SplitTerms(std::vector<RankTerm> terms, const field::Layout& layout, const SplitRow& shape);

    bool empty() const { return terms_.empty(); }
    /// Keeps c . p of every column for subtract(); returns the sum of their squares, which is p . (sum c c^T) p, each with its term's sign.
    double multiply(const field::Grid& p);
    /// r -= scale (sum c c^T) p of the last multiply().
    void subtract(double scale, field::Grid& r) const;
    std::size_t bytes() const;

private:
    using Values = std::array<double, RankTerm::columns>;
    std::vector<RankTerm> terms_;
    std::vector<std::vector<std::ptrdiff_t>> places_;  ///< of each entry in a grid of split rows
    std::vector<Values> products_;
};

}  // namespace phlo::numerics
