#include "render_job.h"

#include <fmt/format.h>

#include "base/parallel.h"
#include "interrupt.h"
#include "progress.h"
#include "scene_source.h"

namespace phlo::apps {

render::RenderParams look_of(const std::filesystem::path& directory) {
    render::RenderParams look;
    const std::filesystem::path file = directory / "scene.yaml";
    if (exists(file)) scene::load_scene(file.string(), {.sections = look_section(look), .memory_limit = std::size_t(-1)});
    return look;
}

int render_run(render::RenderJob job, const RenderOptions& options) {
    const ThreadLimit limit(options.threads);
    const Interrupt interrupt;
    std::optional<ProgressBar> bar;
    job.progress = [&](const render::RenderProgress& progress) {
        if (!bar) bar.emplace("rendering", progress.total, options.quiet);
        bar->update(progress.done,
                    fmt::format("frame {}, {}", progress.frame, progress.kept ? "kept" : fmt::format("{:.2f} s", progress.seconds)),
                    progress.remaining);
    };
    job.stop = [&] { return interrupt.requested(); };
    const render::RenderReport report = render::render_frames(job);
    bar.reset();
    if (report.stopped) {
        fmt::print(stderr, "stopped after {} pictures; the same command goes on from there\n", report.pictures.size());
        return 1;
    }
    if (!options.quiet) {
        fmt::print("{}: {} pictures, {} rendered now in {}\n", report.pictures.front().parent_path().string(), report.pictures.size(),
                   report.rendered, clock_text(report.seconds));
        if (!report.movie.empty()) fmt::print("{}\n", report.movie.string());
    }
    return 0;
}

}  // namespace phlo::apps
