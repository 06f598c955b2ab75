// rasterize(): where bodies are, which rows they touch, and the list of faces into which the flow is continued.
#include "flow/solids.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "base/parallel.h"
#include "flow/solids_region.h"

namespace phlo::flow {
namespace {

using field::Domain;
using field::Layout;

constexpr int ghost = Layout::ghost;

Solids::Placed place(const Domain& domain, const geom::Body& body, double time) {
    Solids::Placed p;
    p.body = &body;
    p.pose = body.pose(time);
    p.linear = body.motion.position.derivative(time);
    p.angular = body.motion.angular_velocity(time);
    const geom::Bounds box = p.pose.world_from_local(body.shape.bounds());
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

/// The body that a point belongs to: the one whose surface is nearest, or that it is deepest in.
const Solids::Placed& owner(const Solids& solids, const Vec3d& p) {
    const Solids::Placed* best = &solids.placed.front();
    if (solids.placed.size() == 1) return *best;
    double least = 1e300;
    for (const Solids::Placed& b : solids.placed) {
        const double d = b.body->shape.signed_distance(b.pose.local_from_world(p));
        if (d < least) least = d, best = &b;
    }
    return *best;
}

/// Offsets at Manhattan distance 1, 2, 3: a closed face's layer is its distance to the nearest open face of its component.
std::array<std::vector<Vec3i>, solid_band> make_shells() {
    std::array<std::vector<Vec3i>, solid_band> shells;
    for (int z = -solid_band; z <= solid_band; ++z)
        for (int y = -solid_band; y <= solid_band; ++y)
            for (int x = -solid_band; x <= solid_band; ++x) {
                const int d = std::abs(x) + std::abs(y) + std::abs(z);
                if (d >= 1 && d <= solid_band) shells[std::size_t(d - 1)].push_back({x, y, z});
            }
    return shells;
}

class LayerFinder {
public:
    LayerFinder(const field::Grid& open, Vec3i extent) : open_(open), extent_(extent) {}

    /// 0: open; 1, 2, 3: layers; 4: deeper.
    int layer(int i, int j, int k) const {
        if (open_(i, j, k) > 0) return 0;
        for (int d = 1; d <= solid_band; ++d)
            if (open_at(d, i, j, k)) return d;
        return solid_band + 1;
    }
    /// For a neighbour of an entry of layer wanted + 1: nothing open is nearer to it than `wanted`, so one shell tells.
    bool is_layer(int wanted, int i, int j, int k) const {
        if (!holds(i, j, k)) return false;
        return wanted == 0 ? open_(i, j, k) > 0 : open_at(wanted, i, j, k);
    }

private:
    bool holds(int i, int j, int k) const { return i >= 0 && j >= 0 && k >= 0 && i < extent_.x && j < extent_.y && k < extent_.z; }
    bool open_at(int manhattan, int i, int j, int k) const {
        static const auto shells = make_shells();
        for (const Vec3i& o : shells[std::size_t(manhattan - 1)])
            if (holds(i + o.x, j + o.y, k + o.z) && open_(i + o.x, j + o.y, k + o.z) > 0) return true;
        return false;
    }

    const field::Grid& open_;
    Vec3i extent_;
};

/// Closed entries of one face field or of the cells, near the fluid, in plane k. `keep` may refuse one.
template <class Keep>
void find_band_plane(const Solids& solids, const field::Grid& open, Vec3i extent, int axis, int k, float deep, Keep&& keep,
                     Solids::Band& band) {
    const Layout& layout = open.layout();
    const LayerFinder finder(open, extent);
    for (int j = 0; j < extent.y && k < extent.z; ++j) {
        const Solids::Span s = solids.span[std::size_t(k) * std::size_t(layout.ny() + 1) + std::size_t(j)];
        if (s.first >= s.last) continue;
        for (int i = s.first; i <= std::min(s.last, extent.x - 1); ++i) {
            if (open(i, j, k) > 0 || !(solids.distance(i, j, k) > deep)) continue;
            const int layer = finder.layer(i, j, k);
            if (layer > solid_band || !keep(i, j, k)) continue;
            unsigned nearer = 0;
            for (int a = 0; a < 3; ++a)
                for (int side = 0; side < 2; ++side) {
                    Vec3i to(i, j, k);
                    to[a] += 2 * side - 1;
                    if (finder.is_layer(layer - 1, to.x, to.y, to.z)) nearer |= 1u << (2 * a + side);
                }
            band[std::size_t(layer - 1)].push_back(
                {std::int16_t(i), std::int16_t(j), std::int16_t(k), std::uint8_t(axis), std::uint8_t(nearer)});
        }
    }
}

void find_bands(const Domain& domain, Solids& solids) {
    const Layout& layout = solids.distance.layout();
    const auto any = [&](bool no_slip) {
        return std::any_of(solids.placed.begin(), solids.placed.end(), [&](const auto& p) { return p.body->no_slip == no_slip; });
    };
    const bool slippery = any(false), sticky = any(true);
    const float deep = -float(domain.h) * (solid_band + 1.5f);  // a layer's Manhattan distance, and what a cut face reaches inside
    struct Planes {
        Solids::Band faces, cells;
    };
    std::vector<Planes> planes(std::size_t(layout.nz() + 1));
    parallel_for(int(planes.size()), [&](int k) {
        Planes& plane = planes[std::size_t(k)];
        find_band_plane(
            solids, solids.volume, layout.cells(), 3, k, deep, [](int, int, int) { return true; }, plane.cells);
        for (int axis = 0; axis < 3 && slippery; ++axis) {
            const auto slides = [&](int i, int j, int l) {
                return !sticky || !owner(solids, domain.face_center(axis, i, j, l)).body->no_slip;
            };
            find_band_plane(solids, solids.aperture[axis], field::face_extent(layout, axis), axis, k, deep, slides, plane.faces);
        }
    });
    const auto join = [&](Solids::Band Planes::*which, Solids::Band& band) {
        for (std::size_t layer = 0; layer < band.size(); ++layer) {
            band[layer].clear();
            for (const Planes& plane : planes)
                band[layer].insert(band[layer].end(), (plane.*which)[layer].begin(), (plane.*which)[layer].end());
        }
    };
    join(&Planes::faces, solids.band_faces);
    join(&Planes::cells, solids.band_cells);
}

}  // namespace

std::size_t Solids::bytes() const {
    std::size_t total = distance.bytes() + aperture.bytes() + velocity.bytes() + volume.bytes() + span.size() * sizeof(Span);
    for (const Band* band : {&band_faces, &band_cells})
        for (const auto& layer : *band) total += layer.size() * sizeof(BandEntry);
    return total;
}

bool rasterize(const Domain& domain, std::span<const geom::Body> bodies, double time, Solids& solids) {
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
    for (const geom::Body& body : bodies) now.push_back(place(domain, body, time));
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
