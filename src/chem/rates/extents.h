// How far reactions went in a step: their extents ξ, from what the step did to the amounts.
//
//   const Extents extents(mechanism, {4});                       // reaction 4 will be asked about
//   react(extents.network(), cells, dt, params);                 // amounts of the counters, if there are any, begin at 0
//   double xi = 0;                                               // [mol], or [mol/m³] if the amounts are concentrations
//   for (const Term& t : extents.weights(0)) xi += t.coefficient * (after[t.species] - before[t.species]);
//   double mean_rate = xi / dt;
//
// The changes are Δn = ν ξ. Where that has only one solution for a reaction, ξ is a weighted sum of changes. Where it has several (two ways
// lead from the same reactants to the same products), the network gets one more species, a counter that the reaction makes one of.
#pragma once
#include <span>
#include <vector>

#include "chem/rates/network.h"

namespace phlo::chem {

class Extents {
public:
    /// `wanted` are indices of reactions. Throws InputError for a reversible reaction that would need a counter: it counts only up.
    Extents(const Mechanism& mechanism, std::vector<int> wanted);

    /// The mechanism's network; counters stand behind its species.
    const Network& network() const { return network_; }
    int species() const { return species_; }  ///< without the counters
    int counters() const { return network_.species() - species_; }
    std::span<const int> wanted() const { return wanted_; }
    /// Of the wanted reaction number `w`.
    std::span<const Term> weights(int w) const { return weights_[std::size_t(w)]; }

private:
    int species_;
    std::vector<int> wanted_;
    std::vector<std::vector<Term>> weights_;
    Network network_;
};

}  // namespace phlo::chem
