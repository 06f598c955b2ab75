// Frames to clients: one is on its way to each, the next one leaves when the client has said that it has drawn the last. Whoever is slow sees fewer
// frames, always the newest; nobody waits for it and nothing queues. Only what a hand has just changed does not wait: one such frame may be on its way beside
// the other. Meshes go before the frame that has them, unless the client's last frame had them too.
//
//   Delivery delivery(send);
//   if (delivery.wanted()) delivery.publish(encode(frame));
//   delivery.publish(encode(frame), Delivery::Urgency::changed);
//   delivery.acknowledge(client);          // sends what is newer than the client's last, if there is something
#pragma once
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>

#include "serve/frame_parcel.h"

namespace phlo::serve {

class Delivery {
public:
    using Bytes = FrameParcel::Bytes;
    using Parcel = std::shared_ptr<const FrameParcel>;
    enum class Urgency { usual, changed };
    explicit Delivery(std::function<void(int client, Bytes)> send) : send_(std::move(send)) {}

    void open(int client);              ///< gets the newest frame at once
    void close(int client);
    void acknowledge(int client);
    /// Somebody would see a new frame now.
    bool wanted() const;
    bool watched() const;               ///< somebody is there at all
    void publish(Parcel frame, Urgency urgency = Urgency::usual);

private:
    struct State {
        bool ready = true;              ///< nothing is on its way
        bool hurried = false;           ///< something is, without having waited
        long seen = 0;
        std::set<std::uint64_t> meshes;  ///< of the last frame that was sent
    };
    void send_newest(int client, State& state);

    std::function<void(int, Bytes)> send_;
    mutable std::mutex guard_;
    std::map<int, State> clients_;
    Parcel newest_;
    long count_ = 0;
};

}  // namespace phlo::serve
