#include "examples.h"

#include "render/look/params.h"
#include "scene/scene.h"

namespace phlo::scene {

using render::render_table;
using render::RenderParams;

void scene_example() {
    Scene scene = load_scene("plume", {.overrides = {"domain.resolution=64"}});
    RenderParams look;
    Scene both = load_scene("shot.yaml", {.sections = {section("render", render_table(), look)}});
    dump_scene(scene);
}

}  // namespace phlo::scene
