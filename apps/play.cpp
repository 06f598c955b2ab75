// phlo play SCENE: simulates and draws at its own pace, into a movie, a pipe, or nowhere, for the figures.
#include <fmt/format.h>
#include <unistd.h>

#include <memory>

#include "arguments.h"
#include "base/error.h"
#include "base/heap.h"
#include "base/log.h"
#include "base/parallel.h"
#include "command.h"
#include "interrupt.h"
#include "io/movie.h"
#include "io/y4m.h"
#include "play_status.h"
#include "player.h"
#include "scene_source.h"

namespace phlo::apps {
namespace {

struct Options {
    SceneSource source;
    std::string to, seconds, size;
    int threads = 0;
    bool fixed = false, quiet = false;

    bool to_pipe() const { return to == "-"; }
};

/// Where pictures go; none without --to.
struct Target {
    std::unique_ptr<io::Movie> movie;
    std::unique_ptr<io::Y4mStream> pipe;

    Target(const Options& options, const LoadedScene& loaded) {
        const int width = loaded.look.width, height = loaded.look.height;
        const double fps = loaded.scene.shot.time.fps;
        if (options.to_pipe()) pipe = std::make_unique<io::Y4mStream>(STDOUT_FILENO, width, height, fps);
        else if (!options.to.empty()) movie = std::make_unique<io::Movie>(options.to, width, height, fps, options.fixed ? io::MovieEffort::thorough : io::MovieEffort::quick);
    }
    WritePicture writer() const {
        if (pipe) return [this](const io::DisplayImage& image) { return pipe->add(image); };
        if (movie) return [this](const io::DisplayImage& image) { return movie->add(image), true; };
        return {};
    }
};

void check(const Options& options) {
    if (options.to.empty()) return;
    if (options.to_pipe()) {
        if (isatty(STDOUT_FILENO) != 0) throw InputError("--to -: raw video is not for a terminal; pipe it on: phlo play SCENE --to - | ffplay -");
        return;
    }
    const std::string kind = std::filesystem::path(options.to).extension().string();
    if (kind != ".mp4" && kind != ".mov" && kind != ".mkv") throw InputError(fmt::format("--to {}: expected a file .mp4, .mov or .mkv, or - for raw video on standard output", options.to));
}

void tell_report(const Options& options, const PlayReport& report) {
    std::FILE* const to = options.to_pipe() ? stderr : stdout;
    const std::string where = options.to.empty() ? "drawn for the figures, not written (--to writes)" : options.to_pipe() ? "standard output" : options.to;
    const int count = std::max(1, report.pictures);
    fmt::print(to, "{}: {} pictures, {:.2f} s of the scene in {:.2f} s, {:.1f} pictures a second\n", where, options.to.empty() ? report.pictures : report.written, report.time,
               report.real, report.pictures / report.real);
    if (report.particles > 0) fmt::print(to, "particles  {}\n", count_text(report.particles));
    constexpr int all = 100;
    fmt::print(to, "simulation {}\npicture    {}\n", stages_text(report.simulation, count, all), stages_text(report.drawing, count, all));
    if (report.writing.total() > 0) fmt::print(to, "writing    {:.1f} ms\n", 1000 * report.writing.total() / count);
}

int run(const Options& options) {
    if (options.quiet) log::set_level(log::Level::quiet);
    check(options);
    LoadedScene loaded = options.source.load();
    const models::TimeParams& time = loaded.scene.shot.time;
    const double seconds = options.seconds.empty() ? (time.last_frame - time.first_frame + 1) / time.fps : parse_number("--seconds", options.seconds, 1e-3, 86400);
    if (!options.size.empty()) {
        const ImageSize size = parse_size(options.size);
        loaded.look.width = size.width, loaded.look.height = size.height;
    }
    keep_large_blocks();
    const ThreadLimit limit(options.threads);
    const Interrupt interrupt;
    PlayStatus status(options.quiet);
    const Target target(options, loaded);
    Player player(loaded.scene, loaded.look, {.seconds = seconds, .fixed = options.fixed});
    const PlayReport report = player.play(target.writer(), [&](const PlayTick& tick) {
        status.tell(tick);
        return !interrupt.requested();
    });
    status.finish();
    if (target.movie) target.movie->finish();
    if (!report.kept_up)
        log::warn("this machine cannot keep up: time ran slower than it should. Lower --resolution or --size, or take --fixed for a movie at the scene's own steps");
    if (!options.quiet) tell_report(options, report);
    return 0;
}

}  // namespace

void add_play(CommandLine& line) {
    Command command = line.add("play", "simulates and draws a scene at its own pace: to a movie, a pipe, or only for the figures");
    const auto options = std::make_shared<Options>();
    options->source.add_options(command);
    command.option("--to", options->to, "movie.mp4, or - for raw video on standard output (phlo play SCENE --to - | ffplay -)", {.type = "FILE|-"})
        .option("--seconds", options->seconds, "how much of the scene's time (default: all of it)", {.type = "N"})
        .option("--size", options->size, "of the pictures, for example 1280x720", {.type = "WxH"})
        .flag("--fixed", options->fixed, "steps of the scene's frame rate, however long they take: the same movie on every machine")
        .option("--threads", options->threads, "threads to use (default: all cores)", {.type = "N", .min = 0})
        .flag("--quiet", options->quiet, "says nothing but warnings and errors")
        .footer("Without --fixed every step is as long as the last picture took, so that time runs at its true speed. Ctrl-C ends the movie properly.")
        .run([options] { return run(*options); });
}

}  // namespace phlo::apps
