#include "chem/rates/extents.h"

#include <cmath>

#include <fmt/format.h>

#include "base/error.h"

namespace phlo::chem {
namespace {

using Matrix = std::vector<std::vector<double>>;

/// One row a reaction, one column a species, and a last column for the right-hand side.
Matrix stoichiometry(const Mechanism& mechanism) {
    Matrix rows(mechanism.reactions.size(), std::vector<double>(mechanism.species.size() + 1));
    for (std::size_t r = 0; r < rows.size(); ++r) {
        for (const Term& t : mechanism.reactions[r].products) rows[r][std::size_t(t.species)] += t.coefficient;
        for (const Term& t : mechanism.reactions[r].reactants) rows[r][std::size_t(t.species)] -= t.coefficient;
    }
    return rows;
}

/// Weights w with Σ_s w_s ν_rs = 1 for r = `reaction` and 0 for all others; empty if there are none.
std::vector<Term> solve_weights(Matrix rows, std::size_t reaction) {
    constexpr double tiny = 1e-9;
    const std::size_t columns = rows.empty() ? 0 : rows[0].size() - 1;
    rows[reaction][columns] = 1;
    std::vector<std::size_t> pivot_column;
    for (std::size_t c = 0; c < columns && pivot_column.size() < rows.size(); ++c) {
        const std::size_t top = pivot_column.size();
        std::size_t best = top;
        for (std::size_t r = top; r < rows.size(); ++r)
            if (std::abs(rows[r][c]) > std::abs(rows[best][c])) best = r;
        if (std::abs(rows[best][c]) < tiny) continue;
        std::swap(rows[top], rows[best]);
        const double pivot = rows[top][c];
        for (std::size_t r = 0; r < rows.size(); ++r) {
            if (r == top || rows[r][c] == 0) continue;
            const double factor = rows[r][c] / pivot;
            for (std::size_t k = c; k <= columns; ++k) rows[r][k] -= factor * rows[top][k];
            rows[r][c] = 0;
        }
        pivot_column.push_back(c);
    }
    for (std::size_t r = pivot_column.size(); r < rows.size(); ++r)
        if (std::abs(rows[r][columns]) > tiny) return {};
    std::vector<Term> weights;
    for (std::size_t p = 0; p < pivot_column.size(); ++p)
        if (const double w = rows[p][columns] / rows[p][pivot_column[p]]; std::abs(w) > tiny) weights.push_back({int(pivot_column[p]), w});
    return weights;
}

void add_counter(Mechanism& mechanism, int reaction) {
    Reaction& counted = mechanism.reactions[std::size_t(reaction)];
    if (counted.reversible)
        throw InputError(fmt::format("{}: {}: how far this reaction goes cannot be told from the amounts, because other reactions do the same, "
                                     "and it runs both ways; write it as two reactions", counted.position.where(), counted.equation));
    const int counter = int(mechanism.species.size());
    mechanism.species.push_back({.name = fmt::format("#{}", reaction + 1), .position = counted.position});
    counted.products.push_back({counter, 1});
    for (Reaction& other : mechanism.reactions)  // a counter is no gas: nothing collides with it
        if (other.third_body && other.third_body->others != 0) other.third_body->efficiencies.push_back({counter, 0});
}

/// Fills `weights` and returns the mechanism with the counters it needs.
Mechanism with_counters(Mechanism mechanism, std::span<const int> wanted, std::vector<std::vector<Term>>& weights) {
    const Matrix rows = stoichiometry(mechanism);
    for (const int reaction : wanted) {
        weights.push_back(solve_weights(rows, std::size_t(reaction)));
        if (!weights.back().empty()) continue;
        weights.back() = {{int(mechanism.species.size()), 1}};
        add_counter(mechanism, reaction);
    }
    return mechanism;
}

}  // namespace

Extents::Extents(const Mechanism& mechanism, std::vector<int> wanted)
    : species_(int(mechanism.species.size())), wanted_(std::move(wanted)), network_(with_counters(mechanism, wanted_, weights_)) {}

}  // namespace phlo::chem
