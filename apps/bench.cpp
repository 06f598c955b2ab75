// phlo bench: the benches are a program of their own, because the peers they compare against are not for everyone.
#include "base/error.h"
#include "command.h"

namespace phlo::apps {

void add_bench(CommandLine& line) {
    line.add("bench", "measure speed: through the launcher, './phlo bench --list'").anything().run([]() -> int {
        throw RunError("the benches are built on demand, with the solvers they compare against: call the launcher, './phlo bench --list'");
    });
}

}  // namespace phlo::apps
