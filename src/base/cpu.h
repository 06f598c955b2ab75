// What the compiler was allowed to use, and what this CPU has. Every program that links base compares the two before anything else and
// stops in words where something is missing (cpu.cpp); it would otherwise die of an illegal instruction, at some later time.
#pragma once

namespace phlo {

/// Instructions that a program may need, a bit each.
enum Instructions : unsigned {
    for_avx2 = 1,
    for_avx512 = 2,
    for_vnni = 4,
    for_vbmi = 8,
    for_vbmi2 = 16,
    for_ifma = 32,
    for_bitalg = 64,
    for_popcnt = 128
};

extern const unsigned compiled_for;  ///< Instructions
unsigned instructions_here();
/// The name of the least that is wanted and not present; null where nothing is missing.
const char* missing_instructions(unsigned wanted, unsigned present);

}  // namespace phlo
