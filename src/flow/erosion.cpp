#include "flow/erosion.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/error.h"
#include "base/parallel.h"

namespace phlo::flow {
namespace {

constexpr int chunk = 1024;              ///< triangles of one task
constexpr double longest_step = 0.5;     ///< [samples]
constexpr double largest_part = 3;       ///< [samples] from the surface: what a step can move it to, and its neighbours

/// The open cells around a point, with weights that sum to one; none if all are covered.
struct OpenCells {
    int count = 0;
    std::array<std::ptrdiff_t, 8> at{};
    std::array<double, 8> weight{};
};

OpenCells open_cells(const GasAround& gas, const Vec3d& world) {
    const Vec3d q = gas.domain.grid_from_world(world);
    const Vec3i low(int(std::floor(q.x)), int(std::floor(q.y)), int(std::floor(q.z))), n = gas.domain.cells;
    const Vec3d f = q - Vec3d(low);
    const field::Layout& layout = gas.solids.volume.layout();
    OpenCells cells;
    double total = 0;
    for (int c = 0; c < 8; ++c) {
        const Vec3i cell(low.x + (c & 1), low.y + (c >> 1 & 1), low.z + (c >> 2));
        if (cell.x < 0 || cell.y < 0 || cell.z < 0 || cell.x >= n.x || cell.y >= n.y || cell.z >= n.z || !(gas.room(cell.x, cell.y, cell.z) > 0)) continue;
        const double weight = (c & 1 ? f.x : 1 - f.x) * (c & 2 ? f.y : 1 - f.y) * (c & 4 ? f.z : 1 - f.z);
        if (!(weight > 0)) continue;
        cells.at[std::size_t(cells.count)] = layout.offset(cell.x, cell.y, cell.z);
        cells.weight[std::size_t(cells.count++)] = weight;
        total += weight;
    }
    for (int c = 0; c < cells.count; ++c) cells.weight[std::size_t(c)] /= total;
    return cells;
}

/// A triangle as the gas sees it: where, and its area times the softness there.
struct Facet {
    OpenCells cells;
    double area = 0;
};

Facet facet(const GasAround& gas, const geom::Pose& pose, const geom::SampledSolid& rest, const field::Grid& softness, const Vec3i& t) {
    const auto corner = [&](int c) { return Vec3d(rest.surface().points[std::size_t(t[c])]); };
    const Vec3d a = corner(0), b = corner(1), c = corner(2), center = (a + b + c) / 3.0;
    return {open_cells(gas, pose.world_from_local(center)), 0.5 * length(cross(b - a, c - a)) * rest.value(softness, center)};
}

template <class Visit>
void for_each_facet_chunk(const geom::SampledSolid& rest, const Visit& visit) {
    const auto& triangles = rest.surface().triangles;
    const int chunks = int((triangles.size() + chunk - 1) / chunk);
    parallel_for(chunks, [&](int c) { visit(c, std::size_t(c) * chunk, std::min(triangles.size(), std::size_t(c + 1) * chunk)); });
}

std::size_t chunks_of(const geom::SampledSolid& rest) { return (rest.surface().triangles.size() + chunk - 1) / chunk; }

/// Mean over the cells that see some surface: those that see none know of no depth [m].
double depth_at(const Bite& bite, const OpenCells& cells) {
    double sum = 0, weights = 0;
    for (int c = 0; c < cells.count; ++c) {
        const std::size_t at = std::size_t(cells.at[std::size_t(c)]);
        const double area = double(bite.area.storage()[at]);
        if (!(area > 0)) continue;
        sum += cells.weight[std::size_t(c)] * double(bite.taken.storage()[at]) / (bite.molar_density * area);
        weights += cells.weight[std::size_t(c)];
    }
    return weights > 0 ? sum / weights : 0;
}

/// A sample near the surface and how far the surface moves there [m].
struct Move {
    std::ptrdiff_t at;
    double depth;
};

std::vector<std::vector<Move>> find_moves(const GasAround& gas, const Bite& bite, const geom::Pose& pose, const field::Grid& softness,
                                          const geom::SampledSolid& rest) {
    const field::Layout& layout = rest.distance.layout();
    const Vec3i n = layout.cells();
    const float near = float(largest_part * rest.lattice.h);
    std::vector<std::vector<Move>> moves(std::size_t(n.z));
    parallel_for(n.z, [&](int k) {
        for (int j = 0; j < n.y; ++j) {
            const float* phi = rest.distance.row(j, k);
            const std::ptrdiff_t sy = layout.stride_y(), sz = layout.stride_z();
            for (int i = 0; i < n.x; ++i) {
                if (!(std::fabs(phi[i]) < near)) continue;
                const float* p = phi + i;
                const Vec3d slope(Vec3f(p[1] - p[-1], p[sy] - p[-sy], p[sz] - p[-sz]));
                const double size = length(slope);
                Vec3d nearest = rest.lattice.cell_center(i, j, k);
                if (size > 0) nearest -= slope * (double(*p) / size);
                const OpenCells cells = open_cells(gas, pose.world_from_local(nearest));
                const double depth = depth_at(bite, cells) * rest.value(softness, nearest);
                if (depth > 0) moves[std::size_t(k)].push_back({layout.offset(i, j, k), depth});
            }
        }
    });
    return moves;
}

}  // namespace

void expose(const GasAround& gas, const geom::Pose& pose, const geom::SampledSolid& rest, const field::Grid& softness, field::Grid& area) {
    std::vector<std::vector<Facet>> found(chunks_of(rest));
    for_each_facet_chunk(rest, [&](int c, std::size_t first, std::size_t last) {
        for (std::size_t t = first; t < last; ++t) found[std::size_t(c)].push_back(facet(gas, pose, rest, softness, rest.surface().triangles[t]));
    });
    const double per_volume = 1 / (gas.domain.h * gas.domain.h * gas.domain.h);
    for (const auto& some : found)   // triangles share cells, so their order counts
        for (const Facet& f : some)
            for (int c = 0; c < f.cells.count; ++c) {
                const std::size_t at = std::size_t(f.cells.at[std::size_t(c)]);
                area.storage()[at] += float(f.area * f.cells.weight[std::size_t(c)] * per_volume / double(gas.room.storage()[at]));
            }
}

double eaten_volume(const GasAround& gas, const Bite& bite, const geom::Pose& pose, const geom::SampledSolid& rest, const field::Grid& softness) {
    std::vector<double> parts(chunks_of(rest), 0.0);
    for_each_facet_chunk(rest, [&](int c, std::size_t first, std::size_t last) {
        for (std::size_t t = first; t < last; ++t) {
            const Facet f = facet(gas, pose, rest, softness, rest.surface().triangles[t]);
            parts[std::size_t(c)] += f.area * depth_at(bite, f.cells);
        }
    });
    double volume = 0;
    for (const double part : parts) volume += part;
    return volume;
}

void recede(const GasAround& gas, const Bite& bite, const geom::Pose& pose, const Receding& how, const field::Grid& softness, geom::SampledSolid& rest,
            MarchScratch& scratch) {
    double parts = 1;
    for (int part = 0; part < int(parts); ++part) {
        const auto moves = find_moves(gas, bite, pose, softness, rest);
        if (part == 0) {
            double deepest = 0;
            for (const auto& plane : moves)
                for (const Move& move : plane) deepest = std::max(deepest, move.depth);
            parts = std::max(1.0, std::ceil(how.scale * deepest / (longest_step * rest.lattice.h)));
            if (!(parts < 1e4)) throw RunError("a body recedes faster than can be followed; lower the rate of the reaction that eats it");
        }
        for (const auto& plane : moves)
            for (const Move& move : plane) rest.distance.storage()[std::size_t(move.at)] += float(move.depth * how.scale / parts);
        redistance({.h = rest.lattice.h, .band = how.band}, rest.distance, scratch);
    }
    rest.update();
}

}  // namespace phlo::flow
