// What must be there for a reaction to go: where it is missing, nothing has to be integrated.
//
//   const Needs needs = find_needs(network);
//   if (something_reacts(needs, 1e-6, [&](int s) { return c[s]; })) …;
#pragma once
#include <algorithm>
#include <vector>

#include "chem/rates/network.h"

namespace phlo::models {

/// For each way to react, the species it cannot do without, in rising order.
using Needs = std::vector<std::vector<int>>;

/// Both directions of reversible reactions. Ways that need more than another way are left out.
Needs find_needs(const chem::Network& network);

/// Does some reaction have more than `min_concentration` of all that it needs?
template <class Concentration>
bool something_reacts(const Needs& needs, double min_concentration, Concentration&& concentration) {
    return std::ranges::any_of(needs, [&](const std::vector<int>& need) {
        return std::ranges::all_of(need, [&](int s) { return concentration(s) > min_concentration; });
    });
}

}  // namespace phlo::models
