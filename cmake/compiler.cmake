# How everything is compiled. One interface target carries it, so that no folder repeats a flag.
find_program(CCACHE ccache)
if(CCACHE)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CCACHE})
endif()

add_library(phlo_flags INTERFACE)
target_compile_options(phlo_flags INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion -Werror
  -march=${PHLO_ARCH}
  -fno-math-errno -fno-trapping-math   # floor, sqrt and comparisons vectorise; NaN and infinity keep their meaning
  -fopenmp-simd                        # '#pragma omp simd' only: no OpenMP threads
  $<$<CXX_COMPILER_ID:GNU>:-ffp-contract=fast>)
target_compile_definitions(phlo_flags INTERFACE PHLO_ARCH="${PHLO_ARCH}")
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # GCC 12 sees overflows that are not there in inlined std::vector and fmt code.
  target_compile_options(phlo_flags INTERFACE -Wno-array-bounds -Wno-stringop-overflow -Wno-restrict -Wno-maybe-uninitialized)
endif()
set(CMAKE_CXX_FLAGS_RELEASE "-O3 -g1")
if(PHLO_SANITIZE)
  set(CMAKE_CXX_FLAGS_RELEASE "-O1 -g1")   # with a check at every access, -O3 takes minutes a file
  add_compile_options(-fsanitize=${PHLO_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${PHLO_SANITIZE})
endif()
