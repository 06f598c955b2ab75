# The house: modules, tests and programs. A module's sources become one library, and those with hot loops one more for each CPU.

# phlo_module(flow DEPENDS field numerics EXTERNAL TBB::tbb EACH_CPU . ONCE _params COLD _params)
#   Folder = target = namespace. DEPENDS is the arrow in docs/architecture.md; tests/include_graph checks every #include against it.
#   Headers are included as "flow/advect.h". EACH_CPU and ONCE are regular expressions: sources whose path in the folder fits one of the
#   first and none of the second are compiled for each CPU (cmake/cpu.cmake). COLD are regular expressions too: tables of keys and what runs once a
#   frame or less, of what is compiled once, is compiled quickly instead of for speed.
function(phlo_module name)
  cmake_parse_arguments(M "" "" "DEPENDS;EXTERNAL;PRIVATE;EACH_CPU;ONCE;COLD" ${ARGN})
  add_library(phlo_${name} INTERFACE)   # what others see of the module
  list(TRANSFORM M_DEPENDS PREPEND phlo_)
  target_include_directories(phlo_${name} INTERFACE ${PROJECT_SOURCE_DIR}/src)
  target_link_libraries(phlo_${name} INTERFACE ${M_DEPENDS} ${M_EXTERNAL})
  set_property(GLOBAL APPEND PROPERTY PHLO_MODULES phlo_${name})

  phlo_split_sources(GLOB_RECURSE *.cpp "${M_EACH_CPU}" "${M_ONCE}")
  phlo_compile_quickly("${once}" "${M_COLD}")
  foreach(cpu once ${PHLO_CPUS})
    set(sources ${each})
    if("${cpu}" STREQUAL "once")
      set(sources ${once})
    endif()
    if(sources)
      add_library(phlo_${name}_${cpu} STATIC ${sources})
      target_link_libraries(phlo_${name}_${cpu} PRIVATE phlo_${name} phlo_flags_${cpu} ${M_PRIVATE})
      phlo_precompile(phlo_${name}_${cpu} ${cpu})
      set_property(GLOBAL APPEND PROPERTY PHLO_LIBRARIES_${cpu} phlo_${name}_${cpu})
    endif()
  endforeach()
endfunction()

# After all modules: phlogiston_avx2 and phlogiston_avx512 are the whole house for one CPU, phlogiston what both have in common: its headers.
function(phlo_finish_house)
  get_property(modules GLOBAL PROPERTY PHLO_MODULES)
  add_library(phlogiston INTERFACE)
  target_link_libraries(phlogiston INTERFACE ${modules})
  foreach(cpu ${PHLO_CPUS})
    get_property(once GLOBAL PROPERTY PHLO_LIBRARIES_once)
    get_property(each GLOBAL PROPERTY PHLO_LIBRARIES_${cpu})
    list(JOIN once "," once)
    list(JOIN each "," each)
    add_library(phlogiston_${cpu} INTERFACE)
    target_link_libraries(phlogiston_${cpu} INTERFACE phlogiston "$<LINK_GROUP:RESCAN,${once},${each}>")
    # No build id: it would hash debug info, which names the build directory that ccache lent an object from, and so differ between two
    # builds of one commit.
    target_link_options(phlogiston_${cpu} INTERFACE LINKER:--as-needed LINKER:-u,phlo_check_cpu LINKER:--build-id=none)
  endforeach()
endfunction()

# phlo_tests(flow EACH_CPU sampler): every *_test.cpp of this folder, in one program for each CPU; ctest runs those that the machine can.
#   EACH_CPU: sources that hold kernels themselves and are compiled for each. ONE_CPU: nothing that is tested here depends on the CPU, or other tests hold its loops to account on each; there is a program for the best CPU here only.
#   BEST_CPU: suites about whole shots, whose loops other tests hold to account on each CPU; ctest runs them on the best one alone.
function(phlo_tests name)
  cmake_parse_arguments(T "ONE_CPU" "" "EACH_CPU;EXTERNAL;BEST_CPU" ${ARGN})
  set(cpus ${PHLO_CPUS})
  if(T_ONE_CPU)
    set(cpus ${PHLO_CPU_HERE})
  endif()
  add_library(${name}_test_flags INTERFACE)
  target_include_directories(${name}_test_flags INTERFACE ${CMAKE_CURRENT_SOURCE_DIR} ${PROJECT_SOURCE_DIR}/tests)
  target_compile_options(${name}_test_flags INTERFACE -O1)   # tests are compiled more often than they run
  target_link_libraries(${name}_test_flags INTERFACE phlo_source_dir GTest::gtest_main ${T_EXTERNAL})

  phlo_split_sources(GLOB *_test.cpp "${T_EACH_CPU}" "")
  phlo_executables(${name}_tests "${once}" "${each}" "${cpus}" ${name}_test_flags GTest::gtest <gtest/gtest.h>)
  foreach(cpu ${cpus})
    if(cpu IN_LIST PHLO_CPUS_HERE)
      set(these)
      if(T_BEST_CPU AND NOT cpu STREQUAL PHLO_CPU_HERE)
        list(TRANSFORM T_BEST_CPU APPEND ".*" OUTPUT_VARIABLE these)
        list(JOIN these ":" these)
        set(these --gtest_filter=-${these})
      endif()
      add_test(NAME ${name}_${cpu} COMMAND ${name}_tests_${cpu} --gtest_brief=1 ${these})
      set_tests_properties(${name}_${cpu} PROPERTIES ENVIRONMENT PHLO_CPU=${cpu} TIMEOUT 3600)   # against one that hangs, not one on a busy machine
    endif()
  endforeach()
endfunction()

# phlo_program(apps NAME phlo DEPENDS sim render): the sources of this folder make the programs NAME_avx2 and NAME_avx512, and NAME starts the
#   one that this CPU runs best (apps/start), all in <build>/bin. Target NAME makes what this machine needs.
#   DEPENDS is an arrow, as in phlo_module.
function(phlo_program folder)
  cmake_parse_arguments(P "" "NAME" "DEPENDS;EXTERNAL;EACH_CPU;COLD" ${ARGN})
  add_library(${P_NAME}_program_flags INTERFACE)
  target_link_libraries(${P_NAME}_program_flags INTERFACE ${P_EXTERNAL})
  phlo_split_sources(GLOB *.cpp "${P_EACH_CPU}" "")
  phlo_compile_quickly("${once}" "${P_COLD}")
  phlo_executables(${P_NAME} "${once}" "${each}" "${PHLO_CPUS}" ${P_NAME}_program_flags)
  add_executable(${P_NAME} ${PROJECT_SOURCE_DIR}/apps/start/start.cpp ${PROJECT_SOURCE_DIR}/src/base/cpu.cpp)
  target_include_directories(${P_NAME} PRIVATE ${PROJECT_SOURCE_DIR}/src)
  target_compile_options(${P_NAME} PRIVATE -march=x86-64)
  target_link_libraries(${P_NAME} PRIVATE phlo_flags)
  add_dependencies(${P_NAME} ${P_NAME}_${PHLO_CPU_HERE})
  foreach(program ${P_NAME} ${PHLO_CPUS})
    string(REGEX REPLACE "^avx" "${P_NAME}_avx" program ${program})
    set_target_properties(${program} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bin)
  endforeach()
endfunction()

# ---- their parts ----

# Sets `once` and `each` to this folder's sources, by what is to be compiled for each CPU.
function(phlo_split_sources glob pattern each_cpu not_these)
  file(${glob} once CONFIGURE_DEPENDS RELATIVE ${CMAKE_CURRENT_SOURCE_DIR} ${CMAKE_CURRENT_SOURCE_DIR}/${pattern})
  set(each)
  foreach(expression ${each_cpu})
    set(found ${once})
    list(FILTER found INCLUDE REGEX ${expression})
    list(APPEND each ${found})
  endforeach()
  foreach(expression ${not_these})
    list(FILTER each EXCLUDE REGEX ${expression})
  endforeach()
  if(each)
    list(REMOVE_DUPLICATES each)
    list(REMOVE_ITEM once ${each})
  endif()
  set(once ${once} PARENT_SCOPE)
  set(each ${each} PARENT_SCOPE)
endfunction()

# Those of `sources` whose path fits one of the regular expressions.
function(phlo_compile_quickly sources cold)
  foreach(expression ${cold})
    set(found ${sources})
    list(FILTER found INCLUDE REGEX ${expression})
    if(found)
      set_property(SOURCE ${found} APPEND PROPERTY COMPILE_OPTIONS ${PHLO_COLD_OPTIONS})
    endif()
  endforeach()
endfunction()

# NAME_avx2, NAME_avx512: the same program for each CPU. More arguments: a library and its headers, for phlo_precompile.
function(phlo_executables name once each cpus flags)
  if(once)
    add_library(${name}_once OBJECT ${once})
    target_link_libraries(${name}_once PRIVATE phlogiston phlo_flags_once ${flags})
    phlo_precompile(${name}_once once ${ARGN})
    set(once $<TARGET_OBJECTS:${name}_once>)
  endif()
  foreach(cpu ${cpus})
    add_executable(${name}_${cpu} ${once} ${each})
    set_target_properties(${name}_${cpu} PROPERTIES LINKER_LANGUAGE CXX)
    target_link_libraries(${name}_${cpu} PRIVATE phlogiston_${cpu} phlo_flags_${cpu} ${flags})
    if(each)
      phlo_precompile(${name}_${cpu} ${cpu} ${ARGN})
    endif()
  endforeach()
endfunction()
