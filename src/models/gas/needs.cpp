#include "models/gas/needs.h"

#include <span>

namespace phlo::models {
namespace {

std::vector<int> species_of(std::span<const chem::Factor> factors) {
    std::vector<int> species;
    for (const chem::Factor& f : factors)
        if (f.exponent > 0 || f.consumed) species.push_back(f.species);
    std::ranges::sort(species);
    species.erase(std::unique(species.begin(), species.end()), species.end());
    return species;
}

}  // namespace

Needs find_needs(const chem::Network& network) {
    Needs all;
    for (const chem::CompiledReaction& reaction : network.compiled()) {
        all.push_back(species_of(reaction.forward));
        if (reaction.reversible) all.push_back(species_of(reaction.backward));
    }
    std::ranges::sort(all, {}, [](const auto& need) { return need.size(); });
    Needs needs;
    for (const std::vector<int>& need : all)
        if (std::ranges::none_of(needs, [&](const auto& less) { return std::ranges::includes(need, less); })) needs.push_back(need);
    return needs;
}

}  // namespace phlo::models
