// The mechanisms in mechanisms/ are built into the program.
//
//   shipped_mechanism("chain");       // the text of mechanisms/chain.yaml
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace phlo::chem {

struct ShippedMechanism {
    std::string_view name, text;
};
extern const std::vector<ShippedMechanism> shipped_mechanisms;  ///< written by CMake from mechanisms/*.yaml

std::vector<std::string> shipped_mechanism_names();
/// None if there is no mechanism of this name.
std::optional<std::string> shipped_mechanism(std::string_view name);

}  // namespace phlo::chem
