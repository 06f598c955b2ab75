// The chemistry of the scene, or of a shipped mechanism, for the page: what it is, its curves, and a reactor that answers while a slider is dragged.
//
//   Laboratory laboratory(table);
//   laboratory.add_handlers(handlers);           // chemistry, react
#pragma once
#include <atomic>

#include "serve/worker.h"
#include "serve/worktable.h"

namespace phlo::serve {

class Laboratory {
public:
    explicit Laboratory(Worktable& table) : table_(table) {}

    void add_handlers(MessageHandlers& handlers);
    void stop();

private:
    void describe(int client, const json::Value& message);
    void react(int client, const json::Value& message);

    Worktable& table_;
    std::atomic<long> newest_ = 0;         ///< reaction that was asked for: earlier ones need not be finished
    Worker worker_;
};

}  // namespace phlo::serve
