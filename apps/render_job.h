// Renders the frames of a run and makes the movie, for the commands that do.
#pragma once
#include <filesystem>
#include <optional>
#include <string>

#include "arguments.h"

namespace phlo::apps {

struct RenderJob {
    std::filesystem::path directory;  ///< of the run
    std::filesystem::path out = {};  ///< images/ and movie.mp4 go here; empty: into the run's directory
    FrameRange frames = {};  ///< open ends: as cached
    std::string quality = "draft";
    std::optional<ImageSize> size = {};  ///< none: as the scene says
    int threads = 0;
    bool quiet = false;
};

/// The exit code: 0 done, 1 stopped by the user. Pictures that exist already and show the same are kept.
int render_run(const RenderJob& job);

}  // namespace phlo::apps
