// phlo info DIR|FILE: what a cache or one .vdb file holds.
#include <fmt/format.h>

#include <filesystem>
#include <memory>

#include "base/error.h"
#include "command.h"
#include "io/cache.h"

namespace phlo::apps {
namespace {

struct Options {
    std::filesystem::path path;
    bool json = false;
};

template <class Info>
void print(const Info& info, bool json) {
    std::string text = json ? io::to_json(info) : io::describe(info);
    if (!text.ends_with('\n')) text += '\n';
    fmt::print("{}", text);
}

int run(const Options& options) {
    if (!std::filesystem::exists(options.path)) throw InputError(fmt::format("{}: no such file or directory", options.path.string()));
    if (!std::filesystem::is_directory(options.path)) {
        print(io::file_info(options.path), options.json);
        return 0;
    }
    const io::CacheInfo info = io::cache_info(options.path);
    print(info, options.json);
    return info.broken.empty() ? 0 : 1;
}

}  // namespace

void add_info(CommandLine& line) {
    const auto options = std::make_shared<Options>();
    line.add("info", "what a cache or a .vdb holds: grids, ranges, units, memory")
        .option("path", options->path, "a run's directory, its cache, or one .vdb file", {.type = "DIR|FILE", .required = true})
        .flag("--json", options->json, "one JSON object")
        .run([options] { return run(*options); });
}

}  // namespace phlo::apps
