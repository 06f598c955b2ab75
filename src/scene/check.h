// What single keys cannot tell: whether the parts of a scene fit together.
#pragma once
#include <cstddef>

#include "config/node.h"
#include "config/problems.h"
#include "scene/scene.h"

namespace phlo::scene {

/// `root` is the tree that the scene was read from: problems point into it.
void check_scene(const Scene& scene, const config::Node& root, std::size_t memory_limit, config::Problems& problems);

}  // namespace phlo::scene
