// What single keys cannot tell: whether the parts of a scene fit together.
#pragma once
#include <cstddef>

#include "config/node.h"
#include "config/problems.h"
#include "scene/scene.h"

namespace phlo::scene {

/// Of the key, or of the nearest thing around it that was written down.
config::Position position_of(const config::Node& root, std::string path);

/// What chemistry needs: known species, functions that can be read, data for what is asked.
void check_chemistry(const Scene& scene, const config::Node& root, config::Problems& problems);

/// `root` is the tree that the scene was read from: problems point into it.
void check_scene(const Scene& scene, const config::Node& root, std::size_t memory_limit, config::Problems& problems);

}  // namespace phlo::scene
