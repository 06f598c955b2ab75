#include "serve/studio.h"

#include "config/file_gate.h"
#include "serve/assets.h"
#include "serve/server.h"
#include "serve/session.h"

namespace phlo::serve {

struct Studio::Impl {
    explicit Impl(const StudioParams& params)
        : gate({params.folder}),
          server({.port = params.port}, {.get = [this](const std::string& path) { return path.starts_with("/made/") ? session.made(path) : find_asset(path); },
                                         .opened = [this](int client) { session.opened(client); },
                                         .received = [this](int client, std::string text) { session.received(client, std::move(text)); },
                                         .closed = [this](int client) { session.closed(client); }}),
          session({.folder = params.folder}, {.text = [this](int client, std::string text) { server.send_text(client, std::move(text)); },
                                              .binary = [this](int client, std::shared_ptr<const std::string> bytes) { server.send_binary(client, std::move(bytes)); }}) {
        session.open_scene(params.scene);
        server.start();
    }
    // Each calls the other: first nobody calls the session any more, then it ends, then the server that it still may call.
    ~Impl() { server.stop(); }

    config::FileGate gate;
    Server server;
    Session session;
};

Studio::Studio(const StudioParams& params) : impl_(std::make_unique<Impl>(params)) {}
Studio::~Studio() = default;
int Studio::port() const { return impl_->server.port(); }
std::string Studio::new_address() { return impl_->server.new_address(); }
std::optional<std::filesystem::path> Studio::keep_unsaved() { return impl_->session.keep_unsaved(); }

}  // namespace phlo::serve
