// Mechanisms from files and scene nodes: Cantera's YAML, or our own short form for invented chemistry. Both end as a checked Mechanism.
//
//   Mechanism gas = read_mechanism("gri30.yaml");                    // throws InputError: file:line:column, path, remedy
//   Mechanism campfire = read_mechanism(*scene.get("chemistry"), "chemistry");
//
//   # the short form                                                  # Cantera's: phases, species, reactions at the top level
//   species: [S1, S2, {name: S3, molar-mass: 44 g/mol}]
//   reactions:
//   - {equation: S1 + S2 => 2 S3, rate: 0.8}                           # a constant [(m³/mol)^(order-1)/s], or an expression in T, t, S1 …
//   - {equation: S3 <=> S1 + S2, rate: {A: 1e3, b: 0, Ea: 40 kJ/mol}, reverse: {A: 10, Ta: 300 K}, orders: {S3: 0.5}}
#pragma once
#include <string>

#include "chem/mechanism/mechanism.h"

namespace phlo::chem {

/// The YAML behind a shipped mechanism's name, or a file's; a relative one starts at `folder`.
config::Node find_mechanism(const std::string& name_or_file, const std::string& folder = "");

Mechanism read_mechanism(const std::string& file);
/// `path` is the key path of the node, for messages.
Mechanism read_mechanism(const config::Node& node, const std::string& path);

}  // namespace phlo::chem
