// Data only: this file is compiled for the CPU that everything else is compiled for, and none of its code may run elsewhere.
#include "base/cpu.h"

namespace phlo {

const unsigned compiled_for = for_avx2
#ifdef __AVX512F__
                              | for_avx512
#endif
#ifdef __AVX512VNNI__
                              | for_vnni
#endif
#ifdef __AVX512VBMI__
                              | for_vbmi
#endif
#ifdef __AVX512VBMI2__
                              | for_vbmi2
#endif
#ifdef __AVX512IFMA__
                              | for_ifma
#endif
#ifdef __AVX512BITALG__
                              | for_bitalg
#endif
#ifdef __AVX512VPOPCNTDQ__
                              | for_popcnt
#endif
    ;

}  // namespace phlo
