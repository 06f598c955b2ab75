// Compiled for every x86-64 CPU (see CMakeLists.txt). It calls no inline function: the linker might take another file's copy of it.
#include "base/cpu.h"

#define PHLO_HAS(feature) (__builtin_cpu_supports(feature) != 0)

namespace phlo {

bool runs_here(Cpu cpu) {
    __builtin_cpu_init();
    const bool avx2 = PHLO_HAS("avx2") && PHLO_HAS("fma") && PHLO_HAS("bmi") && PHLO_HAS("bmi2");
    if (cpu == Cpu::avx2) return avx2;
    return avx2 && PHLO_HAS("avx512f") && PHLO_HAS("avx512bw") && PHLO_HAS("avx512cd") && PHLO_HAS("avx512dq") && PHLO_HAS("avx512vl");
}

const char* name(Cpu cpu) { return cpu == Cpu::avx2 ? "x86-64-v3 (AVX2)" : "x86-64-v4 (AVX-512)"; }
const char* word(Cpu cpu) { return cpu == Cpu::avx2 ? "avx2" : "avx512"; }

}  // namespace phlo
