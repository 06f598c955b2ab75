#include "serve/delivery.h"

#include <algorithm>

namespace phlo::serve {

void Delivery::send_newest(int client, State& state) {
    if (!state.ready || !newest_ || state.seen == count_) return;
    state.ready = false, state.seen = count_;
    std::set<std::uint64_t> meshes;
    for (const FrameParcel::Mesh& mesh : newest_->meshes)
        if (meshes.insert(mesh.id).second && !state.meshes.contains(mesh.id)) send_(client, mesh.bytes);
    state.meshes = std::move(meshes);
    send_(client, newest_->frame);
}

void Delivery::open(int client) {
    const std::lock_guard hold(guard_);
    send_newest(client, clients_[client]);
}

void Delivery::close(int client) {
    const std::lock_guard hold(guard_);
    clients_.erase(client);
}

void Delivery::acknowledge(int client) {
    const std::lock_guard hold(guard_);
    const auto found = clients_.find(client);
    if (found == clients_.end()) return;
    found->second.ready = true, found->second.hurried = false;
    send_newest(client, found->second);
}

bool Delivery::wanted() const {
    const std::lock_guard hold(guard_);
    return std::ranges::any_of(clients_, [](const auto& entry) { return entry.second.ready; });
}

bool Delivery::watched() const {
    const std::lock_guard hold(guard_);
    return !clients_.empty();
}

void Delivery::publish(Parcel frame, Urgency urgency) {
    const std::lock_guard hold(guard_);
    newest_ = std::move(frame), ++count_;
    for (auto& [client, state] : clients_) {
        if (urgency == Urgency::changed && !state.ready && !state.hurried) state.ready = state.hurried = true;
        send_newest(client, state);
    }
}

}  // namespace phlo::serve
