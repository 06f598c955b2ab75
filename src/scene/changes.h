// In which keys two complete scenes differ, and which work that makes stale.
#pragma once
#include <vector>

#include "config/schema.h"
#include "scene/scene.h"

namespace phlo::scene {

/// Keys that are missing in `before` had their default then. Named items of lists are matched by name.
std::vector<Change> differences(const config::Schema& schema, const config::Node& before, const config::Node& after);

/// The part of a complete scene in which a change makes the given work stale.
config::Node only_affecting(const config::Schema& schema, const config::Node& node, config::Affects affects);

}  // namespace phlo::scene
