// Rates of all reactions and their derivatives, for a batch of cells: one a lane. Everything follows from the network's tables.
//
//   RateKernel<P> kernel(network);
//   kernel.set_temperature(T);                     // rate constants; only when T changes
//   kernel.evaluate(t, c);                         // q, from concentrations of all species
//   kernel.linearise(t, c, wanted);                // the same and the derivatives
//
// symbol  meaning                                                                              unit
// q_r     rate of progress of reaction r: (k_f Π c^o − k_r Π c^ν'') times [M] if three-body     mol/(m³ s)
// k_r     k_f / K_c,  K_c = (p°/RT)^Δν exp(−Σ ν g/RT)                                            of its order
// [M]     Σ efficiency · c                                                                     mol/m³
#pragma once
#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "base/pack_math.h"
#include "chem/expressions/expression_eval.h"
#include "chem/rates/falloff.h"
#include "chem/rates/network.h"
#include "chem/rates/thermo_batch.h"

namespace phlo::chem {

/// Derivatives that the caller will use beside those by single species.
struct Wanted {
    bool expands = false, by_each = false, by_temperature = false, by_time = false;
    bool nothing() const { return !expands && !by_each && !by_temperature && !by_time; }
};

template <class P>
class RateKernel {
public:
    using S = typename P::Scalar;

    explicit RateKernel(const Network& network);

    /// Rate constants and, where a reaction runs backward, equilibrium constants.
    void set_temperature(P T);

    /// Rates of progress at concentrations c of all species; T from set_temperature.
    void evaluate(P t, const P* c) { run<false>(t, c, {}); }

    /// The same, and the derivatives: by_slot[], and where they are wanted by_each[] (by every concentration alike), by_temperature[],
    /// by_time[]. With `expands`, concentrations are amounts over a volume that keeps the pressure: c = n p/(R T Σn), and the derivatives
    /// are those at constant amounts, times the volume.
    void linearise(P t, const P* c, Wanted wanted) { run<true>(t, c, wanted); }

    const P* q() const { return q_.data(); }
    const P* by_slot() const { return slots_.data(); }
    const P* by_each() const { return by_each_.data(); }
    const P* by_temperature() const { return by_temperature_.data(); }
    const P* by_time() const { return by_time_.data(); }
    const ThermoBatch<P>& thermo() const { return thermo_; }

private:
    using Kind = CompiledReaction::Kind;
    static constexpr double reference_T = 1000;  ///< Arrhenius exponents are taken from here: small numbers keep the precision of floats

    /// k at the reference temperature, and how it departs from there.
    struct Law {
        S k, b, Ta;
        explicit Law(const Arrhenius& a) : k(S(a.A * std::pow(reference_T, a.b) * std::exp(-a.Ta / reference_T))), b(S(a.b)), Ta(S(a.Ta)) {}
    };
    /// Factors of one side of a reaction: from `first`, `count` of them; plain if all exponents are 1.
    struct Side {
        int first, count;
        bool plain;
    };
    /// The network's tables, flat and in the kernel's own precision: the inner loop reads nothing else.
    struct Row {
        Kind kind;
        bool reversible, multiplies_collider, simple;  ///< simple: k is a constant, and nothing runs backward
        int collider, formula;
        Side forward, backward;
        S forward_order, backward_order, net_moles, others;
        int net_first, net_last, extra_first, extra_last;
    };
    struct Weighted {
        int index;
        S weight;
    };

    Side add_side(const std::vector<Factor>& factors);
    template <bool slopes>
    void run(P t, const P* c, Wanted wanted);
    template <bool slopes>
    void reaction(int r, const P* c, const P& total, Wanted wanted);
    template <bool slopes>
    P product(const Side& side, const P* c, const P& k);
    template <bool slopes>
    void power(const Factor& factor, P& value, P& slope) const;

    const Network& network_;
    ThermoBatch<P> thermo_;
    std::vector<Row> rows_;
    std::vector<Law> high_, low_law_;
    std::vector<int> factor_species_, factor_slot_;
    std::vector<Factor> factors_;
    std::vector<Weighted> net_, extra_;
    std::vector<P> k_, low_, backward_k_, collider_;
    std::vector<P> q_, by_temperature_, by_time_, by_each_, slots_;
    std::vector<P> inputs_, scratch_;
    P T_, inverse_T_, floor_;
};

}  // namespace phlo::chem

#include "chem/rates/rates_impl.h"
