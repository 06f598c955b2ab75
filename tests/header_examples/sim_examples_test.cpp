#include "examples.h"

#include "sim/checkpoint.h"
#include "sim/frame_writer.h"
#include "sim/ledger_summary.h"
#include "sim/pace.h"
#include "sim/replay.h"
#include "sim/run.h"
#include "sim/simulation.h"

namespace phlo::sim {

using models::FrameStats;
using scene::Scene;

void checkpoint_example(const std::filesystem::path& dir, const std::filesystem::path& path, const std::string& hash, models::Model& model,
                        models::Model& changed_model) {
    save_checkpoint(dir / "checkpoint" / "state.bin", {.frame = 40, .scene_hash = hash}, model.state());
    std::optional<CheckpointHeader> last = read_checkpoint_header(path);
    load_checkpoint(path, model.state());
    StateFit fit = load_checkpoint_by_name(path, changed_model.state());
}

void frame_writer_example(const std::filesystem::path& dir, const scene::OutputParams& output, const Simulation& simulation,
                          void (*append_stats)(const FrameStats&)) {
    FrameWriter writer(dir / "cache", output);
    writer.write(simulation.snapshot(), [&] { append_stats(simulation.stats()); });
    writer.wait();
}

void ledger_summary_example(const std::vector<FrameStats>& frames) {
    LedgerSummary summary;
    for (const FrameStats& stats : frames) summary.add(stats.ledger);
    summary.lines();
}

void pace_example(double (*seconds_now)()) {
    Pace pace({.frame = 1 / 24.0});
    double step = pace.step(seconds_now());
    if (pace.speed() < 0.95) log::warn("cannot keep up");
}

volatile bool interrupted = false;

void run_example(const Scene& scene) {
    RunReport report = run(scene, {.out = "out/plume"}, [](const FrameStats& s) { return !interrupted; });
}

void simulation_example(const Scene& scene, const Scene& changed_scene, bool somebody_waits) {
    Simulation simulation(scene);
    models::FrameStats stats = simulation.advance();
    simulation.advance(0.021);
    simulation.go_on([&] { return somebody_waits; });
    field::Frame frame = simulation.snapshot();
    simulation.save("state.bin");
    simulation.restore("state.bin");
    simulation.edit(changed_scene);
}

void replay_example() { std::filesystem::path state = replay({"out/plume"}, 37); }

}  // namespace phlo::sim
