// One scene being shaped: its text, the simulation that runs as it is changed, and who watches.
//
//   Session session({.folder = "/shots"}, {.text = …, .binary = …});
//   session.open_scene("plume");
//   session.opened(client);  session.received(client, "{\"type\":\"play\",\"on\":true}");  session.closed(client);
//
// A thread of its own owns everything: messages become tasks for it, done between two frames of the simulation. Another thread turns snapshots into
// messages. docs/studio-protocol.md lists the messages.
#pragma once
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "serve/server.h"

namespace phlo::serve {

struct SessionParams {
    std::filesystem::path folder = ".";     ///< scenes are kept here, runs in out/ below it; nothing outside is read or written
    double frame_seconds = 0.07;            ///< that a frame should take at a resolution that is chosen for it [s]
    double slow_seconds = 0.1;              ///< a frame that takes longer lowers it [s]
};

/// How messages reach clients; may be called on any thread.
struct Outbox {
    std::function<void(int client, std::string text)> text;
    std::function<void(int client, std::shared_ptr<const std::string>)> binary;
};

class Session {
public:
    Session(const SessionParams& params, Outbox outbox);
    ~Session();
    Session(const Session&) = delete;
    Session& operator=(const Session&) = delete;

    /// A preset's name or a file below the folder, before anybody is there. Throws InputError.
    void open_scene(const std::string& preset_or_file);

    void opened(int client);
    void received(int client, std::string text);
    void closed(int client);
    /// What was made for the page: "/made/7".
    Asset made(const std::string& path) const;

    /// Waits until everything that was sent so far has been done.
    void settle();
    /// Writes changes that nobody saved beside the scene's file; where, if there were any.
    std::optional<std::filesystem::path> keep_unsaved();

private:
    class Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace phlo::serve
