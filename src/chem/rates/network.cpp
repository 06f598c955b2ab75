#include "chem/rates/network.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "base/error.h"

namespace phlo::chem {
namespace {

constexpr int most_factors = 8;

/// Exponents 1, 2 and 3 become repeated factors: products are cheaper than powers.
void add_factors(std::vector<Factor>& factors, int species, double exponent, bool consumed) {
    if (exponent == 1 || exponent == 2 || exponent == 3) factors.insert(factors.end(), std::size_t(exponent), Factor{.species = species});
    else if (exponent != 0 || consumed) factors.push_back({.species = species, .consumed = consumed, .exponent = exponent});
}

std::vector<Term> net_terms(const Reaction& reaction) {
    std::map<int, double> sum;
    for (const Term& t : reaction.products) sum[t.species] += t.coefficient;
    for (const Term& t : reaction.reactants) sum[t.species] -= t.coefficient;
    std::vector<Term> net;
    for (const auto& [species, coefficient] : sum)
        if (coefficient != 0) net.push_back({species, coefficient});
    return net;
}

}  // namespace

Network::Network(Mechanism mechanism) : mechanism_(std::move(mechanism)), state_of_(mechanism_.species.size(), -1) {
    for (const Reaction& reaction : mechanism_.reactions)
        for (const Term& t : net_terms(reaction)) state_of_[t.species] = 0;
    for (int s = 0; s < species(); ++s) {
        if (state_of_[s] < 0) continue;
        state_of_[s] = int(states_.size());
        states_.push_back(s);
    }
    for (const Reaction& reaction : mechanism_.reactions) compile_reaction(reaction);
    compile_jacobian();

    std::vector<std::vector<double>> columns;
    for (const CompiledReaction& reaction : reactions_) {
        columns.emplace_back(states_.size(), 0.0);
        for (const Term& t : reaction.net) columns.back()[state_of_[t.species]] = t.coefficient;
    }
    invariants_ = left_null_space(int(states_.size()), columns);
}

void Network::compile_reaction(const Reaction& reaction) {
    CompiledReaction compiled;
    compiled.net = net_terms(reaction);
    compiled.reversible = reaction.reversible;
    for (const Term& t : compiled.net) compiled.net_moles += t.coefficient;
    const auto is_consumed = [&](int species) {
        return std::ranges::any_of(compiled.net, [&](const Term& t) { return t.species == species && t.coefficient < 0; });
    };
    for (const Term& t : reaction.orders) add_factors(compiled.forward, t.species, t.coefficient, is_consumed(t.species));
    for (const Term& t : compiled.net)  // a rate that does not ask for what it uses up: it must stop when there is none left
        if (t.coefficient < 0 && std::ranges::count(reaction.orders, t.species, &Term::species) == 0)
            add_factors(compiled.forward, t.species, 0, true);
    if (reaction.reversible)
        for (const Term& t : reaction.products) add_factors(compiled.backward, t.species, t.coefficient, !is_consumed(t.species));
    for (const Factor& f : compiled.forward) compiled.forward_order += f.exponent;
    for (const Factor& f : compiled.backward) compiled.backward_order += f.exponent;
    if (compiled.forward.size() > most_factors || compiled.backward.size() > most_factors)
        throw InputError(fmt::format("{}: {}: a rate with more than {} factors; split the reaction into steps", reaction.position.where(),
                                     reaction.equation, most_factors));

    // --- derivatives: one slot for each place where the rate depends on a species ---
    const auto slot = [&](int species) {
        slot_owner_.emplace_back(int(reactions_.size()), species);
        return int(slot_owner_.size()) - 1;
    };
    for (Factor& f : compiled.forward) f.slot = slot(f.species);
    for (Factor& f : compiled.backward) f.slot = slot(f.species);

    // --- rate law ---
    if (const auto* law = std::get_if<Arrhenius>(&reaction.rate)) {
        compiled.high = *law;
        compiled.kind = law->b == 0 && law->Ta == 0 ? CompiledReaction::Kind::constant : CompiledReaction::Kind::arrhenius;
    } else if (const auto* falloff = std::get_if<Falloff>(&reaction.rate)) {
        compiled.kind = CompiledReaction::Kind::falloff;
        compiled.high = falloff->high;
        compiled.low = falloff->low;
        compiled.troe = falloff->troe;
    } else {
        const auto& formula = std::get<Formula>(reaction.rate);
        std::vector<std::string> inputs = {"T", "t"};
        for (const Species& s : mechanism_.species) inputs.push_back(s.name);
        CompiledFormula f;
        f.value = parse_expression(formula.text, inputs, formula.position, "rate");
        f.by_temperature = f.value.derivative(0);
        f.by_time = f.value.derivative(1);
        for (const int input : f.value.inputs())
            if (input >= 2) f.by_species.push_back({input - 2, slot(input - 2), f.value.derivative(input)});
        compiled.kind = CompiledReaction::Kind::formula;
        compiled.formula = int(formulas_.size());
        formulas_.push_back(std::move(f));
    }
    if (reaction.third_body) {
        Collider collider{.others = reaction.third_body->others, .extra = {}};
        for (const Term& e : reaction.third_body->efficiencies)
            if (e.coefficient != collider.others) collider.extra.push_back({e.species, e.coefficient - collider.others});
        for (const Term& e : collider.extra) compiled.collider_slots.push_back({slot(e.species), e.coefficient});
        compiled.collider = int(colliders_.size());
        compiled.multiplies_collider = compiled.kind != CompiledReaction::Kind::falloff;
        colliders_.push_back(std::move(collider));
    }
    reactions_.push_back(std::move(compiled));
}

void Network::compile_jacobian() {
    std::map<std::pair<int, int>, JacobianEntry> entries;
    for (int s = 0; s < slots(); ++s) {
        const auto [reaction, species] = slot_owner_[s];
        const int column = state_of_[species];
        if (column < 0) continue;
        for (const Term& t : reactions_[reaction].net) {
            const int row = state_of_[t.species];
            JacobianEntry& entry = entries[{row, column}];
            entry.row = row, entry.column = column;
            entry.terms.emplace_back(s, t.coefficient);
        }
    }
    for (auto& [place, entry] : entries) jacobian_.push_back(std::move(entry));
}

bool Network::depends_on_total() const {
    return std::ranges::any_of(colliders_, [](const Collider& c) { return c.others != 0; });
}

bool Network::depends_on_time() const {
    return std::ranges::any_of(formulas_, [](const CompiledFormula& f) { return std::ranges::count(f.value.inputs(), 1) > 0; });
}

std::vector<std::vector<double>> left_null_space(int n, std::span<const std::vector<double>> columns) {
    // Gauss–Jordan on the rows columnᵀ; free variables give the basis.
    std::vector<std::vector<double>> rows(columns.begin(), columns.end());
    std::vector<int> pivot_column;
    std::size_t rank = 0;
    for (int c = 0; c < n && rank < rows.size(); ++c) {
        const auto best = std::max_element(rows.begin() + long(rank), rows.end(),
                                           [c](const auto& a, const auto& b) { return std::abs(a[c]) < std::abs(b[c]); });
        if (std::abs((*best)[c]) < 1e-9) continue;
        std::swap(*best, rows[rank]);
        const double pivot = rows[rank][c];
        for (double& v : rows[rank]) v /= pivot;
        for (std::size_t r = 0; r < rows.size(); ++r) {
            const double factor = rows[r][c];
            if (r == rank || factor == 0) continue;
            for (int k = 0; k < n; ++k) {
                rows[r][k] -= factor * rows[rank][k];
                if (std::abs(rows[r][k]) < 1e-12) rows[r][k] = 0;
            }
        }
        pivot_column.push_back(c);
        ++rank;
    }
    std::vector<std::vector<double>> basis;
    for (int free = 0; free < n; ++free) {
        if (std::ranges::count(pivot_column, free) > 0) continue;
        std::vector<double> w(n, 0.0);
        w[free] = 1;
        for (std::size_t r = 0; r < rank; ++r) w[pivot_column[r]] = -rows[r][free];
        basis.push_back(std::move(w));
    }
    return basis;
}

}  // namespace phlo::chem
