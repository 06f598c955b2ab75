// A run's directory: what is where in it, and how it is made ready for a run.
//
//   DIR/scene.yaml                    the scene as it was run, complete
//   DIR/cache/frame_NNNN.vdb (.ply)   frames
//   DIR/stats.jsonl                   a line a frame
//   DIR/checkpoint/state.bin          the exact state after the last frame that is safe
//   DIR/checkpoint/frame_NNNN.bin     and after every so many frames, if the scene asks for it (time.checkpoints)
//   DIR/history.jsonl                 from which frame on the scene was changed, and which keys
#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "scene/scene.h"

namespace phlo::sim {

struct RunDirectory {
    std::filesystem::path path;

    std::filesystem::path scene() const { return path / "scene.yaml"; }
    std::filesystem::path cache() const { return path / "cache"; }
    std::filesystem::path stats() const { return path / "stats.jsonl"; }
    std::filesystem::path history() const { return path / "history.jsonl"; }
    std::filesystem::path last_state() const { return path / "checkpoint" / "state.bin"; }
    std::filesystem::path state_of(int frame) const;

    /// Frames that have a checkpoint, ascending.
    std::vector<int> checkpoints() const;
    /// Of a frame; an InputError that lists those that are there if it has none.
    std::filesystem::path find_state(int frame) const;
    /// Keys of the scene that its frames were made with, and `scene` has otherwise; only those that the simulation depends on.
    std::vector<scene::Change> changes(const scene::Scene& scene, const std::vector<scene::Section>& sections) const;

    void make() const;                 ///< itself and cache/
    void remove_all() const;           ///< frames, statistics and checkpoints
    void remove_after(int frame) const;   ///< those of later frames
    /// Frames, statistics and checkpoints up to `frame` of another directory, as links where the file system can.
    void take_over(const RunDirectory& from, int frame) const;
    void write_scene(const scene::Scene& scene, const std::vector<scene::Section>& sections) const;
    /// A line for `frame`: what changed there.
    void note_changes(int frame, const std::vector<scene::Change>& changes) const;
};

/// "\n  gas.cooling: 0.1 -> 0.2" for each.
std::string lines_of(const std::vector<scene::Change>& changes);

}  // namespace phlo::sim
