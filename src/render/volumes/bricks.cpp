#include "render/volumes/bricks.h"

#include <cstdint>

#include "base/parallel.h"

namespace phlo::render {

BrickMap::BrickMap(const OpticalVolume& volume) {
    if (volume.empty()) return;
    const Vec3i n = volume.domain.cells;
    origin = Vec3f(volume.domain.origin);
    h = float(volume.domain.h);
    count = {(n.x + size - 1) / size, (n.y + size - 1) / size, (n.z + size - 1) / size};
    std::vector<std::uint8_t> used(std::size_t(count.x) * std::size_t(count.y) * std::size_t(count.z));
    parallel_for(count.z, [&](int bz) {
        for (int by = 0; by < count.y; ++by)
            for (int bx = 0; bx < count.x; ++bx) {
                float most = 0;
                for (int k = bz * size - 1; k < std::min((bz + 1) * size + 1, n.z + 1); ++k)
                    for (int j = by * size - 1; j < std::min((by + 1) * size + 1, n.y + 1); ++j) {
                        const float* row = volume.extinction.row(j, k);
                        for (int i = bx * size - 1; i < std::min((bx + 1) * size + 1, n.x + 1); ++i) most = std::max(most, row[i]);
                    }
                used[std::size_t(bx) + std::size_t(count.x) * (std::size_t(by) + std::size_t(count.y) * std::size_t(bz))] = most > 0;
            }
    });
    numbers.assign(used.size(), -1);
    for (std::size_t b = 0; b < used.size(); ++b) {
        if (!used[b]) continue;
        numbers[b] = int(bricks.size());
        const int place = int(b);
        bricks.push_back({place % count.x, place / count.x % count.y, place / (count.x * count.y)});
    }
}

}  // namespace phlo::render
