# How everything is compiled. Interface targets carry it, so that no folder repeats a flag: phlo_flags_once for sources that are compiled once,
# phlo_flags_avx2 and phlo_flags_avx512 for those that are compiled for each CPU.
option(PHLO_WERROR "warnings are errors: for developers and their checks, never for a user's build" OFF)

# ccache knows a file again in any build directory and any clone: paths are seen from a build directory in the tree (../src/base/log.h), as ccache
# shortens them itself, so that an object does not tell whether ccache was there.
find_program(CCACHE ccache)
if(CCACHE)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env CCACHE_BASEDIR=${PROJECT_SOURCE_DIR} CCACHE_NOHASHDIR=1
      CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime ${CCACHE})   # for precompiled headers, however new they are; no source tells the time
endif()

add_library(phlo_flags INTERFACE)
target_compile_options(phlo_flags INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion
  -ffile-prefix-map=${PROJECT_SOURCE_DIR}=..
  -fno-math-errno -fno-trapping-math   # floor, sqrt and comparisons vectorise; NaN and infinity keep their meaning
  -fopenmp-simd                        # '#pragma omp simd' only: no OpenMP threads
  $<$<CXX_COMPILER_ID:GNU>:-ffp-contract=fast>)
if(PHLO_WERROR)
  target_compile_options(phlo_flags INTERFACE -Werror)
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # GCC 12 sees overflows that are not there in inlined std::vector and fmt code.
  target_compile_options(phlo_flags INTERFACE -Wno-array-bounds -Wno-stringop-overflow -Wno-stringop-overread -Wno-restrict -Wno-maybe-uninitialized)
elseif(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
  # clang tells of every loop that GCC vectorises and it does not; clang 19 of what GCC 12's own <algorithm> uses.
  target_compile_options(phlo_flags INTERFACE -Wno-pass-failed -Wno-deprecated-declarations)
endif()
foreach(cpu once ${PHLO_CPUS})
  add_library(phlo_flags_${cpu} INTERFACE)
  target_link_libraries(phlo_flags_${cpu} INTERFACE phlo_flags)
  target_compile_options(phlo_flags_${cpu} INTERFACE -march=${PHLO_MARCH_${cpu}})
endforeach()
foreach(cpu ${PHLO_CPUS})
  target_compile_definitions(phlo_flags_${cpu} INTERFACE PHLO_EACH_CPU)   # base/each_cpu.h
endforeach()

set(CMAKE_CXX_FLAGS_RELEASE "-O3")
if(PHLO_WERROR)
  string(APPEND CMAKE_CXX_FLAGS_RELEASE " -g1")   # line numbers for developers; a tenth of a user's build
endif()
# Sources that nobody waits for when they run (COLD in modules.cmake): a third less to compile. Products and sums are fused as at -O3.
set(PHLO_COLD_OPTIONS -O1)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  list(APPEND PHLO_COLD_OPTIONS -fexpensive-optimizations)
endif()
if(PHLO_SANITIZE)
  set(CMAKE_CXX_FLAGS_RELEASE "-O1 -g1")   # with a check at every access, -O3 takes minutes a file
  add_compile_options(-fsanitize=${PHLO_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${PHLO_SANITIZE})
endif()
