# What nearly every file includes, parsed once: a third of the time to compile the house. Files still include all that they use: the presets for clang
# and for sanitizers compile without this, and would say so.
option(PHLO_PRECOMPILE "parse the standard library once, not for every file" ON)
set(PHLO_COMMON_HEADERS
  <algorithm> <array> <atomic> <bit> <charconv> <chrono> <cmath> <cstddef> <cstdint> <cstring> <deque> <filesystem> <functional> <limits> <map>
  <memory> <mutex> <numbers> <numeric> <optional> <span> <string> <string_view> <tuple> <utility> <variant> <vector> <fmt/format.h>)

# phlo_precompile(TARGET avx2): TARGET, compiled with phlo_flags_avx2, does not parse them again.
# phlo_precompile(TARGET avx2 GTest::gtest <gtest/gtest.h>): nor the headers of one more library.
function(phlo_precompile target cpu)
  if(NOT PHLO_PRECOMPILE)
    return()
  endif()
  list(POP_FRONT ARGN library)
  string(MAKE_C_IDENTIFIER "phlo_headers_${cpu}_${library}" headers)
  if(NOT TARGET ${headers})
    set(source ${PROJECT_BINARY_DIR}/headers.cpp)
    file(TOUCH ${source})
    add_library(${headers} OBJECT ${source})
    target_link_libraries(${headers} PRIVATE phlo_flags_${cpu} fmt::fmt ${library})
    target_precompile_headers(${headers} PRIVATE ${PHLO_COMMON_HEADERS} ${ARGN})
    target_compile_options(${headers} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-fpch-preprocess>)   # for ccache
  endif()
  target_precompile_headers(${target} REUSE_FROM ${headers})
  target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-fpch-preprocess>)
endfunction()
