// The command line of Phlogiston: chooses a command, runs it, and turns failures into messages and exit codes.
#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <new>
#include <vector>

#include "base/error.h"
#include "base/heap.h"
#include "command.h"
#include "config/problems.h"

namespace phlo::apps {
namespace {

constexpr int done = 0, failed = 1, wrong_input = 2;

void add_commands(CLI::App& app, CommandLine& line) {
    for (const auto add : {add_presets, add_new, add_check, add_run, add_play, add_render, add_flipbook, add_info, add_compare, add_react, add_demo,
                           add_bench, add_studio, add_package, add_help, add_schema, add_version})
        add(line);
    app.require_subcommand(0, 1);
    app.set_help_flag("-h,--help", "print this help");
    app.footer(
        "SCENE is the name of a preset or a scene file. 'phlo COMMAND --help' tells a command's options, 'phlo help scene'\n"
        "every key of a scene file. Through the launcher: './phlo test' builds and runs all tests, './phlo bench' the benches,\n"
        "'./phlo package' makes a Debian package.");
}

/// "unknown command 'rnu'; did you mean 'run'?"
void check_command_name(CLI::App& app, int argc, char** argv) {
    if (argc < 2 || argv[1][0] == '-') return;
    std::vector<std::string> names;
    for (const CLI::App* command : app.get_subcommands(nullptr)) {
        if (command->check_name(argv[1])) return;
        names.push_back(command->get_name());
    }
    const std::string guess = config::did_you_mean(argv[1], names);
    throw InputError(fmt::format("unknown command '{}'{}", argv[1], guess.empty() ? "; 'phlo --help' lists them" : guess));
}

int run_program(int argc, char** argv) {
    CLI::App app("Phlogiston animates smoke, fire and fluids that react.", "phlo");
    CommandLine line(app);
    add_commands(app, line);
    check_command_name(app, argc, argv);
    try {
        std::vector<std::string> words = line.completed({argv + 1, argv + argc});
        std::reverse(words.begin(), words.end());   // as CLI11 wants them
        app.parse(words);
    } catch (const CLI::Success& asked_for_help) {
        app.exit(asked_for_help);
        return done;
    } catch (const CLI::ParseError& error) {
        throw InputError(fmt::format("{}; 'phlo {}--help' tells what is possible", error.what(),
                                     app.get_subcommands().empty() ? "" : app.get_subcommands().front()->get_name() + " "));
    }
    if (!line.chosen()) {
        fmt::print("{}", app.help());
        return done;
    }
    return line.chosen()();
}

int report(int code, const char* kind, const char* message) {
    std::fflush(stdout);
    fmt::print(stderr, "{}{}\n", kind, message);
    return code;
}

}  // namespace
}  // namespace phlo::apps

int main(int argc, char** argv) {
    using namespace phlo::apps;
    phlo::give_large_blocks_back();
    try {
        return run_program(argc, argv);
    } catch (const phlo::InputError& error) {
        return report(wrong_input, "", error.what());
    } catch (const phlo::RunError& error) {
        return report(failed, "error: ", error.what());
    } catch (const std::bad_alloc&) {
        return report(failed, "error: ", "out of memory; lower the resolution");
    } catch (const std::exception& error) {
        return report(failed, "internal error: ", error.what());
    }
}
