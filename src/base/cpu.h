// Which CPU a program is for. Sources with hot loops are compiled once for each of these instruction sets (cmake/cpu.cmake); every program
// is linked once with each, and a small one chooses between them when it starts (apps/start/start.cpp).
//
//   if (runs_here(Cpu::avx512)) ...;
//   log::info("hot loops use {}", name(compiled_for));
#pragma once

namespace phlo {

enum class Cpu { avx2, avx512 };   ///< each can do what those before it can
inline constexpr Cpu every_cpu[] = {Cpu::avx2, Cpu::avx512};

/// What this program's hot loops may use.
extern const Cpu compiled_for;

bool runs_here(Cpu cpu);
const char* name(Cpu cpu);   ///< "x86-64-v3 (AVX2)"
const char* word(Cpu cpu);   ///< "avx2": the end of a program's name, and what PHLO_CPU asks for

}  // namespace phlo
