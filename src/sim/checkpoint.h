// The exact state of a model on disk: a run that was killed goes on bit by bit as if it had not been.
//
//   save_checkpoint(dir / "checkpoint" / "state.bin", {.frame = 40, .scene_hash = hash}, model.state());
//   std::optional<CheckpointHeader> last = read_checkpoint_header(path);
//   load_checkpoint(path, model.state());
//
// Raw floats with names, sizes and a checksum, written whole or not at all. It is for the machine that made it; volumes for other
// programs are in cache/.
#pragma once
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "models/model.h"

namespace phlo::sim {

struct CheckpointHeader {
    int frame = 0;              ///< the last frame that is complete
    std::string scene_hash;
    std::string build;          ///< what the hot loops were compiled for: other code rounds differently
};

void save_checkpoint(const std::filesystem::path& path, const CheckpointHeader& header, const models::StateView& state);

/// Nothing if there is no checkpoint. A damaged one is a RunError.
std::optional<CheckpointHeader> read_checkpoint_header(const std::filesystem::path& path);

/// Fills `state`; a checkpoint that is damaged or of another shape is a RunError.
CheckpointHeader load_checkpoint(const std::filesystem::path& path, const models::StateView& state);

}  // namespace phlo::sim
