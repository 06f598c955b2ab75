#include "sim/run.h"

#include <fmt/format.h>

#include <chrono>
#include <cerrno>
#include <optional>

#include "base/cpu.h"
#include "base/error.h"
#include "base/log.h"
#include "base/parallel.h"
#include "io/atomic_file.h"
#include "io/cache.h"
#include "models/gas/gas.h"
#include "sim/checkpoint.h"
#include "sim/stats.h"

namespace phlo::sim {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

fs::path checkpoint_path(const fs::path& dir) { return dir / "checkpoint" / "state.bin"; }

std::string hash_text(const scene::Scene& scene) { return fmt::format("{:016x}", scene::scene_hash(scene)); }

std::string read_text(const fs::path& path) {
    const std::vector<char> bytes = io::read_bytes(path);
    return {bytes.begin(), bytes.end()};
}

/// Which keys differ from the scene the directory was made with, as lines; empty if the frames there are this scene's own.
std::string stale_keys(const scene::Scene& scene, const RunOptions& options) {
    std::string lines;
    for (const scene::Change& change : scene::changed_keys(read_text(options.out / "scene.yaml"), scene, options.sections))
        if (change.affects == config::Affects::simulation)
            lines += fmt::format("\n  {}: {} -> {}   (redo the simulation from the first frame)", change.path, change.before, change.after);
    return lines;
}

void remove_frames(const fs::path& dir) {
    fs::remove(checkpoint_path(dir));
    fs::remove(dir / "stats.jsonl");
    fs::remove_all(dir / "cache");
}

/// Refuses a directory with another scene's frames; makes it ready otherwise.
void prepare_directory(const scene::Scene& scene, const RunOptions& options) {
    std::error_code error;
    fs::create_directories(options.out / "cache", error);
    if (error) throw RunError(fmt::format("cannot make the directory {}: {}. Choose another with -o", options.out.string(), error.message()));
    const bool used = fs::exists(options.out / "scene.yaml") && !fs::is_empty(options.out / "cache");
    const std::string stale = used ? stale_keys(scene, options) : "";
    if (!stale.empty() && !options.overwrite)
        throw InputError(fmt::format("{} holds frames of another scene:{}\nUse another directory (-o), or --overwrite to replace them",
                                     options.out.string(), stale));
    if (!options.resume || !stale.empty()) remove_frames(options.out);
    fs::create_directories(options.out / "cache");
    io::write_atomically(options.out / "scene.yaml", scene::dump_scene(scene, options.sections));
}

/// Puts the model where the last checkpoint left it. Returns the last complete frame, or nothing to start anew.
std::optional<int> resume(const scene::Scene& scene, const RunOptions& options, models::Model& model) {
    const fs::path path = checkpoint_path(options.out);
    const std::optional<CheckpointHeader> found = read_checkpoint_header(path);
    if (!found) {
        log::info("no checkpoint in {}: starting at the first frame", options.out.string());
        return std::nullopt;
    }
    if (found->scene_hash != hash_text(scene)) {
        log::warn("the checkpoint in {} is of another scene: starting at the first frame", options.out.string());
        return std::nullopt;
    }
    if (found->build != name(compiled_for))
        log::warn("the checkpoint was written by a build for {}, this one is for {}: later frames may differ in the last digits", found->build,
                  name(compiled_for));
    return load_checkpoint(path, model.state()).frame;
}

void write_output(const fs::path& dir, const scene::Scene& scene, int number, const models::Model& model) {
    field::Frame frame = model.show();
    frame.number = number;
    frame.fps = scene.time.fps;
    frame.metadata["scene"] = scene.name;
    frame.metadata["scene_hash"] = hash_text(scene);
    const bool houdini = scene.output.names == scene::GridNames::houdini;
    io::write_cache_frame(dir / "cache", frame,
                          {.naming = houdini ? io::GridNaming::houdini : io::GridNaming::blender,
                           .half = scene.output.half,
                           .velocity = scene.output.velocity ? io::VelocityRegion::active : io::VelocityRegion::none});
}

}  // namespace

models::GasSetup gas_setup(const scene::Scene& scene) {
    return {.domain = scene.domain, .time = scene.time, .gas = scene.gas, .emitters = scene.emitters, .bodies = scene.bodies,
            .chemistry = scene.chemistry, .mechanism = scene.mechanism, .seed = scene.seed};
}

std::unique_ptr<models::Model> build_model(const scene::Scene& scene) { return std::make_unique<models::Gas>(gas_setup(scene)); }

RunReport run(const scene::Scene& scene, const RunOptions& options, const Progress& progress) {
    const ThreadLimit limit(options.threads);
    const Clock::time_point begin = Clock::now();
    const int first = options.first > 0 ? options.first : scene.time.first_frame;
    const int last = options.last > 0 ? options.last : scene.time.last_frame;
    prepare_directory(scene, options);

    const std::unique_ptr<models::Model> model = build_model(scene);
    const fs::path stats_path = options.out / "stats.jsonl";
    int done = scene.time.first_frame - 1;
    if (options.resume) done = resume(scene, options, *model).value_or(done);
    keep_stats_until(stats_path, done);

    RunReport report{.first_frame = done + 1, .last_frame = done};
    Clock::time_point last_checkpoint = Clock::now();
    for (int number = done + 1; number <= last && !report.stopped; ++number) {
        // The first frame shows the scene as it begins; every later one lies 1 / fps further on.
        models::FrameStats stats;
        if (number > scene.time.first_frame) stats = model->advance(1.0 / scene.time.fps);
        stats.frame = number;
        stats.memory_bytes = model->bytes();
        if (number >= first) {
            const Stage stage(stats.seconds, "output");
            write_output(options.out, scene, number, *model);
        }
        append_stats(stats_path, stats);
        report.last_frame = number;
        report.stopped = !progress(stats) && number < last;
        if (number == last || report.stopped || seconds_since(last_checkpoint) >= options.checkpoint_seconds) {
            save_checkpoint(checkpoint_path(options.out), {.frame = number, .scene_hash = hash_text(scene), .build = name(compiled_for)}, model->state());
            last_checkpoint = Clock::now();
        }
    }
    report.seconds = seconds_since(begin);
    return report;
}

}  // namespace phlo::sim
