// Standard atomic weights.
//
//   atomic_weight("O")      // 0.015999 kg/mol
//   atomic_weight("Xx")     // none
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace phlo::chem {

/// [kg/mol], abridged values of the IUPAC commission [prohaska2022]; E is the electron, D deuterium. None for an unknown symbol and for
/// elements that have no standard weight, such as Tc.
std::optional<double> atomic_weight(std::string_view symbol);

std::vector<std::string> element_symbols();

}  // namespace phlo::chem
