// What a moving body sweeps over is handed to the fluid beside it.
#include <algorithm>
#include <unordered_map>
#include <vector>

#include "base/parallel.h"
#include "flow/solids.h"

namespace phlo::flow {
namespace {

using field::Grid;
using field::Layout;

struct Covered {
    Vec3i cell;
    int layer = 0;  ///< steps to the nearest fluid cell; 0: not found yet
};

std::int64_t key(const Layout& layout, const Vec3i& c) { return std::int64_t(layout.offset(c.x, c.y, c.z)); }

bool inside(const Layout& layout, const Vec3i& c) {
    return c.x >= 0 && c.y >= 0 && c.z >= 0 && c.x < layout.nx() && c.y < layout.ny() && c.z < layout.nz();
}

template <class Visit>
void for_each_neighbor(const Layout& layout, const Vec3i& c, Visit&& visit) {
    for (int axis = 0; axis < 3; ++axis)
        for (int step : {-1, 1}) {
            Vec3i to = c;
            to[axis] += step;
            if (inside(layout, to)) visit(to);
        }
}

/// Covered cells that hold something, in the order of rows.
std::vector<Covered> swept_cells(const Solids& solids, const Grid& q) {
    const Layout& layout = q.layout();
    std::vector<std::vector<Covered>> planes(std::size_t(layout.nz()));
    parallel_for(layout.nz(), [&](int k) {
        for (int j = 0; j < layout.ny(); ++j) {
            const Solids::Span s = solids.span[std::size_t(k) * std::size_t(layout.ny() + 1) + std::size_t(j)];
            for (int i = s.first; i < s.last; ++i)
                if (solids.covered(i, j, k) && q(i, j, k) != 0) planes[std::size_t(k)].push_back({{i, j, k}});
        }
    });
    std::vector<Covered> all;
    for (const auto& plane : planes) all.insert(all.end(), plane.begin(), plane.end());
    return all;
}

using Layers = std::unordered_map<std::int64_t, int>;

/// Finds the cells' layers by rounds: a cell joins a round if a neighbour is fluid or joined in the round before. Those that no
/// round reaches keep 0.
Layers find_layers(const Solids& solids, const Layout& layout, std::vector<Covered>& cells) {
    Layers layer_of;
    layer_of.reserve(cells.size());
    for (const Covered& c : cells) layer_of[key(layout, c.cell)] = 0;
    std::vector<std::size_t> waiting(cells.size()), next, joined(1);
    for (std::size_t c = 0; c < cells.size(); ++c) waiting[c] = c;
    for (int round = 1; !joined.empty(); ++round) {
        next.clear(), joined.clear();
        for (std::size_t c : waiting) {
            bool reached = false;
            for_each_neighbor(layout, cells[c].cell, [&](const Vec3i& to) {
                if (round == 1) {
                    reached = reached || !solids.covered(to.x, to.y, to.z);
                } else if (const auto entry = layer_of.find(key(layout, to)); entry != layer_of.end()) {
                    reached = reached || entry->second == round - 1;
                }
            });
            (reached ? joined : next).push_back(c);
        }
        for (std::size_t c : joined) layer_of[key(layout, cells[c].cell)] = cells[c].layer = round;
        waiting.swap(next);
    }
    return layer_of;
}

}  // namespace

double push_out(const Solids& solids, Grid& q) {
    if (!solids.present()) return 0;
    const Layout& layout = q.layout();
    std::vector<Covered> cells = swept_cells(solids, q);
    const Layers layer_of = find_layers(solids, layout, cells);
    std::stable_sort(cells.begin(), cells.end(), [](const Covered& a, const Covered& b) { return a.layer > b.layer; });

    // From the deepest outward: each cell hands on to the cells one step nearer to the fluid. Few cells, and their order matters, so
    // this is serial.
    double removed = 0;
    for (const Covered& c : cells) {
        const auto weight_of = [&](const Vec3i& to) {
            if (c.layer == 1) return solids.volume(to.x, to.y, to.z);
            const auto entry = layer_of.find(key(layout, to));
            return c.layer > 1 && entry != layer_of.end() && entry->second == c.layer - 1 ? 1.f : 0.f;
        };
        float total = 0;
        for_each_neighbor(layout, c.cell, [&](const Vec3i& to) { total += weight_of(to); });
        float& own = q(c.cell.x, c.cell.y, c.cell.z);
        if (total > 0) {
            const float share = own / total;
            for_each_neighbor(layout, c.cell, [&](const Vec3i& to) { q(to.x, to.y, to.z) += share * weight_of(to); });
        } else {
            removed += double(own);
        }
        own = 0;
    }
    return removed;
}

}  // namespace phlo::flow
