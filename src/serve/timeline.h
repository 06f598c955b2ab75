// The timeline: runs in the background, and cached frames of them in place of the live view, one run or two beside each other.
//
//   Timeline timeline(table, {&delivery, &other_delivery}, changed);
//   timeline.add_handlers(handlers);             // simulate, stop_run, show, timings
//   if (!timeline.shown()) …                     // the live simulation is seen
#pragma once
#include <array>
#include <atomic>
#include <functional>
#include <optional>

#include "field/frame.h"
#include "serve/delivery.h"
#include "serve/runs.h"
#include "serve/scrubber.h"
#include "serve/worktable.h"

namespace phlo::serve {

/// Two pictures can be seen at once.
inline constexpr int slots = 2;

class Timeline {
public:
    /// `changed` is called when something else is seen.
    Timeline(Worktable& table, std::array<Delivery*, slots> deliveries, std::function<void()> changed);

    void add_handlers(MessageHandlers& handlers);
    void stop();                                     ///< nothing is called any more

    struct Shown {
        std::string run, other = {};                 ///< other: the one that it is compared with; "": none
        int frame = 1;
        std::vector<scene::Change> changes = {};     ///< since the run was made: its frames are those of other settings
    };
    const std::optional<Shown>& shown() const { return shown_; }   ///< none: the live simulation
    void show_live();
    /// Reads the frame that is seen, on any thread; of the live simulation the one that it shows now.
    std::function<std::shared_ptr<const field::Frame>()> current() const;
    void scene_changed();                            ///< or its look: what is seen has to be made anew
    std::string shown_json() const;
    std::string runs_message() const;
    const Runs& runs() const { return runs_; }

private:
    void simulate(const json::Value& message);
    void show(const json::Value& message);
    void send_timings(int client, const json::Value& message) const;
    void tell_runs();                                ///< any thread
    void fail(const std::string& error);             ///< any thread
    void draw();
    std::vector<scene::Change> changes_of(const std::string& run) const;
    CachedFrame cached(const std::string& run, int slot) const;

    Worktable& table_;
    std::function<void()> changed_;
    std::optional<Shown> shown_;
    std::atomic<bool> telling_ = false;
    std::array<Scrubber, slots> scrubbers_;
    Runs runs_;
};

}  // namespace phlo::serve
