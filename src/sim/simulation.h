// One scene being simulated, frame by frame. run() is its batch client; a live view is another.
//
//   Simulation simulation(scene);                          // shows the scene as it begins: frame() is its first one
//   models::FrameStats stats = simulation.advance();       // to the next frame
//   simulation.advance(0.021);                             // by any time: a live view goes on by what has really passed
//   simulation.go_on([&] { return somebody_waits; });      // towards the next frame, until a sub-step after which that is true
//   field::Frame frame = simulation.snapshot();            // owns what it holds: another thread may read it while this one advances
//   simulation.save("state.bin");                          // exact
//   simulation.restore("state.bin");
//   simulation.edit(changed_scene);                        // goes on from here with other settings
#pragma once
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "models/model.h"
#include "scene/scene.h"
#include "sim/checkpoint.h"

namespace phlo::sim {

/// The model that a scene asks for, at its first frame.
std::unique_ptr<models::Model> make_model(const scene::Scene& scene);

class Simulation {
public:
    explicit Simulation(scene::Scene scene);

    const scene::Scene& scene() const { return scene_; }
    const std::string& hash() const { return hash_; }                ///< of everything in the scene that affects the simulation
    int frame() const { return stats_.frame; }                       ///< the one that it shows
    double time() const { return time_; }                            ///< [s]; keyframes follow it
    const models::FrameStats& stats() const { return stats_; }       ///< of the last advance()
    std::map<std::string, std::string, std::less<>> warnings() const { return model_->warnings.said(); }   ///< of this run, by kind

    const models::FrameStats& advance();                             ///< by 1 / fps
    const models::FrameStats& advance(double seconds);               ///< one frame further in number, by this in time
    /// Towards the next frame, or on with the one that was begun; ends between two sub-steps when `enough` says so, and stats().left is then not 0 yet. Sub-steps are those of advance(),
    /// but for the rounding of times.
    const models::FrameStats& go_on(std::function<bool()> enough);
    bool begun() const { return stats_.left > 0; }                   ///< it has left frame(), and not reached the next
    field::Frame snapshot() const;
    field::Frame still_snapshot() const;                             ///< the same for who only looks: without the velocity where leaving it out saves time

    void save(const std::filesystem::path& path) const;
    /// Of this scene, or of a changed one: what both know by name goes on, the rest begins anew, and a warning says what. A resolution
    /// or a domain that has changed is an InputError, a damaged file a RunError; nothing has changed then.
    void restore(const std::filesystem::path& path);

    /// Goes on with another scene from the moment that this one has reached; as restore(), but without a file. Returns what has changed.
    std::vector<scene::Change> edit(scene::Scene changed);

private:
    field::Frame named(field::Frame frame) const;
    models::FrameStats move(double seconds, std::function<bool()> enough);

    scene::Scene scene_;
    std::string hash_;
    std::unique_ptr<models::Model> model_;
    models::FrameStats stats_;
    double time_ = 0;
};

}  // namespace phlo::sim
