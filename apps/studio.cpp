// phlo studio [SCENE]: the page in the browser.
#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>

#include "base/error.h"
#include "base/parallel.h"
#include "command.h"
#include "interrupt.h"
#include "serve/studio.h"

extern char** environ;

namespace phlo::apps {
namespace {

namespace fs = std::filesystem;

struct Options {
    std::string scene = "campfire";
    int port = 0, threads = 0;
    bool headless = false;
};

/// A file that only this user can read, and that leads a browser to the address: as an argument others could read it.
class Doorway {
public:
    explicit Doorway(const std::string& address) {
        std::string name = (fs::temp_directory_path() / "phlo-studio-XXXXXX.html").string();
        const int file = mkstemps(name.data(), 5);   // made with mode 0600
        if (file < 0) return;
        path_ = name;
        const std::string page = fmt::format("<!doctype html><meta http-equiv=\"refresh\" content=\"0;url={}\"><title>Phlogiston</title>\n", address);
        if (write(file, page.data(), page.size()) != ssize_t(page.size())) path_.clear();
        close(file);
    }
    ~Doorway() {
        std::error_code ignored;
        if (!path_.empty()) fs::remove(path_, ignored);
    }
    Doorway(const Doorway&) = delete;
    Doorway& operator=(const Doorway&) = delete;

    /// Whether something could be started that shows it.
    bool open() const {
        if (path_.empty() || (!std::getenv("DISPLAY") && !std::getenv("WAYLAND_DISPLAY"))) return false;
        std::string program = "xdg-open", address = "file://" + path_;
        char* const arguments[] = {program.data(), address.data(), nullptr};
        posix_spawn_file_actions_t quiet;
        posix_spawn_file_actions_init(&quiet);
        posix_spawn_file_actions_addopen(&quiet, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
        posix_spawn_file_actions_addopen(&quiet, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
        pid_t child = 0;
        const int failed = posix_spawnp(&child, program.c_str(), &quiet, nullptr, arguments, environ);
        posix_spawn_file_actions_destroy(&quiet);
        return failed == 0;
    }

private:
    std::string path_;
};

/// A scene's file lies in the folder that is worked in; a preset's will.
serve::StudioParams params_of(const Options& options) {
    serve::StudioParams params{.scene = options.scene, .folder = fs::current_path(), .port = options.port};
    const fs::path file = options.scene;
    std::error_code error;
    if (fs::is_regular_file(file, error)) params.scene = fs::canonical(file).string(), params.folder = fs::canonical(file).parent_path();
    return params;
}

/// Until Ctrl-C. Enter on a terminal gives another address, for another browser.
void wait_for_end(const Interrupt& interrupt, serve::Studio& studio) {
    const bool terminal = isatty(STDIN_FILENO) != 0;
    while (!interrupt.requested()) {
        pollfd input{STDIN_FILENO, POLLIN, 0};
        if (poll(terminal ? &input : nullptr, terminal ? 1 : 0, 200) <= 0) continue;
        char line[256];
        if (read(STDIN_FILENO, line, sizeof line) <= 0) break;
        fmt::print("{}\n", studio.new_address());
        std::fflush(stdout);
    }
}

int run(const Options& options) {
    const ThreadLimit limit(options.threads);
    const Interrupt interrupt;
    serve::Studio studio(params_of(options));
    const std::string address = studio.new_address();
    const Doorway doorway(address);
    const bool shown = !options.headless && doorway.open();
    fmt::print("{}\n", address);
    std::fflush(stdout);
    if (!options.headless)
        fmt::print(stderr, "{} The address works once; press Enter for another one, Ctrl-C to end.\n", shown ? "The studio opens in your browser." : "Open this address in a browser.");
    wait_for_end(interrupt, studio);
    if (const auto kept = studio.keep_unsaved()) fmt::print(stderr, "changes that were not saved are in {}\n", kept->string());
    return 0;
}

}  // namespace

void add_studio(CommandLine& line) {
    const auto options = std::make_shared<Options>();
    line.add("studio", "shapes a scene in the browser while it is simulated")
        .option("scene", options->scene, "a preset's name or a scene file", {.type = "SCENE", .tell_default = true})
        .option("--port", options->port, "of the server on 127.0.0.1 (default: a free one)", {.type = "N", .min = 0})
        .option("--threads", options->threads, "threads to use (default: all cores)", {.type = "N", .min = 0})
        .flag("--headless", options->headless, "opens no browser: for scripts, which talk to it as docs/studio-protocol.md says")
        .footer("It reads and writes in one folder only: the scene's own, or the one it is started in. From another machine: ssh -L 8080:127.0.0.1:8080 HOST phlo studio --port 8080 --headless")
        .run([options] { return run(*options); });
}

}  // namespace phlo::apps
