// Data only: this file is compiled for the CPU that the hot loops are compiled for, and none of its code may run elsewhere.
#include "base/cpu.h"

namespace phlo {

#ifdef __AVX512F__
const Cpu compiled_for = Cpu::avx512;
#else
const Cpu compiled_for = Cpu::avx2;
#endif

}  // namespace phlo
