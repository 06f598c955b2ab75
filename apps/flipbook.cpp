// phlo flipbook DIR: a sheet of moments for game engines, from a run's cache.
#include <fmt/format.h>

#include <memory>

#include "arguments.h"
#include "base/error.h"
#include "base/log.h"
#include "base/parallel.h"
#include "command.h"
#include "interrupt.h"
#include "progress.h"
#include "render/flipbook/flipbook.h"
#include "render_job.h"

namespace phlo::apps {
namespace {

struct Options : RenderOptions {
    std::filesystem::path dir, out;
    std::string grid = "8x8", size = "2048", frames, quality = "draft", azimuth, elevation;
    bool loop = false, straight = false;
};

/// Pixels of a cell along one side; throws if the sheet's side cannot be divided.
int cell_side(const Options& options, const char* side, int pixels, int cells) {
    const int cell = pixels / cells;
    if (cell < 8)
        throw InputError(fmt::format("--size {}: {} cells along its {} would be less than 8 pixels each; use --size {} or more", options.size, cells, side, 8 * cells));
    if (cell * cells != pixels)
        throw InputError(fmt::format("--size {}: its {} of {} pixels cannot be divided into {} cells; {} and {} fit", options.size, side, pixels, cells,
                                     cell * cells, (cell + 1) * cells));
    return cell;
}

render::SheetLayout layout_of(const Options& options) {
    const Pair grid = parse_pair("--grid", options.grid, {.first = 1, .last = 64, .example = "8x8"});
    const Pair size = parse_pair("--size", options.size, {.first = 8, .last = 16384, .example = "2048 or 2048x1024", .one_is_both = true});
    return {.columns = grid.x, .rows = grid.y, .cell_width = cell_side(options, "width", size.x, grid.x), .cell_height = cell_side(options, "height", size.y, grid.y)};
}

/// The look of a run's directory, after the directory has been looked for.
render::RenderParams look_in(const std::filesystem::path& dir) {
    if (!std::filesystem::is_directory(dir)) throw InputError(fmt::format("{}: no such directory", dir.string()));
    return look_of(dir);
}

render::FlipbookJob job_of(const Options& options) {
    render::FlipbookJob job{.dir = options.dir,
                            .out = options.out,
                            .layout = layout_of(options),
                            .loop = options.loop,
                            .straight = options.straight,
                            .quality = options.quality == "good" ? render::Quality::good : render::Quality::draft,
                            .look = look_in(options.dir)};
    if (!options.frames.empty()) {
        const FrameRange frames = parse_frames(options.frames);
        job.first = frames.first, job.last = frames.last;
    }
    if (!options.azimuth.empty() || !options.elevation.empty())
        job.angles = render::CardAngles{.azimuth = options.azimuth.empty() ? job.look.camera.azimuth : parse_number("--azimuth", options.azimuth, -360, 360),
                                        .elevation = options.elevation.empty() ? 0 : parse_number("--elevation", options.elevation, -90, 90)};
    return job;
}

int run(const Options& options) {
    if (options.quiet) log::set_level(log::Level::quiet);
    render::FlipbookJob job = job_of(options);
    const ThreadLimit limit(options.threads);
    const Interrupt interrupt;
    std::optional<ProgressBar> bar;
    job.progress = [&](const render::FlipbookProgress& progress) {
        if (!bar || progress.done == 1) bar.emplace(progress.framing ? "framing" : "rendering", progress.total, options.quiet);
        bar->update(progress.done, fmt::format("frame {}", progress.frame));
    };
    job.stop = [&] { return interrupt.requested(); };
    const render::FlipbookReport report = render::make_flipbook(job);
    bar.reset();
    if (report.files.empty()) {
        fmt::print(stderr, "stopped; nothing was written\n");
        return 1;
    }
    if (options.quiet) return 0;
    fmt::print("{}: {}x{} cells of {}x{} pixels, {:.3g} x {:.3g} m, {:.4g} frames per second\n", report.files.back().parent_path().string(), job.layout.columns,
               job.layout.rows, job.layout.cell_width, job.layout.cell_height, report.view.width, report.view.height, report.fps);
    for (const std::filesystem::path& file : report.files) fmt::print("{}\n", file.string());
    return 0;
}

}  // namespace

void add_flipbook(CommandLine& line) {
    const auto options = std::make_shared<Options>();
    line.add("flipbook", "makes a sheet for game engines from a run: color, alpha, motion vectors, six-way lighting")
        .option("dir", options->dir, "the run's directory", {.type = "DIR", .required = true})
        .option("--grid", options->grid, "columns and rows of the sheet", {.type = "CxR", .tell_default = true})
        .option("--size", options->size, "of the sheet in pixels, a number for a square or 2048x1024", {.type = "N|WxH", .tell_default = true})
        .option("--frames", options->frames, "moments are spread evenly over these frames, for example 1-64", {.type = "A-B"})
        .flag("--loop", options->loop, "fades the end into the start; takes a quarter more frames than cells")
        .flag("--straight", options->straight, "color PNGs with straight alpha; without it they are premultiplied, which fire needs")
        .option("--azimuth", options->azimuth, "from where it is seen, in degrees from +x towards +y (default: as the shot's camera)", {.type = "DEG"})
        .option("--elevation", options->elevation, "and how far above the horizon (default: 0)", {.type = "DEG"})
        .option("--quality", options->quality, "good: more rays, finer light", {.type = "draft|good", .words = {"draft", "good"}})
        .option("-o,--output", options->out, "where the sheet goes (default: DIR/flipbook)", {.type = "DIR"})
        .option("--threads", options->threads, "threads to use (default: all cores)", {.type = "N", .min = 0})
        .flag("--quiet", options->quiet, "says nothing but warnings and errors")
        .run([options] { return run(*options); });
}

}  // namespace phlo::apps
