// A scene's text as it is simulated live: checked as `phlo check` does, and at a resolution at which it can be watched.
//
//   CheckedScene checked = check_text(text, "/shots/plume.yaml");
//   LookedScene live = read_scene(text, file, live_resolution(text, file, 0.08));
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "render/look/params.h"
#include "scene/scene.h"
#include "serve/diagnostics.h"

namespace phlo::serve {

struct LookedScene {
    scene::Scene scene;
    render::RenderParams look;
};

struct CheckedScene {
    std::optional<LookedScene> scene;          ///< none: something is wrong with it
    std::vector<Diagnostic> problems;
};

/// The `render:` section of a scene, read into or written from `look`.
std::vector<scene::Section> look_section(render::RenderParams& look);

/// As it will be simulated, at this resolution, or its own if that is 0, with further keys set ("gas.cooling=2"). Throws InputError, also if the memory
/// does not suffice.
LookedScene read_scene(const std::string& text, const std::string& file, int resolution = 0, const std::vector<std::string>& overrides = {});

/// Without a look at how much memory there is: that is asked of what is really simulated.
CheckedScene check_text(const std::string& text, const std::string& file);

/// Whether its cells can be made larger.
bool has_resolution(const scene::Scene& scene);

/// The finest resolution, up to the scene's own, at which a frame should take no longer than this [s] on two cores; 0 if it has none to choose.
int live_resolution(const std::string& text, const std::string& file, double seconds);

/// Estimated seconds a frame on two cores.
double frame_seconds(const scene::Scene& scene);

}  // namespace phlo::serve
