#include "render/volumes/lattice.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "base/error.h"
#include "base/parallel.h"
#include "field/crop.h"

namespace phlo::render {
namespace {

/// Cells first <= c < end of a lattice, counted from its room's lower corner.
struct Cells {
    Vec3i first, end;
};

/// The cells that hold a box; what reaches into a cell by rounding alone does not count.
Cells cells_around(const field::Domain& lattice, const field::Bounds& box) {
    constexpr double rounding = 1e-3, most = 1e8;
    const Vec3d low = (box.lower - lattice.origin) / lattice.h, high = (box.upper - lattice.origin) / lattice.h;
    Cells cells;
    for (int axis = 0; axis < 3; ++axis) {
        cells.first[axis] = int(std::floor(std::clamp(low[axis] + rounding, -most, most)));
        cells.end[axis] = std::max(cells.first[axis] + 1, int(std::ceil(std::clamp(high[axis] - rounding, -most, most))));
    }
    return cells;
}

field::Domain part_of(const field::Domain& lattice, const Cells& cells) {
    return {.cells = cells.end - cells.first, .origin = lattice.origin + Vec3d(cells.first) * lattice.h, .h = lattice.h};
}

Cells merged(const Cells& a, const Cells& b) { return {min(a.first, b.first), max(a.end, b.end)}; }

field::Bounds bounds_of(const SizedPoints& set) {
    field::Bounds box;
    for (std::size_t n = 0; n < set.points->size(); ++n) {
        const Vec3d center(set.points->position[n]);
        box.include(field::Bounds{center, center}.grown(double(set.size * set.points->radius[n])));
    }
    return box;
}

/// The cells that the clouds of points reach into: they end at three times half a radius.
Cells cells_of(const SizedPoints& set, const field::Domain& room) {
    Cells cells{Vec3i(1 << 30), Vec3i(-(1 << 30))};
    float largest = 0;
    for (std::size_t n = 0; n < set.points->size(); ++n) {
        const Vec3d p = room.grid_from_world(Vec3d(set.points->position[n]));
        const Vec3i cell(int(std::lround(p.x)), int(std::lround(p.y)), int(std::lround(p.z)));
        cells = merged(cells, {cell, cell + Vec3i(1)});
        largest = std::max(largest, set.size * set.points->radius[n]);
    }
    const int reach = 1 + int(std::min(32.0, 1.5 * double(largest) / room.h));
    return {cells.first - Vec3i(reach), cells.end + Vec3i(reach)};
}

/// Of a frame without volumes.
field::Domain room_around(const field::Bounds& bounds, std::span<const SizedPoints> points) {
    constexpr double coarse = 64, fine = 256;  // cells along the longest side
    const double longest = longest_side(bounds);
    double sum = 0, count = 0;
    for (const SizedPoints& set : points)
        for (const float radius : set.points->radius) sum += double(set.size * radius), count += 1;
    const double h = std::clamp(count > 0 ? sum / count : longest, longest / fine, longest / coarse);
    return part_of({.cells = {1, 1, 1}, .origin = bounds.lower, .h = h},
                   cells_around({.cells = {1, 1, 1}, .origin = bounds.lower, .h = h}, bounds));
}

const field::Volume* finest(const field::Frame& frame, std::span<const field::Volume* const> volumes) {
    const field::Volume* best = nullptr;
    for (const field::Volume* volume : volumes)
        if (!best || volume->room.h < best->room.h) best = volume;
    if (best) return best;
    for (const field::Volume& volume : frame.volumes)
        if (volume.kind == field::VolumeClass::fog) return &volume;
    return nullptr;
}

/// The volume's value at continuous cell coordinates of its room.
class Sampler {
public:
    explicit Sampler(const field::Volume& volume) : volume_(volume), first_(cells_between(volume.room, volume.domain)) {}

    float operator()(const Vec3d& p) const {
        const Vec3i n = volume_.room.cells;
        Vec3i low;
        Vec3f part;
        for (int axis = 0; axis < 3; ++axis) {
            constexpr double rounding = 1e-6;  // cells at a wall of the room are in it
            if (!(p[axis] >= -0.5 - rounding && p[axis] <= n[axis] - 0.5 + rounding)) return volume_.background;
            const double inside = std::clamp(p[axis], 0.0, double(n[axis] - 1));
            low[axis] = std::min(int(inside), std::max(0, n[axis] - 2));
            part[axis] = float(inside - low[axis]);
        }
        const auto mix = [](float a, float b, float t) { return a + (b - a) * t; };
        const auto row = [&](int j, int k) { return mix(at(low + Vec3i(0, j, k)), at(low + Vec3i(1, j, k)), part.x); };
        return mix(mix(row(0, 0), row(1, 0), part.y), mix(row(0, 1), row(1, 1), part.y), part.z);
    }

private:
    float at(const Vec3i& room_cell) const {
        const Vec3i c = min(room_cell, volume_.room.cells - Vec3i(1)) - first_, n = volume_.domain.cells;
        const bool stored = c.x >= 0 && c.y >= 0 && c.z >= 0 && c.x < n.x && c.y < n.y && c.z < n.z;
        return stored ? (*volume_.grid)(c.x, c.y, c.z) : volume_.background;
    }

    const field::Volume& volume_;
    Vec3i first_;
};

/// From one domain to another on the same lattice, up to rounding.
std::optional<Vec3i> whole_cells(const field::Domain& from, const field::Domain& to) {
    constexpr double rounding = 1e-6;
    const Vec3d way = (to.origin - from.origin) / from.h;
    const Vec3i whole(int(std::lround(way.x)), int(std::lround(way.y)), int(std::lround(way.z)));
    const Vec3d off = way - Vec3d(whole);
    const bool same =
        std::fabs(to.h - from.h) < rounding * from.h && std::max({std::fabs(off.x), std::fabs(off.y), std::fabs(off.z)}) < rounding;
    return same ? std::optional(whole) : std::nullopt;
}

}  // namespace

field::Bounds bounds_of(const field::Frame& frame) {
    const field::Bounds bounds = frame.bounds();
    return bounds.empty() ? field::Bounds{Vec3d(-0.5), Vec3d(0.5)} : bounds;
}

double longest_side(const field::Bounds& bounds) {
    const Vec3d size = bounds.size();
    return std::max({size.x, size.y, size.z, 1e-9});
}

OpticalLattice find_lattice(const field::Frame& frame, std::span<const field::Volume* const> volumes, std::span<const SizedPoints> points) {
    const field::Volume* main = finest(frame, volumes);
    field::Domain lattice = main ? main->room : room_around(bounds_of(frame), points);
    Cells room{Vec3i(), lattice.cells};
    for (const field::Volume* volume : volumes) room = merged(room, cells_around(lattice, volume->room.bounds()));
    if (!frame.world)
        for (const SizedPoints& set : points)
            if (set.points->size() > 0) room = merged(room, cells_around(lattice, bounds_of(set)));
    OpticalLattice result;
    result.room = part_of(lattice, room);

    std::optional<Cells> used;
    const auto use = [&](const field::Domain& part) {
        const Cells cells = cells_around(result.room, part.bounds());
        used = used ? merged(*used, cells) : cells;
    };
    if (main) use(main->domain);
    for (const field::Volume* volume : volumes) use(volume->domain);
    for (const SizedPoints& set : points)
        if (set.points->size() > 0) {
            const Cells cells = cells_of(set, result.room);
            use(part_around(result.room, cells.first, cells.end - Vec3i(1)));
        }
    result.domain = used ? part_of(result.room, *used) : result.room;
    const Vec3d n(result.domain.cells);
    if (n.x * n.y * n.z > 1e9)
        throw RunError(
            fmt::format("frame {}: what is seen spans {} x {} x {} cells of the finest volume; leave that one, or what is far away, out of "
                        "render.volumes",
                        frame.number, n.x, n.y, n.z));
    return result;
}

std::shared_ptr<const field::Grid> on_lattice(const field::Volume& volume, const field::Domain& domain) {
    if (volume.domain == domain) return volume.grid;
    const auto grid = std::make_shared<field::Grid>(field::Layout(domain.cells), volume.background);
    if (const std::optional<Vec3i> shift = whole_cells(domain, volume.domain)) {
        const Vec3i first = max(*shift, Vec3i()), end = min(*shift + volume.domain.cells, domain.cells);
        parallel_for(std::max(0, end.z - first.z), [&](int plane) {
            const int k = first.z + plane;
            for (int j = first.y; j < end.y && first.x < end.x; ++j)
                std::copy_n(volume.grid->row(j - shift->y, k - shift->z) + first.x - shift->x, end.x - first.x, grid->row(j, k) + first.x);
        });
        return grid;
    }
    const Sampler sample(volume);
    parallel_for(domain.cells.z, [&](int k) {
        for (int j = 0; j < domain.cells.y; ++j)
            for (int i = 0; i < domain.cells.x; ++i) (*grid)(i, j, k) = sample(volume.room.grid_from_world(domain.cell_center(i, j, k)));
    });
    return grid;
}

}  // namespace phlo::render
