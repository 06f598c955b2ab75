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

}  // namespace phlo
