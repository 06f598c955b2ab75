// phlo new PRESET [-o FILE]: writes a scene file to edit. It never overwrites one.
#include <fmt/format.h>

#include <filesystem>
#include <memory>

#include "base/error.h"
#include "command.h"
#include "config/problems.h"
#include "io/atomic_file.h"
#include "scene/presets.h"

namespace phlo::apps {
namespace {

struct Options {
    std::string preset;
    std::filesystem::path file;
};

int run(const Options& options) {
    const std::optional<std::string> text = scene::preset_text(options.preset);
    if (!text) {
        const std::vector<std::string> names = scene::preset_names();
        throw InputError(fmt::format("{}: no such preset{}; presets are {}", options.preset, config::did_you_mean(options.preset, names),
                                     config::one_of(names)));
    }
    const std::filesystem::path file = options.file.empty() ? std::filesystem::path(options.preset + ".yaml") : options.file;
    if (file == "-") {
        fmt::print("{}", *text);
        return 0;
    }
    if (std::filesystem::exists(file)) throw InputError(fmt::format("{}: exists already; choose another name with -o", file.string()));
    io::write_atomically(file, *text);
    fmt::print("{}: edit it, then 'phlo check {}' and 'phlo run {}'\n", file.string(), file.string(), file.string());
    return 0;
}

}  // namespace

void add_new(CommandLine& line) {
    const auto options = std::make_shared<Options>();
    line.add("new", "writes a preset as a scene file to edit")
        .option("preset", options->preset, "a name from 'phlo presets'", {.type = "PRESET", .required = true})
        .option("-o,--output", options->file, "the file to write (default: PRESET.yaml); '-' is standard output", {.type = "FILE"})
        .run([options] { return run(*options); });
}

}  // namespace phlo::apps
