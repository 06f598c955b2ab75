#include "field/crop.h"

#include <cmath>

#include "base/error.h"
#include "base/parallel.h"
#include "field/frame.h"

namespace phlo::field {
namespace {

/// Leaves lower <= (x, y, z) <= upper.
struct LeafBox {
    Vec3i lower{1 << 30}, upper{-1};
};

LeafBox merged(const LeafBox& a, const LeafBox& b) { return {min(a.lower, b.lower), max(a.upper, b.upper)}; }

bool holds_something(const Content& content, Vec3i first, Vec3i last) {
    const float background = content.background, negligible = content.negligible;
    for (int k = first.z; k < last.z; ++k)
        for (int j = first.y; j < last.y; ++j) {
            const float* row = content.grid->row(j, k);
            int beyond = 0;
#pragma omp simd reduction(+ : beyond)
            for (int i = first.x; i < last.x; ++i) beyond += !(std::fabs(row[i] - background) <= negligible);
            if (beyond > 0) return true;
        }
    return false;
}

/// Of a slab of leaves. What lies inside the box that is known already is not looked at again.
LeafBox occupied_leaves(Vec3i cells, std::span<const Content> contents, int z) {
    const Vec3i leaves = (cells + Vec3i(leaf_cells - 1)) / leaf_cells;
    LeafBox box;
    for (const Content& content : contents)
        for (int y = 0; y < leaves.y; ++y) {
            const auto occupied = [&](int x, int count = 1) {
                const Vec3i first = Vec3i(x, y, z) * leaf_cells;
                return holds_something(content, first, min(first + Vec3i(count, 1, 1) * leaf_cells, cells));
            };
            const bool known = y >= box.lower.y && y <= box.upper.y;
            if (!known && !occupied(0, leaves.x)) continue;  // most of a room: whole rows, which stream
            int low = 0, high = leaves.x - 1;
            while (low < (known ? box.lower.x : leaves.x) && !occupied(low)) ++low;
            if (low == leaves.x) continue;
            while (high > (known ? box.upper.x : low) && !occupied(high)) --high;
            box = merged(box, {{low, y, z}, {high, y, z}});
        }
    return box;
}

}  // namespace

Domain part_around(const Domain& room, Vec3i first, Vec3i last) {
    Domain part = room;
    Vec3i lower;
    for (int axis = 0; axis < 3; ++axis) {
        const int n = room.cells[axis];
        const auto leaf = [](int cell) { return int(std::floor(double(cell) / leaf_cells)); };
        lower[axis] = std::clamp(leaf(first[axis]) - 1, 0, (n - 1) / leaf_cells) * leaf_cells;
        const int upper = std::min(n, std::max(leaf(last[axis]) + 2, lower[axis] / leaf_cells + 1) * leaf_cells);
        part.cells[axis] = upper - lower[axis];
    }
    part.origin = room.origin + Vec3d(lower) * room.h;
    return part;
}

Domain occupied_part(const Domain& room, std::span<const Content> contents) {
    for (const Content& content : contents) PHLO_CHECK(content.grid->layout().cells() == room.cells);
    const int slabs = (room.cells.z + leaf_cells - 1) / leaf_cells;
    const LeafBox box = parallel_reduce(
        slabs, LeafBox{}, [&](int z) { return occupied_leaves(room.cells, contents, z); }, merged);
    if (box.upper.x < box.lower.x) {
        Domain corner = room;
        corner.cells = min(room.cells, Vec3i(leaf_cells));
        return corner;
    }
    return part_around(room, box.lower * leaf_cells, box.upper * leaf_cells);
}

Vec3i Copies::part_of(const Domain& room, const Domain& part) {
    const Vec3i first = cells_between(room, part);
    for (int axis = 0; axis < 3; ++axis) PHLO_CHECK(first[axis] >= 0 && first[axis] + part.cells[axis] <= room.cells[axis]);
    return first;
}

void Copies::add(const Grid& from, Vec3i extent, float plus, std::shared_ptr<Grid> to) {
    tasks_.push_back([&from, to = std::move(to), extent, plus, first = first_, cells = cells_] {
        *to = Grid(Layout(cells));
        for (int k = 0; k < extent.z; ++k)
            for (int j = 0; j < extent.y; ++j) {
                const float* __restrict source = from.row(first.y + j, first.z + k) + first.x;
                float* __restrict target = to->row(j, k);
                std::copy_n(source, extent.x, target);
                if (plus == 0) continue;  // nothing is added: -0 stays -0
#pragma omp simd
                for (int i = 0; i < extent.x; ++i) target[i] += plus;
            }
    });
}

std::shared_ptr<const Grid> Copies::add(const Grid& from, float plus) {
    const auto to = std::make_shared<Grid>();
    add(from, cells_, plus, to);
    return to;
}

std::shared_ptr<const MacGrid> Copies::add(const MacGrid& from) {
    const auto to = std::make_shared<MacGrid>();
    for (int axis = 0; axis < 3; ++axis) add(from[axis], face_extent(Layout(cells_), axis), 0, std::shared_ptr<Grid>(to, &(*to)[axis]));
    return to;
}

void Copies::make() {
    parallel_for(
        int(tasks_.size()), [&](int n) { tasks_[std::size_t(n)](); }, Share::one_by_one);
    tasks_.clear();
}

}  // namespace phlo::field
