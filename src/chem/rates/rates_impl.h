// The bodies of RateKernel: see rates.h.
#pragma once
#include "chem/rates/rates.h"

namespace phlo::chem {

template <class P>
RateKernel<P>::RateKernel(const Network& network)
    : network_(network),
      thermo_(network.mechanism()),
      k_(network.compiled().size()),
      low_(k_.size()),
      backward_k_(k_.size()),
      collider_(network.colliders().size()),
      q_(k_.size()),
      by_temperature_(k_.size()),
      by_time_(k_.size()),
      by_each_(k_.size()),
      slots_(std::size_t(network.slots())) {
    for (const CompiledReaction& reaction : network.compiled()) {
        high_.emplace_back(reaction.high);
        low_law_.emplace_back(reaction.low);
        Row row{};
        row.kind = reaction.kind;
        row.reversible = reaction.reversible;
        row.multiplies_collider = reaction.multiplies_collider;
        row.simple = (row.kind == Kind::constant || row.kind == Kind::arrhenius) && !reaction.reversible && reaction.collider < 0;
        row.collider = reaction.collider;
        row.formula = reaction.formula;
        row.forward = add_side(reaction.forward);
        row.backward = add_side(reaction.backward);
        row.forward_order = S(reaction.forward_order);
        row.backward_order = S(reaction.backward_order);
        row.net_moles = S(reaction.net_moles);
        row.others = reaction.collider >= 0 ? S(network.colliders()[reaction.collider].others) : S(0);
        row.net_first = int(net_.size());
        for (const Term& t : reaction.net) net_.push_back({t.species, S(t.coefficient)});
        row.net_last = int(net_.size());
        row.extra_first = int(extra_.size());
        for (const auto& e : reaction.collider_slots) extra_.push_back({e.slot, S(e.weight)});
        row.extra_last = int(extra_.size());
        rows_.push_back(row);
    }
    int scratch = 0;
    for (const CompiledFormula& f : network.formulas()) {
        scratch = std::max({scratch, f.value.scratch_size(), f.by_temperature.scratch_size(), f.by_time.scratch_size()});
        for (const auto& slope : f.by_species) scratch = std::max(scratch, slope.value.scratch_size());
    }
    scratch_.resize(std::size_t(scratch));
    inputs_.resize(network.formulas().empty() ? 0 : std::size_t(network.species()) + 2);
}

template <class P>
auto RateKernel<P>::add_side(const std::vector<Factor>& factors) -> Side {
    const Side side{int(factors_.size()), int(factors.size()),
                    std::ranges::all_of(factors, [](const Factor& f) { return f.exponent == 1; })};
    for (const Factor& f : factors) {
        factors_.push_back(f);
        factor_species_.push_back(f.species);
        factor_slot_.push_back(f.slot);
    }
    return side;
}

template <class P>
void RateKernel<P>::set_temperature(P T) {
    T_ = T;
    inverse_T_ = P(S(1)) / T;
    const P log_T = log(T);
    if (thermo_.available()) thermo_.set_temperature(T, inverse_T_, log_T);
    const P log_ratio = log_T - P(S(std::log(reference_T))), inverse_ratio = inverse_T_ - P(S(1 / reference_T));
    const P log_moles = log_T + P(S(std::log(gas_constant / reference_pressure)));
    for (std::size_t r = 0; r < rows_.size(); ++r) {
        const Row& row = rows_[r];
        if (row.kind == Kind::formula) continue;
        const P exponent = P(high_[r].b) * log_ratio - P(high_[r].Ta) * inverse_ratio;
        k_[r] = row.kind == Kind::constant ? P(high_[r].k) : P(high_[r].k) * exp(exponent);
        if (row.kind == Kind::falloff) low_[r] = P(low_law_[r].k) * exp(P(low_law_[r].b) * log_ratio - P(low_law_[r].Ta) * inverse_ratio);
        if (!row.reversible) continue;
        P to_reference = P(row.net_moles) * log_moles;
        for (int i = row.net_first; i < row.net_last; ++i) to_reference += P(net_[i].weight) * thermo_.gibbs(net_[i].index);
        // together with the exponent of k_f the sum stays small where the parts would overflow
        backward_k_[r] = row.kind == Kind::falloff ? exp(to_reference) : P(high_[r].k) * exp(exponent + to_reference);
    }
}

template <class P>
template <bool slopes>
void RateKernel<P>::run(P t, const P* c, Wanted wanted) {
    P total(S(0));
    for (int s = 0; s < network_.species(); ++s) total += c[s];
    for (std::size_t i = 0; i < collider_.size(); ++i) {
        const Collider& collider = network_.colliders()[i];
        P sum = P(S(collider.others)) * total;
        for (const Term& e : collider.extra) sum += P(S(e.coefficient)) * c[e.species];
        collider_[i] = sum;
    }
    floor_ = P(S(1e-9)) * total + P(std::numeric_limits<S>::min());
    if (!inputs_.empty()) {
        inputs_[0] = T_;
        inputs_[1] = t;
        for (int s = 0; s < network_.species(); ++s) inputs_[std::size_t(s) + 2] = c[s];
    }
    for (int r = 0; r < int(rows_.size()); ++r) reaction<slopes>(r, c, total, wanted);
}

template <class P>
template <bool slopes>
void RateKernel<P>::reaction(int r, const P* c, const P& total, Wanted wanted) {
    const Row& row = rows_[r];
    if (row.simple && wanted.nothing()) {
        q_[r] = product<slopes>(row.forward, c, k_[r]);
        return;
    }
    const P zero(S(0)), tiny(std::numeric_limits<S>::min());
    P k = k_[r], log_k_by_T = zero, log_k_by_collider = zero;
    if constexpr (slopes)
        if (row.kind != Kind::constant) log_k_by_T = (P(high_[r].b) + P(high_[r].Ta) * inverse_T_) * inverse_T_;
    if (row.kind == Kind::falloff) {
        const P low_by_T = (P(low_law_[r].b) + P(low_law_[r].Ta) * inverse_T_) * inverse_T_;
        const FalloffResult<P> f =
            falloff<slopes>(network_.compiled()[r].troe, T_, low_[r], k, collider_[row.collider], low_by_T, log_k_by_T);
        k = f.k, log_k_by_T = f.log_by_T, log_k_by_collider = f.log_by_collider;
    } else if (row.kind == Kind::formula) {
        k = network_.formulas()[row.formula].value.evaluate(inputs_.data(), scratch_.data());
    }

    const P forward = product<slopes>(row.forward, c, row.multiplies_collider ? k * collider_[row.collider] : k);
    P backward = zero, net = forward;
    if (row.reversible) {
        P backward_k = row.kind == Kind::falloff ? -k * backward_k_[r] : -backward_k_[r];
        if (row.multiplies_collider) backward_k *= collider_[row.collider];
        backward = product<slopes>(row.backward, c, backward_k);
        net += backward;
    }
    q_[r] = net;
    if constexpr (!slopes) return;

    P by_T = net * log_k_by_T, by_collider = zero, weighted = zero;
    if (row.reversible) {  // d ln(1/K_c)/dT = (Δν − Σ ν h/RT)/T
        P sum(row.net_moles);
        for (int i = row.net_first; i < row.net_last; ++i) sum -= P(net_[i].weight) * thermo_.enthalpy(net_[i].index);
        by_T += backward * sum * inverse_T_;
    }
    if (row.collider >= 0) {
        by_collider = row.multiplies_collider ? net / max(collider_[row.collider], tiny) : net * log_k_by_collider;
        for (int i = row.extra_first; i < row.extra_last; ++i) slots_[extra_[i].index] = P(extra_[i].weight) * by_collider;
        weighted = by_collider * collider_[row.collider];
    }
    by_time_[r] = zero;
    if (row.kind == Kind::formula) {
        const CompiledFormula& f = network_.formulas()[row.formula];
        const P amount = product<false>(row.forward, c, row.multiplies_collider ? collider_[row.collider] : P(S(1)));
        by_T = amount * f.by_temperature.evaluate(inputs_.data(), scratch_.data());
        by_time_[r] = amount * f.by_time.evaluate(inputs_.data(), scratch_.data());
        for (const auto& slope : f.by_species) {
            slots_[slope.slot] = amount * slope.value.evaluate(inputs_.data(), scratch_.data());
            weighted += slots_[slope.slot] * c[slope.species];
        }
    }
    by_each_[r] = P(row.others) * by_collider;
    if (wanted.expands) {
        weighted += P(row.forward_order) * forward + P(row.backward_order) * backward;
        by_each_[r] -= (weighted - net) / total;
        by_T -= (weighted - net) * inverse_T_;
    }
    by_temperature_[r] = by_T;
}

/// k Π c^exponent; with slopes, the derivative by each factor goes to the factor's slot.
template <class P>
template <bool slopes>
P RateKernel<P>::product(const Side& side, const P* c, const P& k) {
    const int* species = factor_species_.data() + side.first;
    const int* slot = factor_slot_.data() + side.first;
    if (side.plain && side.count == 1) {
        if constexpr (slopes) slots_[slot[0]] = k;
        return k * c[species[0]];
    }
    if (side.plain && side.count == 2) {
        const P kb = k * c[species[1]];
        if constexpr (slopes) {
            slots_[slot[0]] = kb;
            slots_[slot[1]] = k * c[species[0]];
        }
        return kb * c[species[0]];
    }
    P value[8], slope[8];
    P all = k;
    for (int i = 0; i < side.count; ++i) {
        value[i] = c[species[i]];
        slope[i] = P(S(1));
        if (!side.plain && factors_[side.first + i].exponent != 1) power<slopes>(factors_[side.first + i], value[i], slope[i]);
        all *= value[i];
    }
    if constexpr (slopes)
        for (int i = 0; i < side.count; ++i) {
            P others = k * slope[i];
            for (int j = 0; j < side.count; ++j)
                if (j != i) others *= value[j];
            slots_[slot[i]] = others;
        }
    return all;
}

/// c^e, and its slope. Below a billionth of all there is (ε) it goes on in a straight line: through zero for what the reaction uses
/// up, so that the rate ends with it; at ε^e for what only slows the reaction down.
template <class P>
template <bool slopes>
void RateKernel<P>::power(const Factor& factor, P& value, P& slope) const {
    const P c = value, e(S(factor.exponent));
    const P bounded = max(c, floor_);
    const P raised = exp(e * log(bounded));
    const bool through_zero = factor.consumed || factor.exponent > 0;
    const P chord = through_zero ? raised / bounded : P(S(0));
    const auto below = c < floor_;
    value = select(below, through_zero ? chord * c : raised, raised);
    if constexpr (slopes) slope = select(below, chord, e * raised / bounded);
}

}  // namespace phlo::chem
