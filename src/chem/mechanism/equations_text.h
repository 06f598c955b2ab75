// The differential equations that a mechanism means, as text: what is derived can be read and compared.
//
//   fmt::print("{}", equations_text(mechanism));
//
//   reactions
//     1  S1 => 2 S4             k1 = 0.2
//     …
//   system
//     d[S1]/dt = − k1 [S1] − k4 [S1][S5] − k5 [S1][S2][S6]
#pragma once
#include <string>
#include <vector>

#include "chem/mechanism/mechanism.h"

namespace phlo::chem {

/// One term of a species' equation: coefficient times the forward or backward rate of a reaction.
struct EquationTerm {
    double coefficient = 1;
    int reaction = 0;
    bool backward = false;
};

/// By species, from the stoichiometry. What stands on both sides of a reaction with equal coefficients has no term from it.
std::vector<std::vector<EquationTerm>> equation_terms(const Mechanism& mechanism);

/// "k4 [S1][S5]": the rate of a reaction in one direction.
std::string rate_text(const Mechanism& mechanism, int reaction, bool backward);
/// "k4 = 2e+09 T^0.5 exp(−1200/T)": its rate constant, and what else the rate needs, one line each.
std::vector<std::string> rate_law_lines(const Mechanism& mechanism, int reaction);
/// "d[S1]/dt = − k1 [S1] − …" for one species.
std::string species_equation(const Mechanism& mechanism, int species);

/// Reactions with their rate laws, then the system. Large mechanisms have their rates r1, r2, … written out once, and the system in terms
/// of these.
std::string equations_text(const Mechanism& mechanism);

}  // namespace phlo::chem
