// rasterize(): where bodies are, which rows they touch, and the list of faces into which the flow is continued.
#include "flow/solids.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "base/parallel.h"
#include "flow/solids_band.h"
#include "flow/solids_region.h"

namespace phlo::flow {
namespace {

using field::Domain;
using field::Layout;

constexpr int ghost = Layout::ghost;

Solids::Placed on_grid(const Domain& domain, const geom::Placement& placement) {
    Solids::Placed p{placement, {}, {}, placement.body->revision};
    const geom::Bounds box = p.pose.world_from_local(p.body->shape.bounds());
    const Vec3d low = (box.lower - domain.origin) / domain.h, high = (box.upper - domain.origin) / domain.h;
    for (int axis = 0; axis < 3; ++axis) {
        const double n = domain.cells[axis];
        p.first[axis] = int(std::clamp(std::floor(low[axis]) - solid_band, -double(ghost), n + ghost));
        p.last[axis] = int(std::clamp(std::ceil(high[axis]) + solid_band, -double(ghost), n + ghost));
    }
    return p;
}

/// Parts of the grid to be made anew: around each body that moved, where it was and where it is.
std::vector<Region> regions_to_visit(const std::vector<Solids::Placed>& before, const std::vector<Solids::Placed>& now) {
    std::vector<Region> regions;
    const auto add = [&](const Region& r) {
        if (!r.empty()) regions.push_back(r);
    };
    for (std::size_t b = 0; b < std::max(before.size(), now.size()); ++b) {
        const bool was = b < before.size(), is = b < now.size();
        if (was && is && before[b] == now[b]) continue;
        const Region old = was ? Region{before[b].first, before[b].last} : Region{},
                     next = is ? Region{now[b].first, now[b].last} : Region{};
        const Region both{min(old.first, next.first), max(old.last, next.last)};
        if (was && is && !old.empty() && !next.empty() && both.cells() <= old.cells() + next.cells()) {
            add(both);
        } else {
            add(old);
            add(next);
        }
    }
    return regions;
}

void find_spans(const Layout& layout, Solids& solids) {
    const Vec3i n = layout.cells();
    solids.span.assign(std::size_t(n.y + 1) * std::size_t(n.z + 1), {});
    for (const Solids::Placed& p : solids.placed) {
        const int first = std::max(p.first.x, 0), last = std::min(p.last.x, n.x);
        if (first >= last) continue;
        for (int k = std::max(p.first.z, 0); k <= std::min(p.last.z, n.z); ++k)
            for (int j = std::max(p.first.y, 0); j <= std::min(p.last.y, n.y); ++j) {
                Solids::Span& s = solids.span[std::size_t(k) * std::size_t(n.y + 1) + std::size_t(j)];
                s = s.first < s.last ? Solids::Span{std::min(s.first, first), std::max(s.last, last)} : Solids::Span{first, last};
            }
    }
}

void flag_rows(const Layout& layout, Solids& solids) {
    const Vec3i n = layout.cells();
    const field::MacGrid& a = solids.aperture;
    solids.special_row.assign(std::size_t(n.y) * std::size_t(n.z), 0);
    solids.sticky_row.assign(solids.special_row.size(), 0);
    parallel_for(n.z, [&](int k) {
        for (int j = 0; j < n.y; ++j) {
            const Solids::Span s = solids.span[std::size_t(k) * std::size_t(n.y + 1) + std::size_t(j)];
            float least = 1;
            if (s.first < s.last) least = a.x(s.last, j, k);
            for (int i = s.first; i < s.last; ++i)
                least = std::min({least, a.x(i, j, k), a.y(i, j, k), a.y(i, j + 1, k), a.z(i, j, k), a.z(i, j, k + 1)});
            if (!(least < 1)) continue;
            const std::size_t row = std::size_t(k) * std::size_t(n.y) + std::size_t(j);
            solids.special_row[row] = 1;
            for (const Solids::Placed& p : solids.placed)
                if (p.body->no_slip && j >= p.first.y && j < p.last.y && k >= p.first.z && k < p.last.z) solids.sticky_row[row] = 1;
        }
    });
}

}  // namespace

std::size_t Solids::bytes() const {
    std::size_t total = distance.bytes() + aperture.bytes() + velocity.bytes() + volume.bytes() + span.size() * sizeof(Span);
    for (const Band* band : {&band_faces, &band_cells})
        for (const auto& layer : *band) total += layer.size() * sizeof(BandEntry);
    return total;
}

bool rasterize(const Domain& domain, std::span<const geom::Body> bodies, double time, Solids& solids) {
    return rasterize(domain, geom::place(bodies, time), solids);
}

bool rasterize(const Domain& domain, std::span<const geom::Placement> bodies, Solids& solids) {
    if (bodies.empty()) {
        const bool changed = solids.present();
        solids = Solids();
        return changed;
    }
    const Layout layout(domain.cells);
    if (!solids.present() || solids.distance.layout() != layout) {
        solids = Solids();
        solids.far = float(domain.h) * solid_band;
        solids.distance = field::Grid(layout, solids.far);
        solids.aperture = field::MacGrid(layout, 1);
        solids.velocity = field::MacGrid(layout, 0);
        solids.volume = field::Grid(layout, 1);
    }
    std::vector<Solids::Placed> now;
    for (const geom::Placement& body : bodies) now.push_back(on_grid(domain, body));
    if (now == solids.placed) return false;

    const std::vector<Region> regions = regions_to_visit(solids.placed, now);
    solids.placed = std::move(now);
    for (const Region& region : regions) rasterize_region(domain, region, solids);
    find_spans(layout, solids);
    flag_rows(layout, solids);
    find_bands(domain, solids);
    return true;
}

double solid_volume(const Domain& domain, const Solids& solids) {
    if (!solids.present()) return 0;
    const Layout& layout = solids.volume.layout();
    const double covered = parallel_sum(layout.nz(), [&](int k) {
        double plane = 0;
        for (int j = 0; j < layout.ny(); ++j)
            for (int i = 0; i < layout.nx(); ++i) plane += 1 - double(solids.volume(i, j, k));
        return plane;
    });
    return covered * domain.h * domain.h * domain.h;
}

}  // namespace phlo::flow
