// Runs in the background: a scene is simulated into out/NAME as `phlo run` does, in full, while the page goes on; and what runs there are.
//
//   Runs runs("/shots/out", tell);
//   runs.start({.name = "campfire"}, scene);
//   runs.stop();                                     // after a frame, with its checkpoint
//   std::string json = runs.to_json();
#pragma once
#include <atomic>
#include <filesystem>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "models/model.h"
#include "serve/live_scene.h"

namespace phlo::serve {

struct RunOrder {
    std::string name;
    std::optional<int> from_frame = {};    ///< go on from this one with the scene as it is now
    std::string from_run = {};             ///< of another run: a branch; "": of this one
    int last = 0;                          ///< frame; 0: as the scene says
    bool overwrite = false;                ///< begin anew in a directory that holds another scene's frames
};

class Runs {
public:
    /// `changed` is called on the run's thread whenever there is something new to tell.
    Runs(std::filesystem::path folder, std::function<void()> changed);
    ~Runs();
    Runs(const Runs&) = delete;
    Runs& operator=(const Runs&) = delete;

    /// Throws InputError if one is running, a name is no plain one, or the directory holds another scene's frames.
    void start(const RunOrder& order, const LookedScene& scene);
    void stop() { stop_ = true; }
    void end();                            ///< stops, and waits until it has: nothing is called any more
    bool running() const;
    /// {"runs": [{name, frames: [[first, last], …], checkpoints}], "active": {…} or null}
    std::string to_json() const;
    /// Seconds of each stage, of the frames behind `after`: [{frame, seconds: {…}}].
    std::string timings_json(const std::string& name, int after) const;
    /// By what else than its look a scene differs from the one that a run was made with: its frames are out of date.
    std::vector<scene::Change> changes(const std::string& name, const LookedScene& scene) const;
    /// Throws InputError if there is no such run, or it lies elsewhere behind a link.
    std::filesystem::path find(const std::string& name) const;

private:
    struct Progress {
        std::string name = {}, error = {};
        int first = 0, last = 0, done = 0;
        double seconds = 0;                ///< a frame, a mean over the last few
        int replayed = 0;                  ///< the frame that is simulated again to go on from it; 0: none
        bool running = false;
    };
    void run(const RunOrder& order, LookedScene scene);
    void note(const std::function<void(Progress&)>& change);
    std::filesystem::path place(const std::string& name) const;

    std::filesystem::path folder_;
    std::function<void()> changed_;
    mutable std::mutex guard_;
    Progress progress_;
    std::atomic<bool> stop_ = false;
    std::thread thread_;
};

}  // namespace phlo::serve
