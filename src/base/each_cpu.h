// What depends on the CPU that a source is compiled for. Only sources that are compiled for each CPU may include it: in one that is compiled
// once, types of one width would meet functions of the other. Such a source is named after EACH_CPU in its folder's CMakeLists.txt.
#pragma once

#ifndef PHLO_EACH_CPU
#error "this source includes kernels (base/simd.h or base/pack.h): name it after EACH_CPU in its folder's CMakeLists.txt"
#endif

#if defined(__AVX512F__) && defined(__AVX512DQ__) && defined(__AVX512VL__)
#define PHLO_SIMD_512 1
#else
#define PHLO_SIMD_512 0
#endif
