// Units in control functions, as far as they can be known: T is in K, t in s, species are in mol/m^3, reaction rates in mol/(m^3 s). A
// number that stands in the text has whatever unit makes sense there, so "T + 20" and "0.1*fuel + T" are right; "T + fuel", "fuel > t"
// and "exp(T)" are not, whatever was meant.
//
//   check_units(expression, names, units, position, "reactions.0.rate");   // or InputError: what meets what, and how to mend it
#pragma once
#include <array>
#include <span>
#include <string>

#include "chem/expressions/expression.h"

namespace phlo::chem {

/// Exponents of K, s, mol, m.
using Unit = std::array<double, 4>;
constexpr Unit kelvin{1, 0, 0, 0}, second{0, 1, 0, 0}, mole_per_volume{0, 0, 1, -3}, mole_per_volume_and_time{0, -1, 1, -3};

/// Such as "mol/(m^3 s)".
std::string unit_text(const Unit& unit);

/// `names` and `units` of the expression's inputs.
void check_units(const Expression& expression, std::span<const std::string> names, std::span<const Unit> units,
                 const config::Position& position, const std::string& path);

}  // namespace phlo::chem
