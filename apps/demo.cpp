// phlo demo: a small campfire, simulated and rendered with photon maps; prints where the movie is.
#include <fmt/format.h>

#include <filesystem>
#include <memory>

#include "base/error.h"
#include "base/log.h"
#include "command.h"
#include "render_job.h"
#include "scene_source.h"
#include "simulate_job.h"

namespace phlo::apps {
namespace {

struct Options {
    std::string out = "out/demo";
    bool quiet = false;
};

int run(const Options& options) {
    if (options.quiet) log::set_level(log::Level::quiet);
    const SceneSource source{.name = "campfire", .resolution = 100, .overrides = {"time.frames=60"}};
    LoadedScene loaded = source.load();
    SimulateJob job{.out = options.out, .resume = true, .quiet = options.quiet};
    int simulated = 0;
    try {
        simulated = simulate(loaded, job);
    } catch (const InputError&) {  // frames of another version's demo are there
        job.resume = false, job.overwrite = true;
        simulated = simulate(loaded, job);
    }
    if (simulated != 0) return simulated;
    const int rendered = render_run({.dir = options.out, .quality = render::Quality::good, .width = 480, .height = 270, .look = loaded.look}, {.quiet = options.quiet});
    if (rendered != 0) return rendered;
    fmt::print("the movie is {}\n",
               std::filesystem::absolute(std::filesystem::path(options.out) / "movie.mp4").lexically_normal().string());
    return 0;
}

}  // namespace

void add_demo(CommandLine& line) {
    const auto options = std::make_shared<Options>();
    line.add("demo", "simulates and renders a small campfire, and prints where the movie is")
        .option("-o,--output", options->out, "the run's directory", {.type = "DIR", .tell_default = true})
        .flag("--quiet", options->quiet, "says nothing but warnings and errors")
        .run([options] { return run(*options); });
}

}  // namespace phlo::apps
