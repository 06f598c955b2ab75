// The scene that a command is given: a preset or a file, and what the command line changes in it.
//
//   SceneSource source;
//   source.add_options(command);                  // SCENE, --resolution, --set
//   LoadedScene loaded = source.load();           // throws InputError
#pragma once
#include <string>
#include <vector>

#include "command.h"
#include "render/look/params.h"
#include "scene/scene.h"

namespace phlo::apps {

struct LoadedScene {
    scene::Scene scene;
    render::RenderParams look;
};

/// The `render:` section of a scene file, read into or written from `look`.
std::vector<scene::Section> look_section(render::RenderParams& look);

struct SceneSource {
    std::string name;
    int resolution = 0;  ///< 0: as the scene says
    std::vector<std::string> overrides;  ///< key.path=value

    void add_options(Command& command);
    LoadedScene load() const;
    /// out/<preset or file name>.
    std::string default_output() const;
};

}  // namespace phlo::apps
