#include "render_job.h"

#include <fmt/format.h>

#include "base/error.h"
#include "base/parallel.h"
#include "interrupt.h"
#include "progress.h"
#include "render/job.h"
#include "scene_source.h"

namespace phlo::apps {
namespace {

namespace fs = std::filesystem;

/// The look that the run's scene asks for; the default one for a directory of volumes without a scene.
render::RenderParams look_of(const fs::path& directory) {
    render::RenderParams look;
    const fs::path file = directory / "scene.yaml";
    if (fs::exists(file)) scene::load_scene(file.string(), {.sections = look_section(look), .memory_limit = std::size_t(-1)});
    return look;
}

render::Quality quality_of(const std::string& word) {
    return word == "final" ? render::Quality::final : word == "good" ? render::Quality::good : render::Quality::draft;
}

}  // namespace

int render_run(const RenderJob& job) {
    if (!fs::is_directory(job.directory)) throw InputError(fmt::format("{}: no such directory", job.directory.string()));
    const ThreadLimit limit(job.threads);
    const Interrupt interrupt;
    std::optional<ProgressBar> bar;
    const auto after_frame = [&](const render::RenderProgress& progress) {
        if (!bar) bar.emplace("rendering", progress.total, job.quiet);
        bar->update(progress.done,
                    fmt::format("frame {}, {}", progress.frame, progress.kept ? "kept" : fmt::format("{:.2f} s", progress.seconds)),
                    progress.remaining);
    };
    render::RenderJob work{.dir = job.directory,
                           .out = job.out,
                           .first = job.frames.first,
                           .last = job.frames.last,
                           .quality = quality_of(job.quality),
                           .look = look_of(job.directory),
                           .progress = after_frame,
                           .stop = [&] { return interrupt.requested(); }};
    if (job.size) work.width = job.size->width, work.height = job.size->height;
    const render::RenderReport report = render::render_frames(work);
    bar.reset();
    if (report.stopped) {
        fmt::print(stderr, "stopped after {} pictures; the same command goes on from there\n", report.pictures.size());
        return 1;
    }
    if (!job.quiet) {
        fmt::print("{}: {} pictures, {} rendered now in {}\n", report.pictures.front().parent_path().string(), report.pictures.size(),
                   report.rendered, clock_text(report.seconds));
        if (!report.movie.empty()) fmt::print("{}\n", report.movie.string());
    }
    return 0;
}

}  // namespace phlo::apps
