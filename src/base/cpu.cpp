// Compiled for every x86-64 CPU (see CMakeLists.txt). It calls no inline function: the linker might take another file's copy of it.
#include "base/cpu.h"

#include <string.h>
#include <unistd.h>

#define PHLO_HAS(feature) (__builtin_cpu_supports(feature) != 0)

namespace phlo {

unsigned instructions_here() {
    __builtin_cpu_init();
    unsigned found = 0;
    if (PHLO_HAS("avx2") && PHLO_HAS("fma") && PHLO_HAS("bmi") && PHLO_HAS("bmi2")) found |= for_avx2;
    if (PHLO_HAS("avx512f") && PHLO_HAS("avx512bw") && PHLO_HAS("avx512cd") && PHLO_HAS("avx512dq") && PHLO_HAS("avx512vl"))
        found |= for_avx512;
    if (PHLO_HAS("avx512vnni")) found |= for_vnni;
    if (PHLO_HAS("avx512vbmi")) found |= for_vbmi;
    if (PHLO_HAS("avx512vbmi2")) found |= for_vbmi2;
    if (PHLO_HAS("avx512ifma")) found |= for_ifma;
    if (PHLO_HAS("avx512bitalg")) found |= for_bitalg;
    if (PHLO_HAS("avx512vpopcntdq")) found |= for_popcnt;
    return found;
}

const char* missing_instructions(unsigned wanted, unsigned present) {
    const unsigned missing = wanted & ~present;
    if (missing & for_avx2) return "AVX2, FMA and BMI2 (x86-64-v3)";
    if (missing & for_avx512) return "AVX-512 (x86-64-v4)";
    return missing != 0 ? "newer parts of AVX-512" : nullptr;
}

}  // namespace phlo

/// Before the constructors of other files, which may use any instruction. Nobody calls it: the linker is told to keep it.
extern "C" [[gnu::constructor(101)]] void phlo_check_cpu() {
    const char* missing = phlo::missing_instructions(phlo::compiled_for, phlo::instructions_here());
    if (missing == nullptr) return;
    const char* const parts[] = {"this program was compiled for ", missing,
                                 ", which this CPU does not have; ./phlo builds one for it, or cmake with -DPHLO_ARCH=x86-64-v3\n"};
    bool said = true;
    for (const char* part : parts) said = write(STDERR_FILENO, part, strlen(part)) >= 0 && said;
    _exit(said ? 1 : 3);
}
