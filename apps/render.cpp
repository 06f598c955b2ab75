// phlo render DIR: pictures and a movie from a run's cache.
#include <memory>

#include "arguments.h"
#include "base/log.h"
#include "command.h"
#include "render_job.h"

namespace phlo::apps {
namespace {

struct Options : RenderOptions {
    std::filesystem::path dir, out;
    std::string frames, quality = "draft", size, format = "png";
};

render::Quality quality_of(const std::string& word) {
    if (word == "live") return render::Quality::live;
    if (word == "path") return render::Quality::path;
    return word == "final" ? render::Quality::final : word == "good" ? render::Quality::good : render::Quality::draft;
}

int run(const Options& options) {
    if (options.quiet) log::set_level(log::Level::quiet);
    render::RenderJob job{.dir = options.dir, .out = options.out, .quality = quality_of(options.quality), .look = look_of(options.dir)};
    if (!options.frames.empty()) {
        const FrameRange frames = parse_frames(options.frames);
        job.first = frames.first, job.last = frames.last;
    }
    if (!options.size.empty()) {
        const ImageSize size = parse_size(options.size);
        job.width = size.width, job.height = size.height;
    }
    if (options.format != "png") job.exr = options.format == "exr" ? io::ExrDepth::half : io::ExrDepth::full;
    return render_run(job, options);
}

}  // namespace

void add_render(CommandLine& line) {
    const auto options = std::make_shared<Options>();
    line.add("render", "makes pictures and a movie from a run")
        .option("dir", options->dir, "the run's directory", {.type = "DIR", .required = true})
        .option("--frames", options->frames, "only these frames, for example 1-48", {.type = "A-B"})
        .option("--quality", options->quality, "live: particles as fast as they move; draft: seconds a frame; good and final: photon maps; path: the unbiased reference, slow",
                {.type = "live|draft|good|final|path", .words = {"live", "draft", "good", "final", "path"}})
        .option("--size", options->size, "of the pictures, for example 1280x720", {.type = "WxH"})
        .option("--format", options->format, "exr: also linear radiance, images/frame_NNNN.exr, 16 bits; exr-float: 32 bits",
                {.type = "png|exr|exr-float", .words = {"png", "exr", "exr-float"}})
        .option("-o,--output", options->out, "where images/ and movie.mp4 go (default: DIR)", {.type = "DIR"})
        .option("--threads", options->threads, "threads to use (default: all cores)", {.type = "N", .min = 0})
        .flag("--quiet", options->quiet, "says nothing but warnings and errors")
        .run([options] { return run(*options); });
}

}  // namespace phlo::apps
