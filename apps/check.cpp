// phlo check SCENE: is it right, and what will it cost?
#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "arguments.h"
#include "command.h"
#include "progress.h"
#include "scene_source.h"

namespace phlo::apps {
namespace {

/// Whether it can be watched while it is simulated; pictures come on top.
std::string live_text(const models::Estimate& cost, double fps) {
    const double share = cost.seconds * fps / std::max(1, cost.frames);
    if (share > 1) return fmt::format("no: the simulation takes about {:.2g} times as long as the scene lasts", share);
    return fmt::format("{}: the simulation takes about {:.2g} % of the scene's time (phlo play)", share < 0.5 ? "yes" : "just", 100 * share);
}

int run(const SceneSource& source) {
    const scene::Scene scene = source.load().scene;
    const models::Estimate cost = scene::estimate(scene);
    const models::TimeParams& time = scene.shot.time;
    fmt::print("{}: valid\n", source.name);
    if (cost.cell_count() > 0)
        fmt::print("cells      {} x {} x {} = {}, {:.3g} cm each\n", cost.cells.x, cost.cells.y, cost.cells.z,
                   count_text((long long)(cost.cell_count())), 100 * cost.cell_size);
    fmt::print("particles  {}{}\n", cost.particles > 0 ? "about " : "", count_text((long long)(cost.particles)));
    fmt::print("frames     {}-{} at {:g} per second: {:.3g} s, about {:.0f} sub-steps each\n", time.first_frame,
               time.last_frame, time.fps, cost.frames / time.fps, cost.substeps);
    fmt::print("memory     about {}\n", models::size_text(cost.memory_bytes));
    fmt::print("time       about {} on two cores\n", clock_text(cost.seconds));
    fmt::print("live       {}\n", live_text(cost, time.fps));
    for (const std::string& note : cost.notes) fmt::print("note: {}\n", note);
    return 0;
}

}  // namespace

void add_check(CommandLine& line) {
    Command command = line.add("check", "validates a scene; prints cells, particles, memory and time");
    const auto source = std::make_shared<SceneSource>();
    source->add_options(command);
    command.run([source] { return run(*source); });
}

}  // namespace phlo::apps
