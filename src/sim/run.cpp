#include "sim/run.h"

#include <fmt/format.h>

#include <chrono>

#include "base/error.h"
#include "base/log.h"
#include "base/parallel.h"
#include "sim/frame_writer.h"
#include "sim/run_directory.h"
#include "sim/simulation.h"
#include "sim/stats.h"

namespace phlo::sim {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

bool holds_frames(const RunDirectory& dir) { return fs::exists(dir.scene()) && fs::exists(dir.cache()) && !fs::is_empty(dir.cache()); }

/// Refuses a directory with another scene's frames; makes it ready otherwise.
void prepare(const RunDirectory& dir, const scene::Scene& scene, const RunOptions& options) {
    dir.make();
    const std::string stale = holds_frames(dir) ? lines_of(dir.changes(scene, options.sections)) : "";
    if (!stale.empty() && !options.overwrite)
        throw InputError(fmt::format("{} holds frames of another scene:{}\nUse another directory (-o), --overwrite to start anew there, or --resume FRAME "
                                     "to go on from a frame with the scene as it is now", dir.path.string(), stale));
    if (!options.resume || !stale.empty()) dir.remove_all();
    dir.write_scene(scene, options.sections);
}

/// Puts the simulation where the last checkpoint left it. Whether there was one.
bool resume(const RunDirectory& dir, Simulation& simulation) {
    const std::optional<CheckpointHeader> found = read_checkpoint_header(dir.last_state());
    if (!found) log::info("no checkpoint in {}: starting at the first frame", dir.path.string());
    else if (found->scene_hash != simulation.hash()) log::warn("the checkpoint in {} is of another scene: starting at the first frame", dir.path.string());
    else return simulation.restore(dir.last_state()), true;
    return false;
}

/// Goes on from a frame of `from` with the scene as it is now. The new state is written first: whatever is interrupted, --resume FRAME
/// can be said again.
void branch(const RunDirectory& from, const RunDirectory& dir, int frame, const RunOptions& options, Simulation& simulation) {
    const bool elsewhere = fs::weakly_canonical(from.path) != fs::weakly_canonical(dir.path);
    if (elsewhere && holds_frames(dir) && !options.overwrite)
        throw InputError(fmt::format("{} holds frames already. Use another directory (-o), or --overwrite to replace them", dir.path.string()));
    const fs::path state = from.find_state(frame);
    const std::vector<scene::Change> changes = from.changes(simulation.scene(), options.sections);
    simulation.restore(state);
    log::info("going on from frame {} of {}{}{}", frame, from.path.string(), changes.empty() ? ": nothing has changed" : " with", lines_of(changes));
    if (elsewhere) {
        dir.make();
        dir.remove_all();
        dir.take_over(from, frame);
    }
    simulation.save(dir.last_state());
    dir.write_scene(simulation.scene(), options.sections);
    dir.remove_after(frame);
    dir.note_changes(frame, changes);
}

/// The last frame that is complete already.
int start(const RunDirectory& dir, const RunOptions& options, Simulation& simulation) {
    const int before_all = simulation.frame() - 1;
    if (options.resume_frame) branch(options.from.empty() ? dir : RunDirectory{options.from}, dir, *options.resume_frame, options, simulation);
    else if (!options.resume || !resume(dir, simulation)) return before_all;
    return simulation.frame();
}

}  // namespace

RunReport run(const scene::Scene& scene, const RunOptions& options, const Progress& progress) {
    const ThreadLimit limit(options.threads);
    const Clock::time_point begin = Clock::now();
    const models::TimeParams& time = scene.shot.time;
    const int first = options.first > 0 ? options.first : time.first_frame, last = options.last > 0 ? options.last : time.last_frame;
    const RunDirectory dir{options.out};
    if (!options.resume_frame) prepare(dir, scene, options);
    Simulation simulation(scene);
    const int done = start(dir, options, simulation);
    keep_stats_until(dir.stats(), done);

    RunReport report{.first_frame = done + 1, .last_frame = done};
    FrameWriter writer(dir.cache(), scene.output);
    Clock::time_point last_checkpoint = Clock::now();
    for (int number = done + 1; number <= last && !report.stopped; ++number) {
        // The first frame shows the scene as it begins; every later one lies 1 / fps further on.
        models::FrameStats stats = number > time.first_frame ? simulation.advance() : simulation.stats();
        const auto safe = [&, number](const models::FrameStats& written) {
            append_stats(dir.stats(), written);
            report.last_frame = number;
            report.stopped = !progress(written) && number < last;
        };
        if (number >= first) {
            field::Frame frame;
            {
                const Stage stage(stats.seconds, "output");
                frame = simulation.snapshot();
                writer.wait();
            }
            writer.write(std::move(frame), [safe, stats] { safe(stats); });
        } else {
            safe(stats);
        }
        const bool kept = time.checkpoints > 0 && number % time.checkpoints == 0;
        if (number < last && !kept && !report.stopped && seconds_since(last_checkpoint) < options.checkpoint_seconds) continue;
        writer.wait();
        simulation.save(dir.last_state());
        if (kept) simulation.save(dir.state_of(number));
        last_checkpoint = Clock::now();
    }
    report.seconds = seconds_since(begin);
    return report;
}

}  // namespace phlo::sim
