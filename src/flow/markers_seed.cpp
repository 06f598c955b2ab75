#include <algorithm>
#include <cmath>
#include <optional>

#include "base/parallel.h"
#include "base/random.h"
#include "flow/level_set.h"
#include "flow/markers.h"
#include "flow/solids.h"
#include "particles/columns.h"
#include "particles/sample.h"

namespace phlo::flow {
namespace {

using field::Grid;
using field::Layout;

constexpr int max_attractions = 15;
constexpr int deep_share = 4;  ///< cells more than one and a half from the surface get this part of the markers: they are there for what comes up

/// One side's markers, cell by cell.
class Seeding {
public:
    Seeding(const MarkerParams& params, const Grid& phi, float side, std::uint32_t step, MarkerSet& set)
        : params_(params),
          phi_(phi),
          cells_(phi.layout().cells()),
          side_(side),
          key_{params.seed, step, side < 0 ? 0x6d01u : 0x6d02u},
          set_(set),
          near_(band_tiles(phi, (params.band + 0.1) * params.h)) {}

    void run() {
        sort_by_cells();
        gone_.assign(set_.x.size(), 0);
        std::vector<MarkerSet> fresh(std::size_t(cells_.z));
        parallel_for(cells_.z, [&](int k) {
            for (int j = 0; j < cells_.y; ++j) visit_row(j, k, fresh[std::size_t(k)]);
        });
        particles::remove_marked(gone_, set_);
        for (const MarkerSet& plane : fresh) particles::append(plane, set_);
        sort_by_cells();
    }

private:
    std::size_t index(const Vec3i& c) const {
        return std::size_t(c.x) + std::size_t(cells_.x) * (std::size_t(c.y) + std::size_t(cells_.y) * std::size_t(c.z));
    }
    std::size_t row(int j, int k) const { return std::size_t(j) + std::size_t(cells_.y) * std::size_t(k); }
    static int nearest(float x, int n) { return std::clamp(int(std::floor(x + 0.5f)), 0, n - 1); }

    /// By rows, and by cells within each; in a cell as they were.
    void sort_by_cells() {
        row_start_.assign(std::size_t(cells_.y) * std::size_t(cells_.z) + 1, 0);
        std::vector<int> row_of(set_.x.size()), order(set_.x.size());
        for (std::size_t n = 0; n < row_of.size(); ++n) {
            row_of[n] = int(row(nearest(set_.y[n], cells_.y), nearest(set_.z[n], cells_.z)));
            ++row_start_[std::size_t(row_of[n]) + 1];
        }
        for (std::size_t r = 1; r < row_start_.size(); ++r) row_start_[r] += row_start_[r - 1];
        std::vector<int> next(row_start_.begin(), row_start_.end() - 1);
        for (std::size_t n = 0; n < row_of.size(); ++n) order[std::size_t(next[std::size_t(row_of[n])]++)] = int(n);
        parallel_for(cells_.z, [&](int k) {
            std::vector<int> place(std::size_t(cells_.x) + 1), those;
            for (int j = 0; j < cells_.y; ++j)
                sort_row(std::span(order).subspan(std::size_t(row_start_[row(j, k)]),
                                                  std::size_t(row_start_[row(j, k) + 1] - row_start_[row(j, k)])),
                         place, those);
        });
        particles::reorder(order, set_);
    }

    void sort_row(std::span<int> order, std::vector<int>& place, std::vector<int>& those) const {
        if (order.empty()) return;
        const auto cell = [&](int n) { return std::size_t(nearest(set_.x[std::size_t(n)], cells_.x)); };
        std::fill(place.begin(), place.end(), 0);
        for (const int n : order) ++place[cell(n) + 1];
        for (std::size_t c = 1; c < place.size(); ++c) place[c] += place[c - 1];
        those.assign(order.begin(), order.end());
        for (const int n : those) order[std::size_t(place[cell(n)]++)] = n;
    }

    /// Cells near the surface, and all others that have markers.
    void visit_row(int j, int k, MarkerSet& fresh) {
        auto first = std::size_t(row_start_[row(j, k)]);
        const auto end = std::size_t(row_start_[row(j, k) + 1]);
        for (int i = 0; i < cells_.x;) {
            const int with_markers = first < end ? nearest(set_.x[first], cells_.x) : cells_.x;
            if (i < with_markers && !near_.active_at_cell(i, j, k)) {
                i = std::min(with_markers, (i / TileSet::tile.x + 1) * TileSet::tile.x);
                continue;
            }
            std::size_t last = first;
            while (last < end && nearest(set_.x[last], cells_.x) == i) ++last;
            visit({i, j, k}, first, last, fresh);
            first = last, ++i;
        }
    }

    /// The level set at a place, positive on the own side [cells].
    float level(const Vec3f& p) const { return side_ * particles::sample(phi_, p) / float(params_.h); }

    /// A cell and its markers from `first` to before `last`.
    void visit(const Vec3i& c, std::size_t first, std::size_t last, MarkerSet& fresh) {
        const float own = side_ * phi_(c.x, c.y, c.z) / float(params_.h);
        const bool buried = params_.solid_distance && (*params_.solid_distance)(c.x, c.y, c.z) < -0.9f * float(params_.h);
        const bool seeds = own > -0.5f && own < float(params_.band) && !buried && (own > 0 || meets_own_side(c)) && !is_shut(c);
        if (buried) std::fill(gone_.begin() + std::ptrdiff_t(first), gone_.begin() + std::ptrdiff_t(last), std::uint8_t(1));
        if (first == last && !seeds) return;
        const int most = own < 1.5f ? params_.per_cell : std::max(1, params_.per_cell / deep_share);
        const int kept = thin_out(c, own, most, first, last);
        if (!seeds) return;
        const int wanted = int(std::lround(double(most) * std::clamp(0.5 + double(own), 0.0, 1.0)));
        for (int n = kept; n < wanted; ++n) {
            const auto random = uniform4(key_, std::uint32_t(index(c)), std::uint32_t(n));
            const Vec3f at = Vec3f(c) + Vec3f(random[0] - 0.5f, random[1] - 0.5f, random[2] - 0.5f);
            const float farthest = std::max(2 * float(params_.min_radius), 0.5f + own);
            const auto p = attracted(at, float(params_.min_radius) + random[3] * (farthest - float(params_.min_radius)));
            if (p && !in_body(*p)) {
                fresh.x.push_back(p->x), fresh.y.push_back(p->y), fresh.z.push_back(p->z);
                fresh.radius.push_back(std::clamp(level(*p), float(params_.min_radius), float(params_.max_radius)));
            }
        }
    }

    /// In a wall thinner than a cell the level set may have the sign of the liquid behind it.
    bool is_shut(const Vec3i& c) const { return params_.solids && params_.solids->covered(c.x, c.y, c.z); }

    /// Does an open face lead to a cell of the own side? Across a thin wall the level set only seems to go on.
    bool meets_own_side(const Vec3i& c) const {
        if (!params_.solids || double(params_.solids->distance(c.x, c.y, c.z)) > 2 * params_.h) return true;
        for (int axis = 0; axis < 3; ++axis)
            for (const int way : {-1, 1}) {
                Vec3i to = c, face = c;
                to[axis] += way, face[axis] += way > 0;
                if (to[axis] < 0 || to[axis] >= cells_[axis] || !(params_.solids->aperture[axis](face.x, face.y, face.z) > 0)) continue;
                if (side_ * phi_(to.x, to.y, to.z) > 0) return true;
            }
        return false;
    }

    /// A marker that starts in a body would be pushed out of it, maybe across the surface.
    bool in_body(const Vec3f& p) const { return params_.solid_distance && particles::sample(*params_.solid_distance, p) < 0; }

    /// Marks the markers of a cell that go. Returns how many stay, escaped ones not counted.
    int thin_out(const Vec3i& c, float own, int most, std::size_t first, std::size_t last) {
        const bool hopeless = first != last && is_far_bottom(c, own);
        std::vector<std::pair<float, std::size_t>> those;  // by how far they are from where they are needed
        for (std::size_t n = first; n < last; ++n) {
            const float found = level({set_.x[n], set_.y[n], set_.z[n]});
            const bool escaped = found < -set_.radius[n];
            if (escaped ? hopeless : found > float(params_.band)) gone_[n] = 1;
            else if (!escaped) those.emplace_back(set_.radius[n] - found, n);
        }
        const int surplus = int(those.size()) - most;
        if (surplus <= 0) return int(those.size());
        std::sort(those.begin(), those.end());
        for (int n = 0; n < surplus; ++n) gone_[those[std::size_t(n)].second] = 1;
        return most;
    }

    /// The cell is deeper on the other side than all around it.
    bool is_far_bottom(const Vec3i& c, float own) const {
        if (own >= -1) return false;
        for (int axis = 0; axis < 3; ++axis)
            for (const int way : {-1, 1}) {
                Vec3i n = c;
                n[axis] += way;
                if (n[axis] >= 0 && n[axis] < cells_[axis] && side_ * phi_(n.x, n.y, n.z) / float(params_.h) <= own) return false;
            }
        return true;
    }

    /// A place on the own side near `p`, at the distance `goal` from the surface if p is not on it already; none if that is not found.
    std::optional<Vec3f> attracted(Vec3f p, float goal) const {
        const Vec3f lower(-0.499f), upper = Vec3f(cells_) - Vec3f(0.501f);
        float stride = 1;
        for (int n = 0; n < max_attractions; ++n) {
            const float found = level(p);
            if (found >= float(params_.min_radius)) return found <= float(params_.band) ? std::optional(p) : std::nullopt;
            const Vec3f slope{level(p + Vec3f(0.5f, 0, 0)) - level(p - Vec3f(0.5f, 0, 0)),
                              level(p + Vec3f(0, 0.5f, 0)) - level(p - Vec3f(0, 0.5f, 0)),
                              level(p + Vec3f(0, 0, 0.5f)) - level(p - Vec3f(0, 0, 0.5f))};
            const float size = length(slope);
            if (size < 1e-3f) return std::nullopt;
            p = min(max(p + slope * (stride * (goal - found) / size), lower), upper);
            stride *= n < 3 ? 1.0f : 0.5f;
        }
        return std::nullopt;
    }

    const MarkerParams& params_;
    const Grid& phi_;
    Vec3i cells_;
    float side_;
    RandomKey key_;
    MarkerSet& set_;
    TileSet near_;
    std::vector<int> row_start_;  ///< of the markers of each row of cells
    std::vector<std::uint8_t> gone_;
};

}  // namespace

void reseed(const MarkerParams& params, const Grid& phi, Markers& markers) {
    Seeding(params, phi, -1, markers.steps, markers.inside).run();
    if (params.outside) Seeding(params, phi, 1, markers.steps, markers.outside).run();
    else markers.outside = {};
}

}  // namespace phlo::flow
