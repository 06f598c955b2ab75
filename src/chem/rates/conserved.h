// Totals that no reaction changes, with names: the elements, or sums of invented species.
//
//   for (const Conserved& total : conserved_totals(network)) total.name;         // "H", "O"; or "S1 + 0.5 S4"
#pragma once
#include <string>
#include <vector>

#include "chem/rates/network.h"

namespace phlo::chem {

struct Conserved {
    std::string name;
    std::vector<double> weights;  ///< by species
};

/// Elements if every species has a composition, else sums of species with weights that are not negative, or, if there are none, a basis of
/// the linear invariants of the reactions; and "mass" beside them, if species differ in theirs and every reaction keeps it.
std::vector<Conserved> conserved_totals(const Network& network);

}  // namespace phlo::chem
