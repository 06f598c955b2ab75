// The state of any frame of a run, also where no checkpoint was kept: the nearest earlier one is gone on from, bit by bit as the run did.
//
//   std::filesystem::path state = replay({"out/plume"}, 37);          // checkpoint/frame_0037.bin, made now unless it was there
#pragma once
#include <filesystem>
#include <functional>

#include "sim/run_directory.h"

namespace phlo::sim {

/// Called before each frame that is simulated again; false stops with a RunError.
using ReplayProgress = std::function<bool(int frame)>;

/// Throws InputError if the frame lies before the run's last change of its scene and has no checkpoint: nobody knows the scene that made it any more.
std::filesystem::path replay(const RunDirectory& run, int frame, const ReplayProgress& progress = {});

}  // namespace phlo::sim
