// Renders a run on the terminal, for the commands that do.
//
//   render_run({.dir = "out", .quality = render::Quality::good}, {.threads = 4});
#pragma once
#include "render/job.h"

namespace phlo::apps {

struct RenderOptions {
    int threads = 0;  ///< 0: all cores
    bool quiet = false;
};

/// The look that a run's scene asks for; the default one for a directory of volumes without a scene.
render::RenderParams look_of(const std::filesystem::path& directory);

/// render::render_frames with a progress bar, and Ctrl-C between frames.
/// The exit code: 0 done, 1 stopped by the user.
int render_run(render::RenderJob job, const RenderOptions& options);

}  // namespace phlo::apps
