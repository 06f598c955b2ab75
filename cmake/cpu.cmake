# Instruction sets. Sources with hot loops are compiled once for each of PHLO_CPUS, everything else once for the oldest. A program is linked
# once with each. Only those for AVX-512 hold code of both: wherever they run, either copy of an inline function will do. See base/cpu.h.
set(PHLO_CPUS avx2 avx512 CACHE STRING "what the hot loops are compiled for: avx2, avx512 or both")
set(PHLO_MARCH_avx2 x86-64-v3)
set(PHLO_MARCH_avx512 x86-64-v4)
set(PHLO_MARCH_once x86-64-v3)

# Which of them this machine can run (PHLO_CPUS_HERE), and the best one (PHLO_CPU_HERE; the first of PHLO_CPUS where none runs).
set(PHLO_FLAGS_avx2 avx2 fma bmi1 bmi2)
set(PHLO_FLAGS_avx512 ${PHLO_FLAGS_avx2} avx512f avx512bw avx512cd avx512dq avx512vl)
file(STRINGS /proc/cpuinfo cpu_flags REGEX "^flags" LIMIT_COUNT 1)
string(REGEX MATCHALL "[a-z0-9_]+" cpu_flags "${cpu_flags}")
list(GET PHLO_CPUS 0 PHLO_CPU_HERE)
set(PHLO_CPUS_HERE)
foreach(cpu ${PHLO_CPUS})
  set(missing ${PHLO_FLAGS_${cpu}})
  list(REMOVE_ITEM missing ${cpu_flags})
  if(NOT missing)
    list(APPEND PHLO_CPUS_HERE ${cpu})
    set(PHLO_CPU_HERE ${cpu})
  endif()
endforeach()
message(STATUS "Hot loops for ${PHLO_CPUS}; this machine runs: ${PHLO_CPUS_HERE}")
