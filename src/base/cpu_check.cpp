// Every program that links this looks first whether it can run on this CPU and says so where it cannot; it would otherwise die of an
// illegal instruction, at some later time. Compiled like cpu.cpp.
#include <string.h>
#include <unistd.h>

#include "base/cpu.h"

/// Before the constructors of other files, which may use any instruction. Nobody calls it: the linker is told to keep it.
extern "C" [[gnu::constructor(101)]] void phlo_check_cpu() {
    if (phlo::runs_here(phlo::compiled_for)) return;
    const char* const parts[] = {"this program was compiled for ", phlo::name(phlo::compiled_for), ", which this CPU does not have\n"};
    bool said = true;
    for (const char* part : parts) said = write(STDERR_FILENO, part, strlen(part)) >= 0 && said;
    _exit(said ? 1 : 3);
}
