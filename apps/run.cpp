// phlo run SCENE: simulates; with --render also makes pictures and a movie.
#include <fmt/format.h>

#include <memory>

#include "arguments.h"
#include "base/error.h"
#include "base/log.h"
#include "base/parallel.h"
#include "command.h"
#include "render_job.h"
#include "scene/estimate.h"
#include "scene_source.h"
#include "simulate_job.h"

namespace phlo::apps {
namespace {

struct Options {
    SceneSource source;
    std::string out, frames;
    int threads = 0;
    bool resume = false, overwrite = false, render = false, quiet = false;
};

int run(const Options& options) {
    if (options.quiet) log::set_level(log::Level::quiet);
    LoadedScene loaded = options.source.load();
    SimulateJob job{.out = options.out.empty() ? options.source.default_output() : options.out,
                    .threads = options.threads,
                    .resume = options.resume,
                    .overwrite = options.overwrite,
                    .quiet = options.quiet};
    if (!options.frames.empty()) {
        models::TimeParams& time = loaded.scene.time;
        job.frames = parse_frames(options.frames);
        if (job.frames.first.value_or(time.first_frame) < time.first_frame || job.frames.last.value_or(time.first_frame) < time.first_frame)
            throw InputError(
                fmt::format("--frames {}: the scene begins with frame {} (time.first_frame)", options.frames, time.first_frame));
        time.last_frame = std::max(time.last_frame, job.frames.last.value_or(time.last_frame));
    }
    for (const std::string& note : scene::estimate(loaded.scene).notes) log::info("{}", note);

    const int code = simulate(loaded, job);
    if (code != 0 || !options.render) return code;
    return render_run({.dir = job.out, .first = job.frames.first, .last = job.frames.last},
                      {.threads = options.threads, .quiet = options.quiet});
}

}  // namespace

void add_run(CLI::App& app, Chosen& chosen) {
    CLI::App* command = app.add_subcommand("run", "simulates a scene");
    const auto options = std::make_shared<Options>();
    options->source.add_options(*command);
    command->add_option("-o,--output", options->out, "the run's directory (default: out/SCENE)")->type_name("DIR");
    command->add_option("--frames", options->frames, "only these frames are written, for example 1-48")->type_name("A-B");
    command->add_option("--threads", options->threads, "threads to use (default: all cores); changes no bit of the result")
        ->type_name("N")
        ->check(CLI::NonNegativeNumber);
    command->add_flag("--resume", options->resume, "goes on behind the last checkpoint in the directory");
    command->add_flag("--overwrite", options->overwrite, "starts anew in a directory that holds another scene's frames");
    command->add_flag("--render", options->render, "renders the frames afterwards and makes the movie");
    command->add_flag("--quiet", options->quiet, "says nothing but warnings and errors");
    command->callback([options, &chosen] { chosen = [options] { return run(*options); }; });
}

}  // namespace phlo::apps
