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
};

/// The exit code: 0 done, 1 stopped by the user.
int simulate(LoadedScene& loaded, const SimulateJob& job);

}  // namespace phlo::apps
