// What a session's parts work on together: the scene as it is written, the simulation that shows it, and how to speak to those who watch.
//
//   Worktable table{.folder = "/shots", .voice = voice};
//   table.voice.all(json);                          // to every client
//
// The session's thread owns it: only `voice.one` and `voice.post` may be called elsewhere.
#pragma once
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <string>

#include "base/json_read.h"
#include "serve/document.h"
#include "serve/live_run.h"

namespace phlo::serve {

struct Voice {
    std::function<void(int client, std::string text)> one;             ///< any thread
    std::function<void(const std::string& text)> all;
    std::function<void(std::function<void()> task)> post;              ///< any thread: does it on the session's
};

struct Worktable {
    std::filesystem::path folder;
    Voice voice;
    Document document = {};
    std::string right_text = {};              ///< the last text that was right
    LookedScene whole = {};                   ///< what it says
    std::unique_ptr<LiveRun> live = nullptr;
    bool playing = false;                     ///< the live simulation goes on
};

/// What is done about each type of message. Throws InputError, which is the answer then.
using MessageHandlers = std::map<std::string, std::function<void(int client, const json::Value& message)>, std::less<>>;

/// A name for a file or a run in the studio's folder: a word, never a way out of it.
bool is_plain_name(const std::string& name);

/// {path, before, after, affects}
std::string change_json(const scene::Change& change);

inline const char* truth(bool value) { return value ? "true" : "false"; }

}  // namespace phlo::serve
