#include "flow/extend.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "base/error.h"
#include "base/parallel.h"

namespace phlo::flow {
namespace {

using field::Layout;

/// Bits of an entry's mark; none: it is open, and not known. What a closed one has been given goes to other closed ones alone.
enum Mark : std::uint8_t { known = 1, next = 2, outside = 4, closed = 8 };
constexpr int chunk = 512;  ///< entries of one task

template <class Body>
void for_each_chunk(std::size_t count, const Body& body) {
    parallel_for(int((count + chunk - 1) / chunk),
                 [&](int c) { body(std::size_t(c) * chunk, std::min(count, (std::size_t(c) + 1) * chunk)); });
}

/// Spreads the known entries of a grid, in the given tiles. Entries are cells (axis < 0) or faces; a face belongs to the cell above it, the
/// last ones to the last cells.
class Layers {
public:
    Layers(const Layout& layout, int axis, const TileSet& tiles, MarchScratch& scratch)
        : layout_(layout), axis_(axis), tiles_(tiles), scratch_(scratch), step_{1, layout.stride_y(), layout.stride_z()} {
        scratch_.layout = Layout();  // marks mean something else in a march
        scratch_.mark.resize(layout.size());
        std::memset(scratch_.mark.data(), outside, scratch_.mark.size());
    }

    /// visit(j, k, first, last, marks of the row): entries from `first` to before `last` in a row.
    template <class Visit>
    void for_each_row(const Visit& visit) {
        tiles_.for_each_run([&](const CellBox& cells) {
            const Vec3i last = upper_end(cells);
            for (int k = cells.lower.z; k < last.z; ++k)
                for (int j = cells.lower.y; j < last.y; ++j)
                    visit(j, k, cells.lower.x, last.x, scratch_.mark.data() + layout_.offset(0, j, k));
        });
    }

    /// How values go on, for as many layers; then, and where too little is known, as they are.
    struct Slope {
        int layers = 0;
        float steepest = 0;   ///< up to so much an entry; 0: as steep as the last two are, if they agree
        const float* distance = nullptr;   ///< of a level set: to the nearest body, < 0 inside. In walls that are thin, where the slope would give a value another sign
                                           ///< than all that is known around it has, the value goes on as it is
        float thin = 0;   ///< half the thickness of such walls
    };

    /// nearness(offset): the smaller, the nearer to what is known.
    template <class Nearness>
    void spread(int layers, const Slope& slope, const Nearness& nearness, field::Grid& q) {
        first_layer();
        std::vector<int>& front = scratch_.wanted;
        for (int layer = 0; layer < layers && !front.empty(); ++layer) {
            fill(front, layer < slope.layers ? &slope : nullptr, nearness, q.storage().data());
            for (const int at : front) scratch_.mark[std::size_t(at)] ^= known | next;
            if (layer + 1 < layers) next_layer();
        }
        for (const int at : front)
            scratch_.mark[std::size_t(at)] &= std::uint8_t(~next);
    }

private:
    Vec3i upper_end(const CellBox& cells) const {
        Vec3i last = cells.upper;
        if (axis_ >= 0 && last[axis_] == layout_.cells()[axis_]) ++last[axis_];
        return last;
    }

    void first_layer() {
        const std::vector<CellBox> runs = tiles_.runs();
        std::vector<std::vector<int>> of_run(runs.size());
        parallel_for(int(runs.size()), [&](int r) {
            const CellBox& cells = runs[std::size_t(r)];
            const Vec3i last = upper_end(cells);
            for (int k = cells.lower.z; k < last.z; ++k)
                for (int j = cells.lower.y; j < last.y; ++j) find_front(j, k, cells.lower.x, last.x, of_run[std::size_t(r)]);
        });
        scratch_.wanted.clear();
        for (const auto& run : of_run) scratch_.wanted.insert(scratch_.wanted.end(), run.begin(), run.end());
        for (const int at : scratch_.wanted) scratch_.mark[std::size_t(at)] |= next;
    }

    /// Unknown entries of a row with a known neighbour.
    void find_front(int j, int k, int first, int last, std::vector<int>& front) const {
        const std::uint8_t* mark = scratch_.mark.data() + layout_.offset(0, j, k);
        const std::ptrdiff_t sy = step_[1], sz = step_[2];
        for (int i = first; i < last; i += 8) {  // eight marks at a time: bit 0 of each byte is `known`
            const auto eight = [&](std::ptrdiff_t offset) {
                std::uint64_t bytes;
                std::memcpy(&bytes, mark + i + offset, 8);
                return bytes;
            };
            constexpr std::uint64_t ones = 0x0101010101010101u;
            const std::uint64_t own = eight(0), unknown_here = ~(own | own >> 2) & ones;  // neither known nor outside
            std::uint64_t found = unknown_here & (eight(-1) | eight(1) | eight(-sy) | eight(sy) | eight(-sz) | eight(sz));
            for (; found; found &= found - 1)
                if (const int n = i + std::countr_zero(found) / 8; n < last) front.push_back(int(layout_.offset(n, j, k)));
        }
    }

    void next_layer() {
        scratch_.known.clear();
        for (const int at : scratch_.wanted)
            for (const std::ptrdiff_t s : step_)
                for (const std::ptrdiff_t to : {at - s, at + s})
                    if (std::uint8_t& mark = scratch_.mark[std::size_t(to)]; (mark & (known | next | outside)) == 0 && passes(at, to))
                        mark |= next, scratch_.known.push_back(int(to));
        scratch_.wanted.swap(scratch_.known);
    }

    bool passes(std::ptrdiff_t from, std::ptrdiff_t to) const {
        return (scratch_.mark[std::size_t(from)] & closed) <= (scratch_.mark[std::size_t(to)] & closed);
    }

    /// From an entry to the next one, if enough is known behind it.
    bool slope_at(const Slope& slope, std::ptrdiff_t from, std::ptrdiff_t step, const float* q, float& rise) const {
        const auto is_known = [&](std::ptrdiff_t at) { return (scratch_.mark[std::size_t(at)] & known) != 0; };
        if (!is_known(from - step)) return false;
        const float last = q[from] - q[from - step];
        if (slope.steepest > 0) return rise = std::clamp(last, -slope.steepest, slope.steepest), true;
        if (!is_known(from - 2 * step)) return false;
        const float one_before = q[from - step] - q[from - 2 * step];
        rise = last * one_before > 0 ? (std::fabs(last) < std::fabs(one_before) ? last : one_before) : 0.f;
        return true;
    }

    /// Does one of the known entries around one have this sign?
    bool has_like(std::ptrdiff_t at, bool negative, const float* q) const {
        for (int c = -1; c <= 1; ++c)
            for (int b = -1; b <= 1; ++b)
                for (int a = -1; a <= 1; ++a) {
                    const std::ptrdiff_t to = at + a * step_[0] + b * step_[1] + c * step_[2];
                    if ((scratch_.mark[std::size_t(to)] & known) != 0 && (q[to] < 0) == negative) return true;
                }
        return false;
    }

    bool is_in_thin_wall(std::ptrdiff_t at, const Slope& slope) const {
        for (const std::ptrdiff_t s : step_)
            if (std::min(slope.distance[at - s], slope.distance[at + s]) < -slope.thin) return false;
        return true;
    }

    /// Of a thin wall with liquid on one side and air on the other: the level set goes on from the liquid, or there would be a gap before the wall.
    bool is_air_behind(std::ptrdiff_t from, std::ptrdiff_t opposite, const float* q) const {
        return q[from] >= 0 && (scratch_.mark[std::size_t(opposite)] & known) != 0 && q[opposite] < 0;
    }

    template <class Nearness>
    void fill(const std::vector<int>& front, const Slope* slope, const Nearness& nearness, float* q) {
        for_each_chunk(front.size(), [&](std::size_t first, std::size_t last) {
            for (std::size_t n = first; n < last; ++n) {
                const std::ptrdiff_t at = front[n];
                const float own = nearness(at);
                const bool thin = slope != nullptr && slope->distance != nullptr && is_in_thin_wall(at, *slope);
                float sum = 0, weights = 0;      // of what goes on with its slope
                float plain = 0, plain_weights = 0;
                for (const std::ptrdiff_t s : step_)
                    for (const std::ptrdiff_t from : {at - s, at + s})
                        if ((scratch_.mark[std::size_t(from)] & known) != 0 && passes(from, at) && !(thin && is_air_behind(from, 2 * at - from, q))) {
                            const float weight = std::max(own - nearness(from), 0.0f) + 1e-3f;
                            plain += weight * q[from], plain_weights += weight;
                            float rise;
                            if (slope == nullptr || !slope_at(*slope, from, at - from, q, rise)) continue;
                            sum += weight * (q[from] + rise), weights += weight;
                        }
                const float value = weights > 0 ? sum / weights : plain / plain_weights;
                q[at] = thin && !has_like(at, value < 0, q) ? plain / plain_weights : value;
            }
        });
    }

    Layout layout_;
    int axis_;
    const TileSet& tiles_;
    MarchScratch& scratch_;
    std::ptrdiff_t step_[3];
};

void extend_component(const VelocityExtension& how, int axis, const TileSet& tiles, const field::Grid& phi, field::Grid& u,
                      MarchScratch& scratch) {
    const Layout& layout = phi.layout();
    const std::ptrdiff_t s = axis == 0 ? 1 : axis == 1 ? layout.stride_y() : layout.stride_z();
    const float* distance = phi.storage().data();
    Layers layers(layout, axis, tiles, scratch);
    layers.for_each_row([&](int j, int k, int first, int last, std::uint8_t* mark) {
        const float *above = phi.row(j, k), *below = above - s;
#pragma omp simd
        for (int i = first; i < last; ++i) mark[i] = std::uint8_t((above[i] < 0) | (below[i] < 0));
        if (how.open == nullptr) return;
        const float *open = (*how.open)[axis].row(j, k), least = how.min_open;
#pragma omp simd
        for (int i = first; i < last; ++i) mark[i] = open[i] > 0 ? std::uint8_t(mark[i] & (open[i] > least)) : std::uint8_t(closed);
    });
    const float unit = float(0.5 / how.h);
    layers.spread(
        how.layers, {.layers = how.sloping}, [&](std::ptrdiff_t at) { return unit * (distance[at] + distance[at - s]); }, u);
    layers.for_each_row([&](int j, int k, int first, int last, const std::uint8_t* mark) {
        float* row = u.row(j, k);
#pragma omp simd
        for (int i = first; i < last; ++i) row[i] = (mark[i] & known) != 0 ? row[i] : 0.0f;
    });
}

}  // namespace

void extend_velocity(const VelocityExtension& how, const field::Grid& phi, field::MacGrid& u, MarchScratch& scratch) {
    PHLO_CHECK(phi.layout() == u.layout());
    const TileSet all = how.tiles ? TileSet() : TileSet(phi.layout(), true);
    for (int axis = 0; axis < 3; ++axis) extend_component(how, axis, how.tiles ? *how.tiles : all, phi, u[axis], scratch);
}

void extend_into_solids(const Solids& solids, int layers, float steepest, field::Grid& q, MarchScratch& scratch) {
    if (!solids.present()) return;
    const Layout& layout = q.layout();
    const TileSet tiles(layout, true);
    Layers spread(layout, -1, tiles, scratch);
    spread.for_each_row([&](int j, int k, int first, int last, std::uint8_t* mark) {
        const float* open = solids.volume.row(j, k);
#pragma omp simd
        for (int i = first; i < last; ++i) mark[i] = std::uint8_t(open[i] > 0);
    });
    const float* distance = solids.distance.storage().data();
    const float unit = 1 / solids.far;
    constexpr float thin = 0.7f;   // of three cells
    spread.spread(
        layers, {.layers = steepest > 0 ? layers : 0, .steepest = steepest, .distance = distance, .thin = thin * solids.far}, [&](std::ptrdiff_t at) { return -unit * distance[at]; }, q);
}

}  // namespace phlo::flow
