#include "scene_source.h"

#include <fmt/format.h>

#include <filesystem>

namespace phlo::apps {

std::vector<scene::Section> look_section(render::RenderParams& look) { return {scene::section("render", render::render_table(), look)}; }

void SceneSource::add_options(Command& command) {
    command.option("scene", name, "a preset's name or a scene file", {.type = "SCENE", .required = true})
        .option("--resolution", resolution, "cells along the longest side", {.type = "N", .min = 1})
        .option("--set", overrides, "changes a key, for example --set gas.vorticity=2; may be repeated", {.type = "KEY=VALUE"});
}

LoadedScene SceneSource::load() const {
    LoadedScene loaded;
    std::vector<std::string> all = overrides;
    if (resolution > 0) all.push_back(fmt::format("domain.resolution={}", resolution));
    loaded.scene = scene::load_scene(name, {.overrides = all, .sections = look_section(loaded.look)});
    return loaded;
}

std::string SceneSource::default_output() const { return (std::filesystem::path("out") / std::filesystem::path(name).stem()).string(); }

}  // namespace phlo::apps
