// phlo render DIR: pictures and a movie from a run's cache.
#include <memory>

#include "base/error.h"
#include "base/log.h"
#include "command.h"
#include "render_job.h"

namespace phlo::apps {

void add_render(CLI::App& app, Chosen& chosen) {
    CLI::App* command = app.add_subcommand("render", "makes pictures and a movie from a run");
    const auto job = std::make_shared<RenderJob>();
    const auto size = std::make_shared<std::string>(), frames = std::make_shared<std::string>();
    command->add_option("dir", job->directory, "the run's directory")->required()->type_name("DIR");
    command->add_option("--frames", *frames, "only these frames, for example 1-48")->type_name("A-B");
    command->add_option("--quality", job->quality, "draft: seconds a frame; good and final: more light samples")
        ->type_name("draft|good|final")
        ->check(CLI::IsMember({"draft", "good", "final"}));
    command->add_option("--size", *size, "of the pictures, for example 1280x720")->type_name("WxH");
    command->add_option("-o,--output", job->out, "where images/ and movie.mp4 go (default: DIR)")->type_name("DIR");
    command->add_option("--threads", job->threads, "threads to use (default: all cores)")->type_name("N")->check(CLI::NonNegativeNumber);
    command->add_flag("--quiet", job->quiet, "says nothing but warnings and errors");
    command->callback([job, size, frames, &chosen] {
        chosen = [job, size, frames] {
            if (!size->empty()) job->size = parse_size(*size);
            if (!frames->empty()) job->frames = parse_frames(*frames);
            if (job->quiet) log::set_level(log::Level::quiet);
            return render_run(*job);
        };
    });
}

}  // namespace phlo::apps
