// The exact state of a model on disk: a run that was killed goes on bit by bit as if it had not been.
//
//   save_checkpoint(dir / "checkpoint" / "state.bin", {.frame = 40, .scene_hash = hash}, model.state());
//   std::optional<CheckpointHeader> last = read_checkpoint_header(path);
//   load_checkpoint(path, model.state());
//   StateFit fit = load_checkpoint_by_name(path, changed_model.state());    // of a scene that has changed since
//
// Raw floats with names, sizes and a checksum, written whole or not at all. It is for the machine that made it; volumes for other
// programs are in cache/.
#pragma once
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

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

/// What of a state found no place in another one.
struct StateFit {
    std::vector<std::string> started_anew;   ///< that the older state does not know: they begin as the scene says
    std::vector<std::string> dropped;        ///< that the newer state does not know
    std::vector<std::string> other_shape;    ///< fields of another size: nothing is copied then
    bool possible() const { return other_shape.empty(); }
};

/// The same for a model of a changed scene: what has the same name is taken over. Does nothing unless it is possible.
StateFit load_checkpoint_by_name(const std::filesystem::path& path, const models::StateView& state);
/// From one model to another, without a file.
StateFit copy_by_name(const models::StateView& from, const models::StateView& to);

}  // namespace phlo::sim
