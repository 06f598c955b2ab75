// Where there is gas: bricks of 8^3 cells. Empty ones do not exist, and rays step over them.
//
//   BrickMap bricks(volume);
//   bricks.walk(ray, distance, [&](int number, const Vec3i& brick, float from, float to) { ...; return true; });   // in cells
#pragma once
#include <algorithm>
#include <cmath>
#include <vector>

#include "base/parallel.h"
#include "render/film/camera.h"
#include "render/volumes/volume.h"

namespace phlo::render {

struct BrickMap {
    static constexpr int size = 8;  ///< cells along a brick
    static constexpr int padded = size + 2;  ///< with a rim of one cell from its neighbours
    static constexpr int cells = padded * padded * padded;

    Vec3f origin;  ///< lower corner of brick (0, 0, 0) [m]
    float h = 1;  ///< cell [m]
    Vec3i count;  ///< bricks along each axis
    std::vector<int> numbers;  ///< brick to its place in `bricks`, or -1
    std::vector<Vec3i> bricks;

    BrickMap() = default;
    /// Bricks with gas in them or next to them: interpolation reaches one cell further than the gas.
    explicit BrickMap(const OpticalVolume& volume);

    int at(const Vec3i& brick) const {
        return numbers[std::size_t(brick.x) + std::size_t(count.x) * (std::size_t(brick.y) + std::size_t(count.y) * std::size_t(brick.z))];
    }
    /// Continuous cells from the lower corner: cell centres are at halves.
    Vec3f cells_from_world(const Vec3f& p) const { return (p - origin) / h; }

    /// Every brick that exists on the way, in order; `visit` returns false to stop. Distances in cells.
    template <class Visit>
    void walk(const Ray& ray, float distance, const Visit& visit) const;

    /// `cells` values a brick: value_at(i, j, k) for every cell of the volume, rims from the neighbours. Cells beyond the volume are zero.
    template <class Cell, class ValueAt>
    std::vector<Cell> fill(const Vec3i& volume_cells, const ValueAt& value_at) const;

private:
    /// Fills rims from the neighbours' outermost cells; `data` holds `cells` values a brick, the insides set.
    template <class Cell>
    void fill_rims(std::vector<Cell>& data, int brick_number) const;
};

template <class Cell, class ValueAt>
std::vector<Cell> BrickMap::fill(const Vec3i& volume_cells, const ValueAt& value_at) const {
    const int count_of_bricks = int(bricks.size());
    std::vector<Cell> data(std::size_t(count_of_bricks) * cells + 1);   // one more, for those who read a few cells of a row at once
    parallel_for(count_of_bricks, [&](int b) {
        const Vec3i first = bricks[std::size_t(b)] * size, last = min(first + Vec3i(size), volume_cells);
        Cell* out = data.data() + std::size_t(b) * cells;
        for (int k = first.z; k < last.z; ++k)
            for (int j = first.y; j < last.y; ++j)
                for (int i = first.x; i < last.x; ++i)
                    out[((k - first.z + 1) * padded + j - first.y + 1) * padded + i - first.x + 1] = value_at(i, j, k);
    });
    parallel_for(count_of_bricks, [&](int b) { fill_rims(data, b); });
    return data;
}

template <class Visit>
void BrickMap::walk(const Ray& ray, float distance, const Visit& visit) const {
    if (bricks.empty()) return;
    const Vec3f start = cells_from_world(ray.origin), direction = ray.direction;
    float enter = 0, leave = distance / h;
    Vec3f inverse;
    for (int axis = 0; axis < 3; ++axis) {
        inverse[axis] = 1 / (std::fabs(direction[axis]) < 1e-9f ? 1e-9f : direction[axis]);
        const float a = -start[axis] * inverse[axis], b = (float(count[axis] * size) - start[axis]) * inverse[axis];
        enter = std::max(enter, std::min(a, b)), leave = std::min(leave, std::max(a, b));
    }
    if (!(enter < leave)) return;

    // From brick to brick [amanatides1987].
    Vec3i brick, forward;
    Vec3f next, stride;
    for (int axis = 0; axis < 3; ++axis) {
        const float at = start[axis] + direction[axis] * enter;
        brick[axis] = std::clamp(int(at / float(size)), 0, count[axis] - 1);
        forward[axis] = inverse[axis] > 0 ? 1 : -1;
        next[axis] = (float((brick[axis] + (forward[axis] > 0)) * size) - start[axis]) * inverse[axis];
        stride[axis] = float(size) * std::fabs(inverse[axis]);
    }
    float t = enter;
    while (t < leave) {
        const int axis = next.x < next.y ? (next.x < next.z ? 0 : 2) : (next.y < next.z ? 1 : 2);
        const float exit = std::min(next[axis], leave);
        if (const int number = at(brick); number >= 0 && !visit(number, brick, t, exit)) return;
        t = exit;
        brick[axis] += forward[axis];
        if (brick[axis] < 0 || brick[axis] >= count[axis]) return;
        next[axis] += stride[axis];
    }
}

template <class Cell>
void BrickMap::fill_rims(std::vector<Cell>& data, int brick_number) const {
    const Vec3i brick = bricks[std::size_t(brick_number)];
    Cell* out = data.data() + std::size_t(brick_number) * cells;
    for (int z = 0; z < padded; ++z)
        for (int y = 0; y < padded; ++y)
            for (int x = 0; x < padded; ++x) {
                const Vec3i side((x == padded - 1) - (x == 0), (y == padded - 1) - (y == 0), (z == padded - 1) - (z == 0));
                if (side == Vec3i()) {
                    x = size;  // the inside is filled: on to the last cell of the row
                    continue;
                }
                const Vec3i other = brick + side;
                if (other.x < 0 || other.y < 0 || other.z < 0 || other.x >= count.x || other.y >= count.y || other.z >= count.z) continue;
                const int neighbour = at(other);
                if (neighbour < 0) continue;
                const Cell* from = data.data() + std::size_t(neighbour) * cells;
                out[z * padded * padded + y * padded + x] =
                    from[(z - side.z * size) * padded * padded + (y - side.y * size) * padded + x - side.x * size];
            }
}

}  // namespace phlo::render
