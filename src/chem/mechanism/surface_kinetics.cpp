#include "chem/mechanism/surface_kinetics.h"

#include <algorithm>

namespace phlo::chem {
namespace {

void keep_surface(const SurfaceMechanism::Solid& solid, Reaction& reaction) {
    const auto used = std::ranges::find(reaction.reactants, solid.species, &Term::species);
    if (used != reaction.reactants.end()) {
        reaction.products.push_back({solid.taken, used->coefficient});
        reaction.products.push_back({solid.species, 1});
        used->coefficient = 1;
    }
    if (!reaction.third_body) return;
    std::vector<Term>& efficiencies = reaction.third_body->efficiencies;
    for (const int species : {solid.species, solid.taken}) {
        std::erase_if(efficiencies, [&](const Term& term) { return term.species == species; });
        if (reaction.third_body->others != 0) efficiencies.push_back({species, 0});
    }
}

}  // namespace

SurfaceMechanism on_surfaces(Mechanism mechanism) {
    SurfaceMechanism result{std::move(mechanism), {}};
    std::vector<Species>& species = result.mechanism.species;
    const int count = int(species.size());
    for (int s = 0; s < count; ++s) {
        if (!species[std::size_t(s)].solid()) continue;
        const SurfaceMechanism::Solid solid{s, int(species.size())};
        species.push_back({.name = species[std::size_t(s)].name + "_taken", .position = species[std::size_t(s)].position});
        for (Reaction& reaction : result.mechanism.reactions) keep_surface(solid, reaction);
        result.solids.push_back(solid);
    }
    return result;
}

}  // namespace phlo::chem
