// Whole frames of a model, each simulated and written to the disk as a run would do it: what a frame takes, by the stage.
//
//   Frames frames = time_frames(model, {.fps = 24, .warm_up = 20, .count = 9});
//   frames.seconds;                                     // the median frame's
#pragma once
#include <cstddef>

#include "models/model.h"

namespace phlo::bench {

/// That this process has used of all cores together, since it began [s].
double processor_seconds();

struct FrameSpan {
    double fps = 24;
    int warm_up = 20;
    int count = 9;
};

struct Frames {
    double seconds = 0;             ///< of the median frame
    double processor = 0;           ///< of all cores together, the median [s]: what a busy machine can be asked
    models::FrameStats stats;       ///< of the median frame, with the stage "output"
    models::FrameStats last;        ///< of the last one
    std::size_t memory = 0;         ///< of this process after the last frame, less what it had before the model was made [bytes]

    std::string stages_json() const;   ///< seconds of the median frame
};

/// `before`: private_bytes() before the model was made.
Frames time_frames(models::Model& model, const FrameSpan& span, std::size_t before = 0);

}  // namespace phlo::bench
