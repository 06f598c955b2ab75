// Cached frames as messages, for a hand that scrubs: the one that was asked for last comes first, those that are likely next are read ahead, and what was
// shown before is kept.
//
//   Scrubber scrubber(publish, fail);
//   scrubber.show({.cache = "/shots/out/plume/cache", .frame = 40, .header = "\"source\":\"plume\""}, look);
#pragma once
#include <atomic>
#include <deque>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <string>

#include "render/look/params.h"
#include "serve/frame_parcel.h"
#include "serve/mesh_message.h"
#include "serve/worker.h"

namespace phlo::serve {

struct CachedFrame {
    std::filesystem::path cache;
    int frame = 1;
    std::string header = {};         ///< more members for its header
};

class Scrubber {
public:
    using Message = std::shared_ptr<const FrameParcel>;
    /// Both are called on the scrubber's thread.
    Scrubber(std::function<void(Message)> publish, std::function<void(std::string)> fail) : publish_(std::move(publish)), fail_(std::move(fail)) {}

    void show(const CachedFrame& wanted, const render::RenderParams& look);
    void forget() { ++newest_; }           ///< what is on its way is not wanted any more
    void stop() { worker_.stop(); }

private:
    static constexpr std::size_t most_bytes = 384u << 20;
    static constexpr int ahead = 8;        ///< frames

    Message find(const CachedFrame& wanted, const render::RenderParams& look);

    std::function<void(Message)> publish_;
    std::function<void(std::string)> fail_;
    std::atomic<long> newest_ = 0;
    int last_ = 0;                         ///< the frame that was shown last: tells where the hand goes
    std::map<std::string, Message> kept_;
    std::deque<std::string> order_;        ///< of kept_, oldest first
    std::size_t bytes_ = 0;
    MeshMemory meshes_;
    Worker worker_;
};

}  // namespace phlo::serve
