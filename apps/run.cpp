// phlo run SCENE: simulates; with --render also makes pictures and a movie.
#include <fmt/format.h>

#include <memory>

#include "arguments.h"
#include "base/error.h"
#include "base/log.h"
#include "base/parallel.h"
#include "command.h"
#include "render_job.h"
#include "scene_source.h"
#include "simulate_job.h"

namespace phlo::apps {
namespace {

constexpr const char* last_frame = "last";

struct Options {
    SceneSource source;
    std::string out, frames;
    int threads = 0;
    std::string resume;  ///< a frame, or "last"
    std::string from;
    bool overwrite = false, render = false, quiet = false;
};

/// "" and "last" are no frame.
std::optional<int> resume_frame(const Options& options) {
    if (options.resume.empty() || options.resume == last_frame) return std::nullopt;
    const FrameRange one = parse_frames(options.resume, "--resume");
    if (one.first != one.last) throw InputError(fmt::format("--resume {}: expected one frame", options.resume));
    return one.first;
}

/// The run whose checkpoint is meant: the one that is named, the output directory's own, or the scene's usual one.
std::string resume_source(const Options& options, const std::string& out) {
    if (!options.from.empty()) return options.from;
    return std::filesystem::exists(std::filesystem::path(out) / "checkpoint") ? out : options.source.default_output();
}

int run(const Options& options) {
    if (options.quiet) log::set_level(log::Level::quiet);
    LoadedScene loaded = options.source.load();
    SimulateJob job{.out = options.out.empty() ? options.source.default_output() : options.out,
                    .threads = options.threads,
                    .resume = !options.resume.empty(),
                    .overwrite = options.overwrite,
                    .quiet = options.quiet,
                    .resume_frame = resume_frame(options)};
    if (job.resume_frame) job.from = resume_source(options, job.out);
    if (!options.frames.empty()) {
        models::TimeParams& time = loaded.scene.shot.time;
        job.frames = parse_frames(options.frames);
        if (job.frames.first.value_or(time.first_frame) < time.first_frame || job.frames.last.value_or(time.first_frame) < time.first_frame)
            throw InputError(
                fmt::format("--frames {}: the scene begins with frame {} (time.first_frame)", options.frames, time.first_frame));
        time.last_frame = std::max(time.last_frame, job.frames.last.value_or(time.last_frame));
    }
    for (const std::string& note : scene::estimate(loaded.scene).notes) log::info("{}", note);

    const int code = simulate(loaded, job);
    if (code != 0 || !options.render) return code;
    return render_run({.dir = job.out, .first = job.frames.first, .last = job.frames.last, .look = loaded.look},
                      {.threads = options.threads, .quiet = options.quiet});
}

}  // namespace

void add_run(CommandLine& line) {
    Command command = line.add("run", "simulates a scene");
    const auto options = std::make_shared<Options>();
    options->source.add_options(command);
    command.option("-o,--output", options->out, "the run's directory (default: out/SCENE)", {.type = "DIR"})
        .option("--frames", options->frames, "only these frames are written, for example 1-48", {.type = "A-B"})
        .option("--threads", options->threads, "threads to use (default: all cores); changes no bit of the result", {.type = "N", .min = 0})
        .option("--resume", options->resume,
                "goes on behind the last checkpoint in the directory; with a frame: from that one, with the scene as it is now",
                {.type = "[FRAME]", .if_bare = last_frame})
        .option("--from", options->from, "with --resume FRAME: another run's directory to branch off from; its frames before are taken along",
                {.type = "DIR"})
        .flag("--overwrite", options->overwrite, "starts anew in a directory that holds another scene's frames")
        .flag("--render", options->render, "renders the frames afterwards and makes the movie")
        .flag("--quiet", options->quiet, "says nothing but warnings and errors")
        .run([options] { return run(*options); });
}

}  // namespace phlo::apps
