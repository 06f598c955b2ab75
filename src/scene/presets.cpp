#include "scene/presets.h"

#include "scene/scene.h"

namespace phlo::scene {

std::vector<std::string> preset_names() {
    std::vector<std::string> names;
    for (const EmbeddedScene& scene : embedded_scenes) names.emplace_back(scene.name);
    return names;
}

std::vector<Preset> list_presets() {
    std::vector<Preset> presets;
    for (const std::string& name : preset_names()) {
        const Scene scene = load_scene(name, {.memory_limit = std::size_t(-1)});
        presets.push_back({name, scene.description, estimate(scene).seconds});
    }
    return presets;
}

std::optional<std::string> preset_text(std::string_view name) {
    for (const EmbeddedScene& scene : embedded_scenes)
        if (scene.name == name) return std::string(scene.text);
    return std::nullopt;
}

}  // namespace phlo::scene
