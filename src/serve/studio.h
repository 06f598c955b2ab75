// The whole studio behind one door: a session and its server.
//
//   Studio studio({.scene = "campfire", .folder = "."});
//   fmt::print("{}\n", studio.new_address());
#pragma once
#include <filesystem>
#include <memory>
#include <optional>
#include <string>

namespace phlo::serve {

struct StudioParams {
    std::string scene = "campfire";             ///< a preset's name, or a file
    std::filesystem::path folder = ".";         ///< the only one whose files it reads and writes
    int port = 0;                               ///< 0: a free one
};

class Studio {
public:
    /// Throws InputError if the scene is wrong, RunError if the port is taken.
    explicit Studio(const StudioParams& params);
    ~Studio();
    Studio(const Studio&) = delete;
    Studio& operator=(const Studio&) = delete;

    int port() const;
    std::string new_address();
    std::optional<std::filesystem::path> keep_unsaved();

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace phlo::serve
