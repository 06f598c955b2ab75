#include "base/heap.h"

#include <cstdlib>

#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace phlo {

void give_large_blocks_back() {
#ifdef __GLIBC__
    mallopt(M_MMAP_THRESHOLD, 1 << 20);   // and no longer learnt
    mallopt(M_TRIM_THRESHOLD, 4 << 20);
#endif
}

void keep_large_blocks() {
#ifdef __GLIBC__
    mallopt(M_MMAP_THRESHOLD, 32 << 20);   // no larger threshold is taken
    mallopt(M_TRIM_THRESHOLD, 1 << 30);
#endif
}

}  // namespace phlo
