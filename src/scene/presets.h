// The gallery. The scenes in scenes/ are built into the program.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace phlo::scene {

struct Preset {
    std::string name;
    std::string description;  ///< one line
    double seconds = 0;  ///< rough time to simulate it on two cores
};

std::vector<std::string> preset_names();
std::vector<Preset> list_presets();
/// The scene file of a preset; none if there is no preset of this name.
std::optional<std::string> preset_text(std::string_view name);

struct EmbeddedScene {
    std::string_view name, text;
};
extern const std::vector<EmbeddedScene> embedded_scenes;  ///< written by CMake from scenes/*.yaml

}  // namespace phlo::scene
