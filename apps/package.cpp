// phlo package: a package is made from the source tree, by the launcher that lies there.
#include "base/error.h"
#include "command.h"

namespace phlo::apps {

void add_package(CommandLine& line) {
    line.add("package", "make a Debian package: through the launcher, './phlo package'").anything().run([]() -> int {
        throw RunError("a package is made from the source tree: call the launcher there, './phlo package'");
    });
}

}  // namespace phlo::apps
