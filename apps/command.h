// The program's commands. Each adds itself to the parser; when it is the chosen one, it leaves what to do in `chosen`.
//
//   void add_presets(CLI::App& app, Chosen& chosen) {
//       CLI::App* command = app.add_subcommand("presets", "the gallery, one line each");
//       command->callback([&chosen] { chosen = print_presets; });
//   }
//
// What to do returns the exit code (0 done, 1 failed) or throws InputError (2) or RunError (1).
#pragma once
#include <CLI/CLI.hpp>

#include <functional>

namespace phlo::apps {

using Chosen = std::function<int()>;

void add_presets(CLI::App& app, Chosen& chosen);
void add_new(CLI::App& app, Chosen& chosen);
void add_check(CLI::App& app, Chosen& chosen);
void add_run(CLI::App& app, Chosen& chosen);
void add_render(CLI::App& app, Chosen& chosen);
void add_info(CLI::App& app, Chosen& chosen);
void add_react(CLI::App& app, Chosen& chosen);
void add_demo(CLI::App& app, Chosen& chosen);
void add_bench(CLI::App& app, Chosen& chosen);
void add_package(CLI::App& app, Chosen& chosen);
void add_help(CLI::App& app, Chosen& chosen);
void add_schema(CLI::App& app, Chosen& chosen);
void add_version(CLI::App& app, Chosen& chosen);

}  // namespace phlo::apps
