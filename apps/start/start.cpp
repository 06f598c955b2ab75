// Starts the program that fits this CPU: 'phlo' becomes phlo_avx512 or phlo_avx2, which lie beside it. Set PHLO_CPU to avx2 or avx512 to
// choose one yourself, for example to compare with what an older machine computed.
//
// Compiled for every x86-64 CPU (cmake/modules.cmake), and with nothing but cpu.cpp.
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cpu.h"

namespace {

constexpr int failed = 1, wrong_input = 2;

/// /a/b/phlo becomes /a/b/phlo_avx2. False if there is no such program.
bool program_for(phlo::Cpu cpu, char (&path)[PATH_MAX]) {
    const ssize_t length = readlink("/proc/self/exe", path, sizeof path - 16);
    if (length <= 0) return false;
    snprintf(path + length, 16, "_%s", phlo::word(cpu));
    return access(path, X_OK) == 0;
}

}  // namespace

int main(int, char** argv) {
    const char* wanted = getenv("PHLO_CPU");
    if (wanted != nullptr && wanted[0] == 0) wanted = nullptr;
    char path[PATH_MAX];
    bool known = false, runs = false;
    for (int i = int(sizeof phlo::every_cpu / sizeof phlo::every_cpu[0]) - 1; i >= 0; --i) {
        const phlo::Cpu cpu = phlo::every_cpu[i];
        if (wanted != nullptr && strcmp(wanted, phlo::word(cpu)) != 0) continue;
        known = true;
        if (!phlo::runs_here(cpu)) continue;
        runs = true;
        if (!program_for(cpu, path)) continue;
        execv(path, argv);
        fprintf(stderr, "cannot start %s: %s\n", path, strerror(errno));
        return failed;
    }
    if (!known) {
        fprintf(stderr, "PHLO_CPU is '%s'; it may be avx2, avx512 or empty\n", wanted);
        return wrong_input;
    }
    if (runs) fprintf(stderr, "%s has no program for this CPU beside it: build or install it again\n", argv[0]);
    else if (wanted != nullptr) fprintf(stderr, "this CPU cannot run what PHLO_CPU asks for: %s\n", wanted);
    else fprintf(stderr, "this CPU is too old: Phlogiston needs AVX2, FMA and BMI2 (x86-64-v3, processors since about 2013-2015)\n");
    return wanted != nullptr && !runs ? wrong_input : failed;
}
