#include "models/liquid/adaptive_levels.h"

#include <algorithm>
#include <cmath>

#include "base/parallel.h"

namespace phlo::models {

using field::Blocks;

namespace {

/// The part of a block that the surface passes, in finest cells of the whole array; empty: low > high.
struct SurfaceBox {
    Vec3i low{1 << 30}, high{-(1 << 30)};
    bool liquid = false;
    float fastest = 0;   ///< velocity anywhere in the block [m/s]
};

SurfaceBox find_surface(const Blocks& blocks, int block, const float* phi) {
    const int level = blocks.level(block), n = Blocks::side(level), wide = Blocks::pitch(level), size = blocks.size(level);
    const Vec3i corner = blocks.place(block) * (1 << blocks.depth());
    SurfaceBox box;
    for (int k = 0; k < n; ++k)
        for (int j = 0; j < n; ++j)
            for (int i = 0; i < n; ++i) {
                const float* p = phi + Blocks::offset(level, i, j, k);
                const bool in = *p < 0;
                box.liquid |= in;
                const bool crosses = (in != (p[1] < 0)) | (in != (p[-1] < 0)) | (in != (p[wide] < 0)) | (in != (p[-wide] < 0)) | (in != (p[wide * wide] < 0)) |
                                     (in != (p[-wide * wide] < 0));
                if (!crosses) continue;
                const Vec3i low = corner + Vec3i(i, j, k) * size;
                box.low = min(box.low, low), box.high = max(box.high, low + Vec3i(size - 1));
            }
    return box;
}

float largest(const Blocks& blocks, int block, const flow::BlockVelocity& u) {
    float most = 0;
    for (const auto& component : u) {
        const float* x = component.block(blocks, block);
        const auto count = Blocks::stored(blocks.level(block));
#pragma omp simd reduction(max : most)
        for (std::size_t i = 0; i < count; ++i) most = std::max(most, std::fabs(x[i]));
    }
    return most;
}

}  // namespace

std::vector<Holds> what_cells_hold(const Blocks& blocks, double h, const field::BlockField<float>& phi, const flow::BlockVelocity& u, double dt) {
    std::vector<SurfaceBox> boxes(std::size_t(blocks.base_count()));
    parallel_for(int(blocks.all().size()), [&](int item) {
        const int block = blocks.all()[std::size_t(item)];
        SurfaceBox& box = boxes[std::size_t(block)] = find_surface(blocks, block, phi.block(blocks, block));
        if (box.low.x <= box.high.x) box.fastest = largest(blocks, block, u);
    });
    std::vector<Holds> holds(boxes.size(), Holds::air);
    for (std::size_t b = 0; b < boxes.size(); ++b)
        if (boxes[b].liquid) holds[b] = Holds::liquid;
    const int edge = 1 << blocks.depth();
    for (const SurfaceBox& box : boxes) {
        if (box.low.x > box.high.x) continue;
        const int margin = 3 + int(std::ceil(double(box.fastest) * dt / h));
        const Vec3i low = max(box.low - Vec3i(margin), Vec3i(0)), high = min(box.high + Vec3i(margin), blocks.base() * edge - Vec3i(1));
        for (int z = low.z / edge; z <= high.z / edge; ++z)
            for (int y = low.y / edge; y <= high.y / edge; ++y)
                for (int x = low.x / edge; x <= high.x / edge; ++x) holds[std::size_t(blocks.index({x, y, z}))] = Holds::surface;
    }
    return holds;
}

std::vector<std::int8_t> levels_by_surface(const LevelQuery& query) {
    std::vector<std::int8_t> levels(query.holds.size(), 0);
    for (std::size_t b = 0; b < levels.size(); ++b)
        if (query.holds[b] == Holds::surface) levels[b] = std::int8_t(query.depth);
    return levels;
}

}  // namespace phlo::models
