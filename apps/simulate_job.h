// A simulation with its progress on the terminal, for the commands that run one.
#pragma once
#include <string>

#include "arguments.h"
#include "scene_source.h"

namespace phlo::apps {

struct SimulateJob {
    std::string out;
    FrameRange frames = {};  ///< open ends: as the scene says
    int threads = 0;  ///< 0: all cores
    bool resume = false, overwrite = false, quiet = false;
    std::optional<int> resume_frame = {};  ///< go on from this one, with the scene as it is now
    std::string from = {};  ///< and from this run; "": the one in `out`
};

/// The exit code: 0 done, 1 stopped by the user.
int simulate(LoadedScene& loaded, const SimulateJob& job);

}  // namespace phlo::apps
