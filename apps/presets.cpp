// phlo presets: the gallery, one line each.
#include <fmt/format.h>

#include "command.h"
#include "progress.h"
#include "scene/presets.h"

namespace phlo::apps {
namespace {

int run() {
    const std::vector<scene::Preset> presets = scene::list_presets();
    std::size_t width = 0;
    for (const scene::Preset& preset : presets) width = std::max(width, preset.name.size());
    for (const scene::Preset& preset : presets)
        fmt::print("{:<{}}  {} (about {} to simulate)\n", preset.name, width, preset.description, clock_text(preset.seconds));
    return 0;
}

}  // namespace

void add_presets(CommandLine& line) { line.add("presets", "the gallery, one line each").run(run); }

}  // namespace phlo::apps
