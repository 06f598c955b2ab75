// Scenes as small changes of other scenes, and single keys set from the command line.
//
//   Node scene = merged(base, delta, *schema);            // tables merge key by key, lists of named items by name; the rest is replaced
//   apply_override(scene, "gas.cooling=0.5 1/s", *schema);                           // old names of keys will do
//   apply_override(scene, "emitters.source.density=2", *schema);
#pragma once
#include <string>

#include "config/schema.h"

namespace phlo::config {

Node merged(Node base, const Node& delta, const Schema& schema);

/// Sets one key; throws InputError if the assignment or its path cannot be understood. Whether the key exists and the value fits
/// is checked when the scene is read; the position is then "--set path".
void apply_override(Node& root, const std::string& assignment, const Schema& schema);

}  // namespace phlo::config
