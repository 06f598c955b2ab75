// Rates of all reactions and their derivatives, for a batch of cells: one a lane. Everything follows from the network's tables.
//
//   RateKernel<P> kernel(network);
//   kernel.set_temperature(T);                     // rate constants; only when T changes
//   kernel.evaluate(t, c);                         // q, from concentrations of all species
//   kernel.linearise(t, c, expands);               // the same and the derivatives
//
// symbol  meaning                                                                              unit
// q_r     rate of progress of reaction r: (k_f Π c^o − k_r Π c^ν'') times [M] if three-body     mol/(m³ s)
// k_r     k_f / K_c,  K_c = (p°/RT)^Δν exp(−Σ ν g/RT)                                            of its order
// [M]     Σ efficiency · c                                                                     mol/m³
#pragma once
#include <cmath>
#include <vector>

#include "base/pack_math.h"
#include "chem/expression_eval.h"
#include "chem/falloff.h"
#include "chem/network.h"
#include "chem/thermo_batch.h"

namespace phlo::chem {

template <class P>
class RateKernel {
public:
    using S = typename P::Scalar;

    explicit RateKernel(const Network& network)
        : network_(network),
          thermo_(network.mechanism()),
          factor_(std::size_t(network.reactions())),
          low_(std::size_t(network.reactions())),
          inverse_equilibrium_(std::size_t(network.reactions())),
          collider_(network.colliders().size()),
          q_(std::size_t(network.reactions())),
          by_temperature_(q_.size()),
          by_time_(q_.size()),
          by_each_(q_.size()),
          slots_(std::size_t(network.slots())) {
        int scratch = 0;
        for (const CompiledFormula& f : network.formulas()) {
            scratch = std::max({scratch, f.value.scratch_size(), f.by_temperature.scratch_size(), f.by_time.scratch_size()});
            for (const auto& slope : f.by_species) scratch = std::max(scratch, slope.value.scratch_size());
        }
        scratch_.resize(std::size_t(scratch));
        inputs_.resize(network.formulas().empty() ? 0 : std::size_t(network.species()) + 2);
        for (const CompiledReaction& reaction : network.compiled()) {
            high_.emplace_back(reaction.high);
            low_law_.emplace_back(reaction.low);
        }
    }

    /// Rate constants and, where a reaction runs backward, equilibrium constants.
    void set_temperature(P T) {
        T_ = T;
        inverse_T_ = P(S(1)) / T;
        const P log_T = log(T);
        if (thermo_.available()) thermo_.set_temperature(T, inverse_T_, log_T);
        const P log_ratio = log_T - P(S(std::log(reference_T))), inverse_ratio = inverse_T_ - P(S(1 / reference_T));
        for (int r = 0; r < network_.reactions(); ++r) {
            const CompiledReaction& reaction = network_.compiled()[r];
            if (reaction.kind == CompiledReaction::Kind::formula) continue;
            const P exponent = high_[r].b * log_ratio - high_[r].Ta * inverse_ratio;
            factor_[r] = reaction.kind == CompiledReaction::Kind::constant ? high_[r].k : high_[r].k * exp(exponent);
            if (reaction.kind == CompiledReaction::Kind::falloff)
                low_[r] = low_law_[r].k * exp(low_law_[r].b * log_ratio - low_law_[r].Ta * inverse_ratio);
            if (!reaction.reversible) continue;
            P to_reference = P(S(reaction.net_moles)) * (log_T + P(S(std::log(gas_constant / reference_pressure))));
            for (const Term& t : reaction.net) to_reference += P(S(t.coefficient)) * thermo_.gibbs(t.species);
            // together with the exponent of k_f the sum stays small where the parts would overflow
            inverse_equilibrium_[r] =
                reaction.kind == CompiledReaction::Kind::falloff ? exp(to_reference) : high_[r].k * exp(exponent + to_reference);
        }
    }

    /// Rates of progress at concentrations c of all species; T from set_temperature.
    void evaluate(P t, const P* c) { run<false>(t, c, false); }

    /// The same, and the derivatives: by_slot[], by_each[] (by every concentration alike), by_temperature[], by_time[].
    /// With `expands`, concentrations are amounts over a volume that keeps the pressure: c = n p/(R T Σn), and the derivatives are those
    /// at constant amounts, times the volume.
    void linearise(P t, const P* c, bool expands) { run<true>(t, c, expands); }

    const P* q() const { return q_.data(); }
    const P* by_slot() const { return slots_.data(); }
    const P* by_each() const { return by_each_.data(); }
    const P* by_temperature() const { return by_temperature_.data(); }
    const P* by_time() const { return by_time_.data(); }
    const ThermoBatch<P>& thermo() const { return thermo_; }
    P forward_constant(int r) const { return factor_[r]; }

private:
    static constexpr double reference_T = 1000;  ///< Arrhenius exponents are taken from here: small numbers keep the precision of floats

    struct Law {
        P k, b, Ta;
        explicit Law(const Arrhenius& a) : k(S(a.A * std::pow(reference_T, a.b) * std::exp(-a.Ta / reference_T))), b(S(a.b)), Ta(S(a.Ta)) {}
    };

    template <bool slopes>
    void run(P t, const P* c, bool expands) {
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
        if constexpr (slopes)
            for (P& d : slots_) d = P(S(0));
        for (int r = 0; r < network_.reactions(); ++r) reaction<slopes>(r, c, total, expands);
    }

    template <bool slopes>
    void reaction(int r, const P* c, P total, bool expands) {
        const CompiledReaction& reaction = network_.compiled()[r];
        P k = factor_[r], log_k_by_T(S(0)), log_k_by_collider(S(0)), k_by_time(S(0));
        if constexpr (slopes)
            if (reaction.kind != CompiledReaction::Kind::constant) log_k_by_T = (high_[r].b + high_[r].Ta * inverse_T_) * inverse_T_;
        if (reaction.kind == CompiledReaction::Kind::falloff) {
            const P low_by_T = (low_law_[r].b + low_law_[r].Ta * inverse_T_) * inverse_T_;
            const FalloffResult<P> f = falloff<slopes>(reaction.troe, T_, low_[r], k, collider_[reaction.collider], low_by_T, log_k_by_T);
            k = f.k, log_k_by_T = f.log_by_T, log_k_by_collider = f.log_by_collider;
        } else if (reaction.kind == CompiledReaction::Kind::formula) {
            k = network_.formulas()[reaction.formula].value.evaluate(inputs_.data(), scratch_.data());
        }

        const P M = reaction.multiplies_collider ? collider_[reaction.collider] : P(S(1));
        const P forward_k = k * M;
        const P forward = product<slopes>(reaction.forward, c, forward_k);
        P backward(S(0)), net = forward;
        if (reaction.reversible) {
            const P backward_k =
                (reaction.kind == CompiledReaction::Kind::falloff ? k * inverse_equilibrium_[r] : inverse_equilibrium_[r]) * M;
            backward = product<slopes>(reaction.backward, c, -backward_k);
            net += backward;
        }
        q_[r] = net;
        if constexpr (!slopes) return;

        P by_T = net * log_k_by_T, by_collider(S(0)), weighted(S(0));
        if (reaction.reversible) {  // d ln(1/K_c)/dT = (Δν − Σ ν h/RT)/T
            P sum(S(reaction.net_moles));
            for (const Term& t : reaction.net) sum -= P(S(t.coefficient)) * thermo_.enthalpy(t.species);
            by_T += backward * sum * inverse_T_;
        }
        if (reaction.collider >= 0) {
            by_collider = reaction.multiplies_collider ? net / max(M, P(std::numeric_limits<S>::min())) : net * log_k_by_collider;
            for (const auto& extra : reaction.collider_slots) slots_[extra.slot] += P(S(extra.weight)) * by_collider;
            weighted = by_collider * collider_[reaction.collider];
        }
        by_time_[r] = P(S(0));
        if (reaction.kind == CompiledReaction::Kind::formula) {
            const CompiledFormula& f = network_.formulas()[reaction.formula];
            const P amount = product<false>(reaction.forward, c, M);
            by_T = amount * f.by_temperature.evaluate(inputs_.data(), scratch_.data());
            by_time_[r] = amount * f.by_time.evaluate(inputs_.data(), scratch_.data());
            for (const auto& slope : f.by_species) {
                const P by_c = amount * slope.value.evaluate(inputs_.data(), scratch_.data());
                slots_[slope.slot] += by_c;
                weighted += by_c * c[slope.species];
            }
        }
        by_each_[r] = reaction.collider >= 0 ? P(S(network_.colliders()[reaction.collider].others)) * by_collider : P(S(0));
        if (expands) {
            weighted += P(S(reaction.forward_order)) * forward + P(S(reaction.backward_order)) * backward;
            by_each_[r] -= (weighted - net) / total;
            by_T -= (weighted - net) * inverse_T_;
        }
        by_temperature_[r] = by_T;
    }

    /// k Π c^exponent; with slopes, its derivatives are added to the factors' slots.
    template <bool slopes>
    P product(const std::vector<Factor>& factors, const P* c, P k) {
        P value[8], slope[8];
        const int n = int(factors.size());
        P all = k;
        for (int i = 0; i < n; ++i) {
            value[i] = c[factors[i].species];
            if (factors[i].exponent != 1) power<slopes>(factors[i], value[i], slope[i]);
            all *= value[i];
        }
        if constexpr (slopes) {
            for (int i = 0; i < n; ++i) {
                if (factors[i].slot < 0) continue;
                P others = factors[i].exponent != 1 ? k * slope[i] : k;
                for (int j = 0; j < n; ++j)
                    if (j != i) others *= value[j];
                slots_[factors[i].slot] += others;
            }
        }
        return all;
    }

    /// c^e, and its slope. Below a billionth of all there is (ε) it goes on in a straight line: through zero for what the reaction uses
    /// up, so that the rate ends with it; at ε^e for what only slows the reaction down.
    template <bool slopes>
    void power(const Factor& factor, P& value, P& slope) const {
        const P c = value, e(S(factor.exponent));
        const P bounded = max(c, floor_);
        const P raised = exp(e * log(bounded));
        const bool through_zero = factor.consumed || factor.exponent > 0;
        const P chord = through_zero ? raised / bounded : P(S(0));
        const auto below = c < floor_;
        value = select(below, through_zero ? chord * c : raised, raised);
        if constexpr (slopes) slope = select(below, chord, e * raised / bounded);
    }

    const Network& network_;
    ThermoBatch<P> thermo_;
    std::vector<Law> high_, low_law_;
    std::vector<P> factor_, low_, inverse_equilibrium_, collider_;
    std::vector<P> q_, by_temperature_, by_time_, by_each_, slots_;
    std::vector<P> inputs_, scratch_;
    P T_, inverse_T_, floor_;
};

}  // namespace phlo::chem
