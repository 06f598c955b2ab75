#include "geom/mesh_repair.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <unordered_map>

#include "base/error.h"
#include "geom/bounds.h"

namespace phlo::geom {
namespace {

constexpr double weld_tolerance = 1e-6;  ///< of the surface's extent: the noise of files that write six digits

struct Edge {
    int a, b;  ///< a < b
    int triangle, corner;  ///< it runs from this corner to the next
    bool forward;  ///< the triangle goes from a to b
};

/// Points closer than the tolerance become one. A hash grid finds them; a point near a cell's border looks into the next cell too.
void weld(field::TriangleMesh& mesh, const std::string& name) {
    Bounds bounds;
    for (const Vec3f& p : mesh.points) {
        if (!std::isfinite(p.x) || !std::isfinite(p.y) || !std::isfinite(p.z))
            throw InputError(fmt::format("{}: the mesh has a point that is not finite", name));
        bounds.include(Vec3d(p));
    }
    const double extent = length(bounds.size()), tolerance = weld_tolerance * extent, cell = 1e-4 * extent;
    if (!(extent > 0)) throw InputError(fmt::format("{}: all points of the mesh coincide", name));

    std::unordered_map<std::uint64_t, std::vector<int>> cells;
    std::vector<int> index(mesh.points.size());
    std::vector<Vec3f> kept;
    const auto key = [](std::int64_t x, std::int64_t y, std::int64_t z) { return std::uint64_t(x | y << 21 | z << 42); };
    for (std::size_t v = 0; v < mesh.points.size(); ++v) {
        const Vec3d p = Vec3d(mesh.points[v]) - bounds.lower;
        std::array<std::int64_t, 3> low{}, high{}, own{};
        for (int axis = 0; axis < 3; ++axis) {
            low[std::size_t(axis)] = std::int64_t(std::floor((p[axis] - tolerance) / cell)) + 1;
            high[std::size_t(axis)] = std::int64_t(std::floor((p[axis] + tolerance) / cell)) + 1;
            own[std::size_t(axis)] = std::int64_t(std::floor(p[axis] / cell)) + 1;
        }
        int found = -1;
        for (std::int64_t z = low[2]; z <= high[2]; ++z)
            for (std::int64_t y = low[1]; y <= high[1]; ++y)
                for (std::int64_t x = low[0]; x <= high[0]; ++x)
                    if (const auto entry = cells.find(key(x, y, z)); entry != cells.end())
                        for (int candidate : entry->second)
                            if (found < 0 && length(Vec3d(kept[std::size_t(candidate)]) - Vec3d(mesh.points[v])) <= tolerance)
                                found = candidate;
        if (found < 0) {
            found = int(kept.size());
            kept.push_back(mesh.points[v]);
            cells[key(own[0], own[1], own[2])].push_back(found);
        }
        index[v] = found;
    }
    mesh.points = std::move(kept);
    for (Vec3i& t : mesh.triangles)
        for (int c = 0; c < 3; ++c) t[c] = index[std::size_t(t[c])];
    std::erase_if(mesh.triangles, [](const Vec3i& t) { return t.x == t.y || t.y == t.z || t.z == t.x; });
}

std::vector<Edge> sorted_edges(const std::vector<Vec3i>& triangles) {
    std::vector<Edge> edges;
    edges.reserve(triangles.size() * 3);
    for (std::size_t t = 0; t < triangles.size(); ++t)
        for (int c = 0; c < 3; ++c) {
            const int a = triangles[t][c], b = triangles[t][(c + 1) % 3];
            edges.push_back({std::min(a, b), std::max(a, b), int(t), c, a < b});
        }
    std::sort(edges.begin(), edges.end(), [](const Edge& l, const Edge& r) {
        return std::array{l.a, l.b, l.triangle, l.corner} < std::array{r.a, r.b, r.triangle, r.corner};
    });
    return edges;
}

void check_closed(const std::vector<Edge>& edges, const std::string& name) {
    int open = 0, crowded = 0;
    for (std::size_t first = 0, last = 0; first < edges.size(); first = last) {
        while (last < edges.size() && edges[last].a == edges[first].a && edges[last].b == edges[first].b) ++last;
        open += last - first == 1;
        crowded += last - first > 2;
    }
    if (open == 0 && crowded == 0) return;
    throw InputError(
        fmt::format("{}: the mesh does not bound a solid: {} open edge{} (only one triangle), {} edge{} shared by more than two "
                    "triangles; close the holes and merge doubled vertices and faces",
                    name, open, open == 1 ? "" : "s", crowded, crowded == 1 ? "" : "s"));
}

/// Solid angle of a triangle seen from p, over 4 pi [vanoosterom1983]; summed over a closed surface: 1 inside, 0 outside.
double winding(const Vec3d& p, const std::array<Vec3d, 3>& corner) {
    const Vec3d a = corner[0] - p, b = corner[1] - p, c = corner[2] - p;
    const double la = length(a), lb = length(b), lc = length(c);
    const double numerator = dot(a, cross(b, c));
    const double denominator = la * lb * lc + dot(a, b) * lc + dot(b, c) * la + dot(c, a) * lb;
    return std::atan2(numerator, denominator) / (2 * std::numbers::pi);
}

/// Makes neighbours agree, shell by shell. Returns the shell of each triangle.
std::vector<int> orient_shells(Solid& solid, const std::vector<Edge>& edges, const std::string& name) {
    std::vector<Vec3i>& triangles = solid.mesh.triangles;
    std::vector<std::array<std::pair<int, bool>, 3>> across(triangles.size());  // neighbour, and whether both run the same way
    for (std::size_t e = 0; e < edges.size(); e += 2) {
        const Edge &l = edges[e], &r = edges[e + 1];
        across[std::size_t(l.triangle)][std::size_t(l.corner)] = {r.triangle, l.forward == r.forward};
        across[std::size_t(r.triangle)][std::size_t(r.corner)] = {l.triangle, l.forward == r.forward};
    }
    std::vector<int> shell(triangles.size(), -1), stack;
    std::vector<bool> flip(triangles.size(), false);
    for (std::size_t seed = 0; seed < triangles.size(); ++seed) {
        if (shell[seed] >= 0) continue;
        shell[seed] = solid.shells;
        stack.assign(1, int(seed));
        while (!stack.empty()) {
            const std::size_t t = std::size_t(stack.back());
            stack.pop_back();
            for (const auto& [other, same_way] : across[t]) {
                const std::size_t o = std::size_t(other);
                if (shell[o] < 0) {
                    shell[o] = solid.shells;
                    flip[o] = flip[t] != same_way;
                    stack.push_back(other);
                } else if ((flip[o] != flip[t]) != same_way) {
                    throw InputError(
                        fmt::format("{}: the mesh has no inside: it cannot be oriented (a Moebius band or Klein bottle)", name));
                }
            }
        }
        ++solid.shells;
    }
    for (std::size_t t = 0; t < triangles.size(); ++t)
        if (flip[t]) std::swap(triangles[t].y, triangles[t].z);
    return shell;
}

}  // namespace

Solid make_solid(field::TriangleMesh soup, const std::string& name) {
    Solid solid{.mesh = std::move(soup), .opposite = {}};
    std::vector<Vec3i>& triangles = solid.mesh.triangles;
    if (triangles.empty()) throw InputError(fmt::format("{}: the mesh has no triangles", name));
    weld(solid.mesh, name);
    if (triangles.empty()) throw InputError(fmt::format("{}: every triangle of the mesh is without area", name));
    check_closed(sorted_edges(triangles), name);
    const std::vector<int> shell = orient_shells(solid, sorted_edges(triangles), name);

    const auto corners = [&](std::size_t t) {
        const auto p = [&](int c) { return Vec3d(solid.mesh.points[std::size_t(triangles[t][c])]); };
        return std::array{p(0), p(1), p(2)};
    };
    std::vector<double> volume(std::size_t(solid.shells), 0.0);
    std::vector<int> first(std::size_t(solid.shells), -1);
    const Vec3d center = Vec3d(solid.mesh.points.front());  // volumes about a near point: less cancellation
    for (std::size_t t = 0; t < triangles.size(); ++t) {
        const auto c = corners(t);
        volume[std::size_t(shell[t])] += dot(c[0] - center, cross(c[1] - center, c[2] - center)) / 6;
        if (first[std::size_t(shell[t])] < 0) first[std::size_t(shell[t])] = int(t);
    }
    // Whether the whole file is inside out is told by its largest shell. Beyond that, an inward shell is a cavity only where it lies
    // inside another one; anywhere else its orientation carries no meaning.
    const double largest = *std::max_element(volume.begin(), volume.end(), [](double l, double r) { return std::fabs(l) < std::fabs(r); });
    if (!(std::fabs(largest) > 0)) throw InputError(fmt::format("{}: the mesh encloses no volume", name));
    std::vector<bool> turn(volume.size());
    for (std::size_t s = 0; s < volume.size(); ++s) {
        turn[s] = largest < 0;
        const bool inward = (volume[s] < 0) != turn[s];
        if (!inward) continue;
        const auto c = corners(std::size_t(first[s]));
        const Vec3d probe = (c[0] + c[1] + c[2]) / 3.0;
        std::vector<double> around(volume.size(), 0.0);  // +1 or -1 where another shell holds the probe
        for (std::size_t t = 0; t < triangles.size(); ++t)
            if (shell[t] != int(s)) around[std::size_t(shell[t])] += winding(probe, corners(t));
        const bool enclosed = std::any_of(around.begin(), around.end(), [](double w) { return std::fabs(w) > 0.5; });
        if (!enclosed) turn[s] = !turn[s];
    }
    for (std::size_t t = 0; t < triangles.size(); ++t)
        if (turn[std::size_t(shell[t])]) std::swap(triangles[t].y, triangles[t].z);
    for (std::size_t s = 0; s < volume.size(); ++s) solid.volume += turn[s] ? -volume[s] : volume[s];

    solid.opposite.assign(triangles.size(), Vec3i());
    const std::vector<Edge> edges = sorted_edges(triangles);
    for (std::size_t e = 0; e < edges.size(); e += 2) {
        solid.opposite[std::size_t(edges[e].triangle)][edges[e].corner] = edges[e + 1].triangle;
        solid.opposite[std::size_t(edges[e + 1].triangle)][edges[e + 1].corner] = edges[e].triangle;
    }
    return solid;
}

}  // namespace phlo::geom
