// phlo version: what this program is and which instruction set its hot loops use.
#include <fmt/format.h>

#include "base/parallel.h"
#include "command.h"

namespace phlo::apps {

void add_version(CLI::App& app, Chosen& chosen) {
    CLI::App* command = app.add_subcommand("version", "version, instruction set and threads");
    command->callback([&chosen] {
        chosen = [] {
            fmt::print("phlo {} ({}, {} threads)\n", PHLO_VERSION, PHLO_ARCH, thread_count());
            return 0;
        };
    });
}

}  // namespace phlo::apps
