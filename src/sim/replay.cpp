#include "sim/replay.h"

#include <algorithm>
#include <fstream>

#include <fmt/format.h>

#include "base/error.h"
#include "base/json_read.h"
#include "sim/simulation.h"

namespace phlo::sim {
namespace {

namespace fs = std::filesystem;

/// The frame from which the scene is as scene.yaml has it; 0: it was never another.
int last_change(const RunDirectory& run) {
    std::ifstream history(run.history());
    std::string line;
    int frame = 0;
    while (std::getline(history, line)) frame = std::max(frame, int(json::parse(line).number("frame", 0)));
    return frame;
}

}  // namespace

fs::path replay(const RunDirectory& run, int frame, const ReplayProgress& progress) {
    const std::vector<int> known = run.checkpoints();
    if (std::ranges::count(known, frame)) return run.find_state(frame);
    const int changed = last_change(run);
    if (frame < changed) throw InputError(fmt::format("frame {} of {} has no checkpoint, and the scene was changed at frame {} since; go on from there, or from one of its checkpoints", frame, run.path.filename().string(), changed));
    Simulation simulation(scene::load_scene(run.scene().string(), {.memory_limit = std::size_t(-1)}));
    if (frame < simulation.frame()) throw InputError(fmt::format("{} begins with frame {}", run.path.filename().string(), simulation.frame()));
    const auto after = std::ranges::upper_bound(known, frame);
    if (after != known.begin()) simulation.restore(run.find_state(*std::prev(after)));
    while (simulation.frame() < frame) {
        if (progress && !progress(simulation.frame() + 1)) throw RunError(fmt::format("stopped before frame {}", simulation.frame() + 1));
        simulation.advance();
    }
    fs::create_directories(run.path / "checkpoint");
    simulation.save(run.state_of(frame));
    return run.state_of(frame);
}

}  // namespace phlo::sim
