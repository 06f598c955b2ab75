// Runs a scene: frames into cache/, a line each into stats.jsonl, a checkpoint now and then (run_directory.h).
//
//   RunReport report = run(scene, {.out = "out/plume"}, [](const FrameStats& s) { return !interrupted; });
//
// With `resume` the work goes on behind the last checkpoint, and every file is as if there had been no interruption. A directory that
// holds frames of another scene is refused: the message says which keys changed and what must be done again.
// With `resume_frame` it goes on from that frame with the scene as it is now, whatever has changed in it, in the same directory or, as a branch,
// from another one; frames up to there are kept.
#pragma once
#include <filesystem>
#include <functional>
#include <optional>
#include <vector>

#include "models/model.h"
#include "scene/scene.h"

namespace phlo::sim {

struct RunOptions {
    std::filesystem::path out;
    int first = 0, last = 0;            ///< frames to write; 0: as the scene says. Earlier frames are simulated but not written
    int threads = 0;                    ///< 0: all cores
    bool resume = false;
    std::optional<int> resume_frame = {};
    std::filesystem::path from = {};    ///< of resume_frame: the run to go on from; empty: `out`
    bool overwrite = false;             ///< start anew in a directory that holds frames of another scene
    double checkpoint_seconds = 20;     ///< at least this long between two checkpoints; the last frame always has one
    std::vector<scene::Section> sections = {};   ///< sections of the scene that belong to others, for scene.yaml
};

struct RunReport {
    int first_frame = 0, last_frame = 0;   ///< simulated now
    bool stopped = false;                  ///< the caller asked to stop; a checkpoint is there
    double seconds = 0;
};

/// Called after each frame is safe on disk; false stops the run.
using Progress = std::function<bool(const models::FrameStats&)>;

RunReport run(const scene::Scene& scene, const RunOptions& options, const Progress& progress);

}  // namespace phlo::sim
