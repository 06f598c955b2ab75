// phlo version: what this program is and which instruction set its hot loops use.
#include <fmt/format.h>

#include "base/cpu.h"
#include "base/parallel.h"
#include "command.h"

namespace phlo::apps {

void add_version(CommandLine& line) {
    const std::string text = fmt::format("phlo {}, {}, {} threads", PHLO_VERSION, name(compiled_for), thread_count());
    line.set_version(text);
    line.add("version", "version, instruction set and threads").run([text] {
        fmt::print("{}\n", text);
        return 0;
    });
}

}  // namespace phlo::apps
