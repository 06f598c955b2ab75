#include "stream.h"

#include <algorithm>
#include <chrono>

#include "base/memory.h"
#include "base/parallel.h"

namespace phlo::bench {

double stream_bandwidth(std::size_t working_set) {
    constexpr std::size_t chunk = std::size_t(1) << 16;
    const std::size_t chunks = std::max<std::size_t>(working_set / (2 * sizeof(float) * chunk), 2);
    Buffer a(chunks * chunk), b(chunks * chunk);
    double best = 1e30;
    for (int run = 0; run < 12; ++run) {
        const auto start = std::chrono::steady_clock::now();
        parallel_for(int(chunks), [&](int c) {
            float* __restrict p = a.data() + std::size_t(c) * chunk;
            const float* __restrict q = b.data() + std::size_t(c) * chunk;
#pragma omp simd
            for (std::size_t i = 0; i < chunk; ++i) p[i] += 1e-9f * q[i];
        });
        best = std::min(best, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
    }
    return double(chunks * chunk) * 3 * sizeof(float) / best;
}

}  // namespace phlo::bench
