#include "geom/marching_cubes_table.h"

#include <bit>
#include <limits>

#include "base/vec.h"

namespace phlo::geom {
namespace {

constexpr int next_axis(int axis) { return (axis + 1) % 3; }
constexpr int third_axis(int axis) { return (axis + 2) % 3; }

/// The edge between two corners that differ in one coordinate.
int edge_between(int p, int q) {
    const int axis = std::countr_zero(unsigned(p ^ q));
    return 4 * axis + (p >> next_axis(axis) & 1) + 2 * (p >> third_axis(axis) & 1);
}

/// The two faces that an edge lies on, as bits.
unsigned faces_of(int edge) {
    const int axis = edge / 4, b = edge & 1, c = edge >> 1 & 1;
    return 1u << (2 * next_axis(axis) + b) | 1u << (2 * third_axis(axis) + c);
}

Vec3d middle_of(int edge) {
    const int axis = edge / 4;
    Vec3d p;
    p[axis] = 0.5;
    p[next_axis(axis)] = edge & 1;
    p[third_axis(axis)] = edge >> 1 & 1;
    return p;
}

bool is_ambiguous(unsigned inside, int face) {
    const std::array<int, 4> c = CubeTable::face_corners(face);
    const auto in = [&](int n) { return (inside >> c[std::size_t(n)] & 1) != 0; };
    return in(0) == in(2) && in(1) == in(3) && in(0) != in(1);
}

/// From each edge that the surface cuts, the edge at the other end of the line that begins there; -1 for the others.
std::array<int, 12> lines_of(unsigned inside, unsigned joined) {
    std::array<int, 12> next;
    next.fill(-1);
    for (int face = 0; face < 6; ++face) {
        const std::array<int, 4> corner = CubeTable::face_corners(face);
        const auto at = [&](int n) { return corner[std::size_t(n & 3)]; };
        const auto in = [&](int n) { return (inside >> at(n) & 1) != 0; };
        for (int n = 0; n < 4; ++n) {
            if (!in(n) || in(n + 1)) continue;   // lines end where the way around the face leaves the inside,
            int entry = n + 1;                   // and begin where it comes in again, or, around a corner that stays alone, where it came in
            while (in(entry) || !in(entry + 1)) ++entry;
            if (is_ambiguous(inside, face) && !(joined >> face & 1)) entry = n + 3;
            next[std::size_t(edge_between(at(entry), at(entry + 1)))] = edge_between(at(n), at(n + 1));
        }
    }
    return next;
}

/// The triangles of a loop, with the shortest sides that lie on no face; none if there is no such way.
std::vector<CubeTable::Triangle> filled(const std::vector<int>& loop) {
    const int n = int(loop.size());
    const auto edge = [&](int i) { return loop[std::size_t(i)]; };
    const auto side = [&](int i, int j) {   // what it costs to draw one from point i to point j
        if (j - i == 1 || j - i == n - 1) return 0.0;
        if (faces_of(edge(i)) & faces_of(edge(j))) return std::numeric_limits<double>::infinity();
        const Vec3d d = middle_of(edge(i)) - middle_of(edge(j));
        return dot(d, d);
    };
    std::vector<double> cost(std::size_t(n * n), 0);   // of the part of the loop from i to j
    std::vector<int> best(std::size_t(n * n), -1);
    for (int span = 2; span < n; ++span)
        for (int i = 0; i + span < n; ++i) {
            const int j = i + span;
            double least = std::numeric_limits<double>::infinity();
            for (int m = i + 1; m < j; ++m)
                if (const double sum = cost[std::size_t(i * n + m)] + cost[std::size_t(m * n + j)]; sum < least)
                    least = sum, best[std::size_t(i * n + j)] = m;
            cost[std::size_t(i * n + j)] = least + side(i, j);
        }
    if (!(cost[std::size_t(n - 1)] < std::numeric_limits<double>::infinity())) return {};
    std::vector<CubeTable::Triangle> result;
    std::vector<std::pair<int, int>> open{{0, n - 1}};
    while (!open.empty()) {
        const auto [i, j] = open.back();
        open.pop_back();
        if (j - i < 2) continue;
        const int m = best[std::size_t(i * n + j)];
        result.push_back({std::uint8_t(edge(i)), std::uint8_t(edge(m)), std::uint8_t(edge(j))});
        open.emplace_back(i, m);
        open.emplace_back(m, j);
    }
    return result;
}

}  // namespace

std::array<int, 4> CubeTable::face_corners(int face) {
    const int axis = face / 2, far = (face & 1) << axis, b = 1 << next_axis(axis), c = 1 << third_axis(axis);
    if (far) return {far, far | b, far | b | c, far | c};
    return {0, c, b | c, b};
}

const CubeTable& CubeTable::get() {
    static const CubeTable table;
    return table;
}

CubeTable::CubeTable() {
    for (unsigned inside = 0; inside < 256; ++inside) {
        unsigned faces = 0;
        for (int face = 0; face < 6; ++face) faces |= unsigned(is_ambiguous(inside, face)) << face;
        ambiguous_[inside] = std::uint8_t(faces);
        first_[inside] = int(cases_.size());
        for (unsigned choice = 0; choice < 1u << std::popcount(faces); ++choice) {
            unsigned joined = 0, bit = 0;
            for (int face = 0; face < 6; ++face)
                if (faces >> face & 1) joined |= (choice >> bit++ & 1) << face;
            add_case(inside, joined);
        }
    }
}

void CubeTable::add_case(unsigned inside, unsigned joined) {
    Range range{.triangle = int(triangles_.size()), .middle = int(middles_.size())};
    std::array<int, 12> next = lines_of(inside, joined);
    for (int start = 0; start < 12; ++start) {
        std::vector<int> loop;
        for (int e = start; next[std::size_t(e)] >= 0;) {
            loop.push_back(e);
            const int to = next[std::size_t(e)];
            next[std::size_t(e)] = -1;
            e = to;
        }
        if (loop.empty()) continue;
        const std::vector<Triangle> triangles = filled(loop);
        triangles_.insert(triangles_.end(), triangles.begin(), triangles.end());
        if (!triangles.empty()) continue;
        const auto middle = std::uint8_t(12 + int(middles_.size()) - range.middle);
        Loop edges = 0;
        for (std::size_t n = 0; n < loop.size(); ++n) {
            edges = Loop(edges | 1 << loop[n]);
            triangles_.push_back({std::uint8_t(loop[n]), std::uint8_t(loop[(n + 1) % loop.size()]), middle});
        }
        middles_.push_back(edges);
    }
    range.triangles = int(triangles_.size()) - range.triangle;
    range.middles = int(middles_.size()) - range.middle;
    cases_.push_back(range);
}

int CubeTable::index(unsigned inside, unsigned joined) const {
    int choice = 0, bit = 0;
    for (unsigned faces = ambiguous_[inside]; faces; faces &= faces - 1) choice |= int(joined >> std::countr_zero(faces) & 1) << bit++;
    return first_[inside] + choice;
}

CubeTable::Case CubeTable::at(int index) const {
    const Range& r = cases_[std::size_t(index)];
    return {std::span(triangles_).subspan(std::size_t(r.triangle), std::size_t(r.triangles)),
            std::span(middles_).subspan(std::size_t(r.middle), std::size_t(r.middles))};
}

}  // namespace phlo::geom
