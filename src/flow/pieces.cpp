#include "flow/pieces.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "flow/redistance.h"

namespace phlo::flow {
namespace {

int root_of(std::vector<int>& parent, int run) {
    while (parent[std::size_t(run)] != run) run = parent[std::size_t(run)] = parent[std::size_t(parent[std::size_t(run)])];
    return run;
}

/// Joins the runs [a, a_end) of one row with those of another that they overlap; both in ascending order.
void join_rows(const std::vector<Pieces::Run>& runs, std::vector<int>& parent, int a, int a_end, int b, int b_end) {
    while (a < a_end && b < b_end) {
        const Pieces::Run &ra = runs[std::size_t(a)], &rb = runs[std::size_t(b)];
        if (ra.first < rb.last && rb.first < ra.last) {
            const int one = root_of(parent, a), other = root_of(parent, b);
            parent[std::size_t(std::max(one, other))] = std::min(one, other);
        }
        ra.last < rb.last ? ++a : ++b;
    }
}

Vec3i offset_of(const geom::SampledSolid& rest, const geom::SampledSolid& piece) {
    const Vec3d way = (piece.lattice.origin - rest.lattice.origin) / rest.lattice.h;
    return {int(std::lround(way.x)), int(std::lround(way.y)), int(std::lround(way.z))};
}

}  // namespace

int Pieces::largest() const { return int(std::ranges::max_element(samples) - samples.begin()); }

Pieces find_pieces(const field::Grid& distance) {
    const Vec3i n = distance.layout().cells();
    Pieces pieces;
    std::vector<int> row_start(std::size_t(n.y) * std::size_t(n.z) + 1, 0);
    for (int k = 0; k < n.z; ++k)
        for (int j = 0; j < n.y; ++j) {
            const float* phi = distance.row(j, k);
            row_start[std::size_t(k) * std::size_t(n.y) + std::size_t(j)] = int(pieces.runs.size());
            for (int i = 0; i < n.x; ++i) {
                if (!(phi[i] < 0)) continue;
                const int first = i;
                while (i < n.x && phi[i] < 0) ++i;
                pieces.runs.push_back({j, k, first, i, 0});
            }
        }
    row_start.back() = int(pieces.runs.size());
    std::vector<int> parent(pieces.runs.size());
    std::iota(parent.begin(), parent.end(), 0);
    for (int k = 0; k < n.z; ++k)
        for (int j = 0; j < n.y; ++j) {
            const auto join = [&](std::size_t with) {
                const std::size_t row = std::size_t(k) * std::size_t(n.y) + std::size_t(j);
                join_rows(pieces.runs, parent, row_start[row], row_start[row + 1], row_start[with], row_start[with + 1]);
            };
            if (j > 0) join(std::size_t(k) * std::size_t(n.y) + std::size_t(j - 1));
            if (k > 0) join(std::size_t(k - 1) * std::size_t(n.y) + std::size_t(j));
        }
    std::vector<int> number(pieces.runs.size(), -1);
    for (std::size_t r = 0; r < pieces.runs.size(); ++r) {
        int& piece = number[std::size_t(root_of(parent, int(r)))];
        if (piece < 0) piece = pieces.count(), pieces.samples.push_back(0);
        pieces.runs[r].piece = piece;
        pieces.samples[std::size_t(piece)] += pieces.runs[r].last - pieces.runs[r].first;
    }
    return pieces;
}

geom::SampledSolid cut_out(const Pieces& pieces, int piece, double band, geom::SampledSolid& rest) {
    Vec3i low = rest.lattice.cells, high;
    for (const Pieces::Run& run : pieces.runs) {
        if (run.piece != piece) continue;
        low = min(low, Vec3i(run.first, run.j, run.k));
        high = max(high, Vec3i(run.last, run.j + 1, run.k + 1));
    }
    low = max(low - Vec3i(geom::SampledSolid::margin), Vec3i());
    high = min(high + Vec3i(geom::SampledSolid::margin), rest.lattice.cells);
    field::Domain lattice{.cells = high - low, .origin = rest.lattice.origin + Vec3d(low) * rest.lattice.h, .h = rest.lattice.h};
    field::Grid own{field::Layout(lattice.cells)};
    for (int k = 0; k < lattice.cells.z; ++k)
        for (int j = 0; j < lattice.cells.y; ++j)
            for (int i = 0; i < lattice.cells.x; ++i) own(i, j, k) = std::fabs(rest.distance(low.x + i, low.y + j, low.z + k));
    for (const Pieces::Run& run : pieces.runs) {
        if (run.piece != piece) continue;
        for (int i = run.first; i < run.last; ++i) {
            float& there = rest.distance(i, run.j, run.k);
            own(i - low.x, run.j - low.y, run.k - low.z) = there;
            there = std::fabs(there);
        }
    }
    MarchScratch scratch, scratch_of_rest;
    redistance({.h = rest.lattice.h, .band = band}, own, scratch);
    redistance({.h = rest.lattice.h, .band = band}, rest.distance, scratch_of_rest);
    rest.update();
    return {lattice, std::move(own)};
}

field::Grid part_of(const field::Grid& field, const geom::SampledSolid& rest, const geom::SampledSolid& piece) {
    const Vec3i low = offset_of(rest, piece), n = piece.lattice.cells;
    field::Grid part{field::Layout(n)};
    for (int k = 0; k < n.z; ++k)
        for (int j = 0; j < n.y; ++j)
            for (int i = 0; i < n.x; ++i) part(i, j, k) = field(low.x + i, low.y + j, low.z + k);
    extend_into_ghosts(part, n);
    return part;
}

}  // namespace phlo::flow
