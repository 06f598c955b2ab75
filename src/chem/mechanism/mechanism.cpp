#include "chem/mechanism/mechanism.h"

#include <algorithm>

namespace phlo::chem {

int Mechanism::find(std::string_view species_name) const {
    const auto found = std::ranges::find(species, species_name, &Species::name);
    return found == species.end() ? -1 : int(found - species.begin());
}

std::vector<std::string> Mechanism::species_names() const {
    std::vector<std::string> names;
    for (const Species& s : species) names.push_back(s.name);
    return names;
}

bool Mechanism::has_thermo() const {
    return std::ranges::all_of(species, [](const Species& s) { return s.thermo.has_value(); });
}

}  // namespace phlo::chem
