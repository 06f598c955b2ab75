// phlo package: a package is made from the source tree, by the launcher that lies there.
#include "base/error.h"
#include "command.h"

namespace phlo::apps {

void add_package(CLI::App& app, Chosen& chosen) {
    CLI::App* command = app.add_subcommand("package", "make a Debian package: through the launcher, './phlo package'");
    command->allow_extras();
    command->callback([&chosen] {
        chosen = []() -> int { throw RunError("a package is made from the source tree: call the launcher there, './phlo package'"); };
    });
}

}  // namespace phlo::apps
