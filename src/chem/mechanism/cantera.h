// Reads Cantera's YAML (versions 2.5 to 3.1): the first ideal-gas phase of a file, its species with NASA7 polynomials, its reactions.
// https://cantera.org/documentation/docs-3.0/sphinx/html/yaml/index.html
//
//   units: {length: cm, quantity: mol, activation-energy: cal/mol}      # SI with kmol where nothing is said; also per section and reaction
//   phases: [{name: gas, thermo: ideal-gas, kinetics: gas}]
//   species:
//   - {name: H2, composition: {H: 2}, thermo: {model: NASA7, temperature-ranges: [200, 1000, 3500], data: [[…7…], […7…]]}}
//   reactions:
//   - {equation: H + O2 <=> O + OH, rate-constant: {A: 2.65e16, b: -0.6707, Ea: 17041}}
//   - {equation: 2 O + M <=> O2 + M, type: three-body, rate-constant: …, efficiencies: {H2: 2.4}}
//   - {equation: 2 OH (+M) <=> H2O2 (+M), type: falloff, low-P-rate-constant: …, high-P-rate-constant: …, Troe: {A: …, T3: …, T1: …}}
//
// What is not supported is refused by name.
#pragma once
#include "chem/mechanism/draft.h"

namespace phlo::chem {

void read_cantera(const config::Node& root, const std::string& path, Draft& draft);

// ---- its parts

/// Changes `units` to what a `units` map says, if the section has one.
void read_units(const CheckedMap& section, UnitSystem& units, config::Problems& problems);

using AtomicWeights = std::vector<std::pair<std::string, double>>;
/// A species that has a name.
Species read_cantera_species(const CheckedMap& section, const AtomicWeights& weights, Draft& draft);

struct ReactionOptions {
    bool skip_undeclared_species = false, skip_undeclared_third_bodies = false;
};
void read_cantera_reaction(const CheckedMap& section, UnitSystem units, const ReactionOptions& options, Draft& draft);

}  // namespace phlo::chem
