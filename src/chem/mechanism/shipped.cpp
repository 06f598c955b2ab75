#include "chem/mechanism/shipped.h"

namespace phlo::chem {

std::vector<std::string> shipped_mechanism_names() {
    std::vector<std::string> names;
    for (const ShippedMechanism& mechanism : shipped_mechanisms) names.emplace_back(mechanism.name);
    return names;
}

std::optional<std::string> shipped_mechanism(std::string_view name) {
    for (const ShippedMechanism& mechanism : shipped_mechanisms)
        if (mechanism.name == name) return std::string(mechanism.text);
    return std::nullopt;
}

}  // namespace phlo::chem
