// Orders for pictures become jobs: one picture in passes, a run as a movie or a flipbook, and a wedge: one key over several values.
//
//   Darkroom darkroom(table, timeline, shelf);
//   darkroom.add_handlers(handlers);             // picture, movie, flipbook, wedge, cancel
#pragma once
#include <atomic>

#include "render/preview.h"
#include "serve/jobs.h"
#include "serve/timeline.h"
#include "serve/worktable.h"

namespace phlo::serve {

class Darkroom {
public:
    Darkroom(Worktable& table, const Timeline& timeline, Shelf& shelf);

    void add_handlers(MessageHandlers& handlers);
    void stop() { jobs_.end(); }
    std::string jobs_message() const;

private:
    void picture(const json::Value& message);
    void movie(const json::Value& message);
    void flipbook(const json::Value& message);
    void wedge(const json::Value& message);
    void tell_jobs();                        ///< any thread

    Worktable& table_;
    const Timeline& timeline_;
    std::atomic<bool> telling_ = false;
    Jobs jobs_;
};

/// "draft", "good", "final" or "path"; throws InputError for another word.
render::Quality quality_named(const std::string& name);

}  // namespace phlo::serve
