#include "serve/scrubber.h"

#include <algorithm>

#include <fmt/format.h>

#include "config/file_gate.h"
#include "io/cache.h"
#include "serve/frame_message.h"

namespace phlo::serve {

Scrubber::Message Scrubber::find(const CachedFrame& wanted, const render::RenderParams& look) {
    const std::string key = fmt::format("{}|{}|{}|{}", wanted.cache.string(), io::frame_identity(wanted.cache, wanted.frame), render::look_hash(look), wanted.header);
    if (const auto found = kept_.find(key); found != kept_.end()) return found->second;
    for (const char* extension : {".vdb", ".ply"}) config::check_readable(io::frame_path(wanted.cache, wanted.frame, extension));
    Message message = encode_frame(io::read_cache_frame(wanted.cache, wanted.frame, {.velocity = false, .occupied = true}), look, {.header = wanted.header, .meshes = &meshes_});
    kept_[key] = message, order_.push_back(key), bytes_ += message->size();
    while (bytes_ > most_bytes && order_.size() > 1) {
        bytes_ -= kept_[order_.front()]->size();
        kept_.erase(order_.front());
        order_.pop_front();
    }
    return message;
}

void Scrubber::show(const CachedFrame& wanted, const render::RenderParams& look) {
    const long number = ++newest_;
    worker_.post([this, wanted, look, number] {
        if (number != newest_) return;
        try {
            const Message message = find(wanted, look);
            if (number == newest_) publish_(message);
            const int way = wanted.frame < last_ ? -1 : 1;
            last_ = wanted.frame;
            const std::vector<int> there = io::cached_frames(wanted.cache);
            CachedFrame next = wanted;
            for (int n = 0; n < ahead && number == newest_; ++n) {
                next.frame += way;
                if (!std::ranges::binary_search(there, next.frame)) break;
                find(next, look);
            }
        } catch (const std::exception& error) {
            fail_(error.what());
        }
    });
}

}  // namespace phlo::serve
