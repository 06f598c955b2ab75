// Our own form for invented chemistry: in a file of its own or inside a scene, with the same meaning. SI with moles.
//
//   name: campfire                                              # optional, as is `description`
//   species: [S1, S2, {name: S3, molar-mass: 44 g/mol}, {name: H2O, composition: {H: 2, O: 1}}]
//   reactions:
//   - {equation: S1 + S2 => 2 S3, rate: 0.8}                                        # a constant; also with its unit, 0.8 m^3/mol/s
//   - {equation: S3 => S1, rate: "0.2 * sqrt(T) * exp(-3000/T)"}                     # a control function of T, t and concentrations
//   - {equation: S1 <=> S2, rate: {A: 1e3, b: 0.5, Ea: 40 kJ/mol}, reverse: {A: 10, Ta: 300 K}, orders: {S1: 0.5}}
//   - {equation: S1 + M => S2 + M, rate: 3, efficiencies: {S3: 2}}
//   - {equation: => S1, rate: 0.1}                                                   # a source
//
// A species with a molar density, {name: Stone, molar-density: 30 mol/m^3}, is a solid. A reaction that takes it, S1 + Stone => S2, runs where gas
// meets a body made of it; its rate is by area, so that its constant has one more metre: 2 cm/s if it is of first order in S1.
//
// A reversible reaction becomes two irreversible ones, with `reverse` and `reverse-orders` for the second.
#pragma once
#include "chem/mechanism/draft.h"
#include "config/schema.h"

namespace phlo::chem {

/// The keys, for help and editors; the reader knows no others.
config::SchemaPtr short_form_schema();

void read_short_form(const config::Node& node, const std::string& path, Draft& draft);

}  // namespace phlo::chem
