// Where particles begin, and where there are too few or too many of them.
#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "base/parallel.h"
#include "base/random.h"
#include "flow/body_contacts.h"
#include "flow/level_set.h"
#include "flow/liquid_particles.h"
#include "flow/marker_packs.h"
#include "particles/columns.h"
#include "particles/sample.h"
#include "particles/sample_pack.h"

namespace phlo::flow {
namespace {

using field::Grid;
using simd::Float;

constexpr double deep_margin = 1;  ///< particles this far below the band go; between, none is added [cells]
constexpr std::uint32_t stream = 0x6170;
enum Fate : std::uint8_t { stays, too_deep, too_high, buried };

/// Only the place; the rest is 0.
void add_particle(const Vec3f& at, LiquidParticles& set) {
    particles::for_each_column(set, [](auto& column) { column.push_back(0); });
    set.x.back() = at.x, set.y.back() = at.y, set.z.back() = at.z;
}

/// One pass over the cells: particles are judged, sorted, thinned out and added.
class Seeding {
public:
    /// `all`: the first time, when every part of a cell that lies in the liquid gets its particle.
    Seeding(const LiquidParticleParams& params, const Grid& phi, const Solids& solids, bool all, LiquidParticles& set)
        : params_(params),
          all_(all),
          phi_(phi),
          solids_(solids),
          set_(set),
          cells_(phi.layout().cells()),
          placed_(solids.placed.begin(), solids.placed.end()),
          contacts_(params.domain, placed_, placed_),
          near_(params.band < no_band ? band_tiles(phi, (params.band + 1) * params.domain.h) : TileSet(phi.layout(), true)) {}

    ParticleChanges run() {
        judge();
        sort_by_cells();
        planes_.assign(std::size_t(cells_.z), {});
        parallel_for(
            cells_.z,
            [&](int k) {
                for (int j = 0; j < cells_.y; ++j) visit_row(j, k, planes_[std::size_t(k)]);
            },
            Share::one_by_one);
        return put_together();
    }
    /// Indices of the new ones, in rising order, after run().
    const std::vector<int>& fresh() const { return fresh_; }

private:
    /// What one plane of cells becomes.
    struct Plane {
        LiquidParticles added;
        std::vector<int> order;  ///< particles of the plane; -1 - n: the n-th that is added
        long surplus = 0;
    };

    std::size_t row(int j, int k) const { return std::size_t(j) + std::size_t(cells_.y) * std::size_t(k); }
    std::uint32_t index(const Vec3i& c) const { return std::uint32_t(std::size_t(c.x) + std::size_t(cells_.x) * row(c.y, c.z)); }
    static int nearest(float x, int n) { return std::clamp(int(std::floor(x + 0.5f)), 0, n - 1); }
    Vec3f place(std::size_t n) const { return {set_.x[n], set_.y[n], set_.z[n]}; }
    float depth(const Vec3f& p) const { return -particles::sample(phi_, p) / float(params_.domain.h); }

    void judge() {
        fate_.assign(set_.count(), stays);
        const particles::PackSampler level(phi_, cells_);
        const Float per_cell(float(-1 / params_.domain.h)), deepest(float(params_.band + deep_margin)), highest(float(-params_.max_height));
        for_each_pack(set_.count(), [&](std::size_t n, int lanes) {
            const Float x = load_lanes(&set_.x[n], lanes), y = load_lanes(&set_.y[n], lanes), z = load_lanes(&set_.z[n], lanes);
            const Float depth = level(x, y, z) * per_cell;
            const unsigned deep = simd::bits(depth > deepest), high = simd::bits(depth < highest);
            unsigned inside = 0;
            if (solids_.present()) inside = simd::bits(particles::PackSampler(solids_.distance, cells_)(x, y, z) * per_cell > Float(0.5f));
            for (int l = 0; l < lanes; ++l)
                if (unsigned(deep | high | inside) >> l & 1)
                    fate_[n + std::size_t(l)] = inside >> l & 1 ? buried : deep >> l & 1 ? too_deep : too_high;
        });
    }

    /// By rows, and by cells within each; in a cell as they were. Those that go are left out.
    void sort_by_cells() {
        row_start_.assign(std::size_t(cells_.y) * std::size_t(cells_.z) + 1, 0);
        std::vector<int> row_of(set_.count());
        for_each_marker_chunk(set_.count(), [&](int, std::size_t first, std::size_t last) {
            for (std::size_t n = first; n < last; ++n) row_of[n] = int(row(nearest(set_.y[n], cells_.y), nearest(set_.z[n], cells_.z)));
        });
        for (std::size_t n = 0; n < row_of.size(); ++n) row_start_[std::size_t(row_of[n]) + 1] += fate_[n] == stays;
        for (std::size_t r = 1; r < row_start_.size(); ++r) row_start_[r] += row_start_[r - 1];
        std::vector<int> next(row_start_.begin(), row_start_.end() - 1);
        order_.resize(std::size_t(row_start_.back()));
        for (std::size_t n = 0; n < row_of.size(); ++n)
            if (fate_[n] == stays) order_[std::size_t(next[std::size_t(row_of[n])]++)] = int(n);
        parallel_for(cells_.z, [&](int k) {
            std::vector<int> start(std::size_t(cells_.x) + 1), those;
            for (int j = 0; j < cells_.y; ++j) sort_row(row_of_order(j, k), start, those);
        });
    }
    std::span<int> row_of_order(int j, int k) {
        const auto first = std::size_t(row_start_[row(j, k)]);
        return std::span(order_).subspan(first, std::size_t(row_start_[row(j, k) + 1]) - first);
    }
    void sort_row(std::span<int> order, std::vector<int>& start, std::vector<int>& those) const {
        if (order.empty()) return;
        std::fill(start.begin(), start.end(), 0);
        for (const int n : order) ++start[cell_x(n) + 1];
        for (std::size_t c = 1; c < start.size(); ++c) start[c] += start[c - 1];
        those.assign(order.begin(), order.end());
        for (const int n : those) order[std::size_t(start[cell_x(n)]++)] = n;
    }
    std::size_t cell_x(int n) const { return std::size_t(nearest(set_.x[std::size_t(n)], cells_.x)); }

    /// Cells near the surface, and all others that have particles.
    void visit_row(int j, int k, Plane& plane) {
        std::span<int> left = row_of_order(j, k);
        for (int i = 0; i < cells_.x;) {
            const int occupied = left.empty() ? cells_.x : int(cell_x(left.front()));
            if (i < occupied && !near_.active_at_cell(i, j, k)) {
                i = std::min(occupied, (i / TileSet::tile.x + 1) * TileSet::tile.x);
                continue;
            }
            std::size_t here = 0;
            while (here < left.size() && int(cell_x(left[here])) == i) ++here;
            visit({i, j, k}, left.first(here), plane);
            left = left.subspan(here), ++i;
        }
    }

    /// The part of its cell that a particle lies in.
    int part_of(const Vec3i& c, const Vec3f& p) const {
        const auto along = [&](float at, int cell) {
            return std::clamp(int((at - float(cell) + 0.5f) * float(params_.per_axis)), 0, params_.per_axis - 1);
        };
        return along(p.x, c.x) + params_.per_axis * (along(p.y, c.y) + params_.per_axis * along(p.z, c.z));
    }

    void visit(const Vec3i& c, std::span<const int> those, Plane& plane) {
        const int full = params_.per_cell();
        const float own = -phi_(c.x, c.y, c.z) / float(params_.domain.h);
        const double most = params_.max_share * full;
        std::vector<int> in_part;
        const auto count_parts = [&] {
            in_part.assign(std::size_t(full), 0);
            for (const int n : those) ++in_part[std::size_t(part_of(c, place(std::size_t(n))))];
        };
        if (double(those.size()) > most) {
            count_parts();
            thin_out(c, those, std::size_t(most), in_part, plane);
            return;
        }
        plane.order.insert(plane.order.end(), those.begin(), those.end());
        const int wanted = wanted_at(own);
        if (2 * int(those.size()) >= wanted || (solids_.present() && solids_.covered(c.x, c.y, c.z))) return;
        count_parts();
        fill_up(c, wanted - int(those.size()), in_part, plane);
    }

    /// Particles that a cell with its centre at this depth should have.
    int wanted_at(float depth) const {
        const float below = depth - (all_ ? 0.0f : float(params_.seed_depth));
        if (depth >= float(params_.band) || below <= -0.9f) return 0;
        return all_ ? params_.per_cell() : int(std::clamp(0.5f + below, 0.0f, 1.0f) * float(params_.per_cell()) + 0.5f);
    }

    /// Of the parts with most particles the last ones go.
    void thin_out(const Vec3i& c, std::span<const int> those, std::size_t most, std::vector<int>& in_part, Plane& plane) {
        std::vector<int> kept(those.begin(), those.end());
        for (; kept.size() > most; ++plane.surplus) {
            const int fullest = int(std::max_element(in_part.begin(), in_part.end()) - in_part.begin());
            const auto last = std::find_if(kept.rbegin(), kept.rend(), [&](int n) { return part_of(c, place(std::size_t(n))) == fullest; });
            kept.erase(std::next(last).base());
            --in_part[std::size_t(fullest)];
        }
        plane.order.insert(plane.order.end(), kept.begin(), kept.end());
    }

    /// A particle in each empty part of the cell that lies in the liquid, as many as are missing.
    void fill_up(const Vec3i& c, int missing, const std::vector<int>& in_part, Plane& plane) {
        const int n = params_.per_axis;
        for (int part = 0; part < params_.per_cell() && missing > 0; ++part) {
            if (in_part[std::size_t(part)] > 0) continue;
            const auto random = uniform4({params_.seed, set_.steps, stream}, index(c), std::uint32_t(part));
            const Vec3f corner(float(part % n), float(part / n % n), float(part / (n * n)));
            const Vec3f p = Vec3f(c) - Vec3f(0.5f) + (corner + Vec3f(random[0], random[1], random[2])) * (1 / float(n));
            if (!(depth(p) > (all_ ? 0.0f : float(params_.seed_depth))) || !is_open(c, p)) continue;
            plane.order.push_back(-1 - int(plane.added.count()));
            add_particle(p, plane.added);
            --missing;
        }
    }

    /// Outside bodies, and on the same side of a thin one as the cell's centre.
    bool is_open(const Vec3i& c, const Vec3f& p) const {
        if (!solids_.present() || solids_.distance(c.x, c.y, c.z) > float(2 * params_.domain.h)) return true;
        return contacts_.free_way(solids_.distance(c.x, c.y, c.z) > 0 ? Vec3f(c) : p, p);
    }

    ParticleChanges put_together() {
        ParticleChanges changes;
        for (const std::uint8_t f : fate_)
            changes.deep += f == too_deep, changes.outside += f == too_high, changes.in_bodies += f == buried;
        order_.clear();
        for (const Plane& plane : planes_) {
            const int base = int(set_.count());
            for (const int n : plane.order) {
                if (n < 0) fresh_.push_back(int(order_.size()));
                order_.push_back(n < 0 ? base - 1 - n : n);
            }
            particles::append(plane.added, set_);
            changes.added += long(plane.added.count()), changes.surplus += plane.surplus;
        }
        particles::reorder(order_, set_);
        return changes;
    }

    const LiquidParticleParams& params_;
    bool all_;
    const Grid& phi_;
    const Solids& solids_;
    LiquidParticles& set_;
    Vec3i cells_;
    std::vector<geom::Placement> placed_;
    BodyContacts contacts_;
    TileSet near_;
    std::vector<std::uint8_t> fate_;
    std::vector<int> row_start_, order_, fresh_;
    std::vector<Plane> planes_;
};

/// Marks the particles that have too few others around them. Returns how many.
long find_spray(const Vec3i& cells, int neighbors, LiquidParticles& set) {
    constexpr int enough = 255;
    const auto at = [&](int i, int j, int k) {
        return std::size_t(i) + std::size_t(cells.x) * (std::size_t(j) + std::size_t(cells.y) * std::size_t(k));
    };
    const auto nearest = [](float x, int n) { return std::clamp(int(std::floor(x + 0.5f)), 0, n - 1); };
    std::vector<std::uint8_t> in_cell(std::size_t(cells.x) * std::size_t(cells.y) * std::size_t(cells.z), 0);
    for (std::size_t n = 0; n < set.count(); ++n) {
        std::uint8_t& c = in_cell[at(nearest(set.x[n], cells.x), nearest(set.y[n], cells.y), nearest(set.z[n], cells.z))];
        if (c < enough) ++c;
    }
    const auto is_alone = [&](std::size_t n) {
        const Vec3i c{nearest(set.x[n], cells.x), nearest(set.y[n], cells.y), nearest(set.z[n], cells.z)};
        int found = int(in_cell[at(c.x, c.y, c.z)]) - 1;  // most stop here
        for (int k = std::max(c.z - 1, 0); k <= std::min(c.z + 1, cells.z - 1) && found < neighbors; ++k)
            for (int j = std::max(c.y - 1, 0); j <= std::min(c.y + 1, cells.y - 1) && found < neighbors; ++j)
                for (int i = std::max(c.x - 1, 0); i <= std::min(c.x + 1, cells.x - 1); ++i)
                    if (Vec3i(i, j, k) != c) found += in_cell[at(i, j, k)];
        return found < neighbors;
    };
    std::vector<long> of_chunk((set.count() + marker_chunk - 1) / marker_chunk, 0);
    for_each_marker_chunk(set.count(), [&](int chunk, std::size_t first, std::size_t last) {
        for (std::size_t n = first; n < last; ++n) of_chunk[std::size_t(chunk)] += set.flying[n] = is_alone(n);
    });
    long all = 0;
    for (const long n : of_chunk) all += n;
    return all;
}

}  // namespace

ParticleChanges seed_particles(const LiquidParticleParams& params, const Grid& phi, const Solids& solids, LiquidParticles& set) {
    LiquidParticleParams adding = params;
    adding.max_height = no_band, adding.max_share = std::numeric_limits<double>::max();
    return Seeding(adding, phi, solids, true, set).run();
}

ParticleChanges reseed(const LiquidParticleParams& params, const Grid& phi, const field::MacGrid& u, const Solids& solids,
                       LiquidParticles& set) {
    ++set.steps;
    Seeding seeding(params, phi, solids, false, set);
    ParticleChanges changes = seeding.run();
    if (!seeding.fresh().empty()) {
        LiquidParticles added;
        for (const int n : seeding.fresh()) add_particle({set.x[std::size_t(n)], set.y[std::size_t(n)], set.z[std::size_t(n)]}, added);
        from_grid({.phi = &phi, .h = params.domain.h}, u, added);
        std::apply(
            [&](auto... column) {
                for (std::size_t a = 0; a < added.count(); ++a)
                    (((set.*column)[std::size_t(seeding.fresh()[a])] = (added.*column)[a]), ...);
            },
            LiquidParticles::columns);
    }
    changes.flying = find_spray(phi.layout().cells(), params.spray_neighbors, set);
    return changes;
}

}  // namespace phlo::flow
