// phlo check SCENE: is it right, and what will it cost?
#include <fmt/format.h>

#include <memory>

#include "arguments.h"
#include "command.h"
#include "progress.h"
#include "scene_source.h"

namespace phlo::apps {
namespace {

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
