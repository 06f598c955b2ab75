// Starts the program that fits this CPU: 'phlo' becomes phlo_avx512 or phlo_avx2, which lie beside it where they were built, and in
// ../lib/phlogiston where they are installed. Set PHLO_CPU to avx2 or avx512 to choose one yourself, for example to compare with what an older
// machine computed.
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

/// /usr/bin/phlo becomes /usr/bin/phlo_avx2, or /usr/bin/../lib/phlogiston/phlo_avx2. False if there is no such program.
bool program_for(phlo::Cpu cpu, char (&path)[PATH_MAX]) {
    char self[PATH_MAX];
    const ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    if (length <= 0) return false;
    self[length] = 0;
    char* const slash = strrchr(self, '/');
    *slash = 0;
    const char* const folders[] = {"", "/../lib/phlogiston"};
    for (const char* folder : folders) {
        const int size = snprintf(path, sizeof path, "%s%s/%s_%s", self, folder, slash + 1, phlo::word(cpu));
        if (size < int(sizeof path) && access(path, X_OK) == 0) return true;
    }
    return false;
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
    if (runs) fprintf(stderr, "%s has no program for this CPU, neither beside it nor in ../lib/phlogiston: build or install it again\n", argv[0]);
    else if (wanted != nullptr) fprintf(stderr, "this CPU cannot run what PHLO_CPU asks for: %s\n", wanted);
    else fprintf(stderr, "this CPU is too old: Phlogiston needs AVX2, FMA and BMI2 (x86-64-v3, processors since about 2013-2015)\n");
    return wanted != nullptr && !runs ? wrong_input : failed;
}
