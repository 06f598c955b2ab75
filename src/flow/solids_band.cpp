#include "flow/solids_band.h"

#include <algorithm>

#include "base/parallel.h"

namespace phlo::flow {
namespace {

using field::Layout;

/// The body that a point belongs to: the one whose surface is nearest, or that it is deepest in.
const geom::Body& owner(const Solids& solids, const Vec3d& p) {
    const Solids::Placed* best = &solids.placed.front();
    double least = 1e300;
    for (const Solids::Placed& b : solids.placed) {
        const double d = b.body->shape.signed_distance(b.pose.local_from_world(p));
        if (d < least) least = d, best = &b;
    }
    return *best->body;
}

/// Layers of one face field or of the cells, found breadth first from the open entries.
class LayerSearch {
public:
    LayerSearch(const Solids& solids, const field::Grid& open, Vec3i extent, int axis)
        : solids_(solids), open_(open), extent_(extent), axis_(std::uint8_t(axis)) {
        // Marks cover the box of all spans and one entry around it, so that neighbours need no check.
        const Layout& layout = open.layout();
        Vec3i last;
        first_ = layout.cells();
        for (int k = 0; k <= layout.nz(); ++k)
            for (int j = 0; j <= layout.ny(); ++j) {
                const Solids::Span s = span(j, k);
                if (s.first < s.last) first_ = min(first_, {s.first, j, k}), last = max(last, {s.last, j, k});
            }
        last = min(last, extent - Vec3i(1));
        count_ = max(last - first_ + Vec3i(3), Vec3i());
        step_ = {1, count_.x, std::ptrdiff_t(count_.x) * count_.y};
        marks_.assign(std::size_t(count_.x) * std::size_t(count_.y) * std::size_t(count_.z), beyond);
    }

    void run(Solids::Band& band) {
        for (auto& layer : band) layer.clear();
        if (marks_.empty()) return;
        mark_open();
        for (std::uint8_t layer = 1; layer <= solid_band; ++layer) {
            auto& list = band[std::size_t(layer - 1)];
            if (layer == 1) first_layer(list);
            else next_layer(layer, band[std::size_t(layer - 2)], list);
            for (Solids::BandEntry& e : list)
                for (int bit = 0; bit < 6; ++bit)
                    if (marks_[neighbor(index(e.i, e.j, e.k), bit)] == layer - 1) e.nearer = std::uint8_t(e.nearer | 1 << bit);
        }
    }

private:
    static constexpr std::uint8_t closed = 254, beyond = 255;

    Solids::Span span(int j, int k) const { return solids_.span[std::size_t(k) * std::size_t(open_.layout().ny() + 1) + std::size_t(j)]; }
    std::size_t index(int i, int j, int k) const {
        return std::size_t((i - first_.x + 1) + (j - first_.y + 1) * step_[1] + (k - first_.z + 1) * step_[2]);
    }
    /// Bit 2 a + s: along axis a, on the lower (0) or upper (1) side.
    std::size_t neighbor(std::size_t at, int bit) const {
        return std::size_t(std::ptrdiff_t(at) + (bit & 1 ? 1 : -1) * step_[std::size_t(bit / 2)]);
    }

    template <class Visit>
    void for_each_row(Visit&& visit) const {
        for (int k = first_.z; k < std::min(first_.z + count_.z - 2, extent_.z); ++k)
            for (int j = first_.y; j < std::min(first_.y + count_.y - 2, extent_.y); ++j) {
                const Solids::Span s = span(j, k);
                if (s.first < s.last) visit(j, k, s.first, std::min(s.last, extent_.x - 1));
            }
    }

    void mark_open() {
        for_each_row([&](int j, int k, int first, int last) {
            const float* open = open_.row(j, k);
            std::uint8_t* mark = marks_.data() + index(0, j, k);
            for (int i = first; i <= last; ++i) mark[i] = open[i] > 0 ? std::uint8_t(0) : closed;
        });
    }

    Solids::BandEntry entry(int i, int j, int k) const { return {std::int16_t(i), std::int16_t(j), std::int16_t(k), axis_, 0}; }

    void first_layer(std::vector<Solids::BandEntry>& list) {
        for_each_row([&](int j, int k, int first, int last) {
            const std::uint8_t* mark = marks_.data() + index(0, j, k);
            for (int i = first; i <= last; ++i) {
                const std::uint8_t* m = mark + i;
                if (m[0] == closed &&
                    (m[-1] == 0 || m[1] == 0 || m[-step_[1]] == 0 || m[step_[1]] == 0 || m[-step_[2]] == 0 || m[step_[2]] == 0))
                    list.push_back(entry(i, j, k));
            }
        });
        for (const Solids::BandEntry& e : list) marks_[index(e.i, e.j, e.k)] = 1;
    }

    void next_layer(std::uint8_t layer, const std::vector<Solids::BandEntry>& before, std::vector<Solids::BandEntry>& list) {
        for (const Solids::BandEntry& e : before)
            for (int bit = 0; bit < 6; ++bit) {
                std::uint8_t& mark = marks_[neighbor(index(e.i, e.j, e.k), bit)];
                if (mark != closed) continue;
                mark = layer;
                Vec3i to(e.i, e.j, e.k);
                to[bit / 2] += bit & 1 ? 1 : -1;
                list.push_back(entry(to.x, to.y, to.z));
            }
    }

    const Solids& solids_;
    const field::Grid& open_;
    Vec3i extent_, first_, count_;
    std::array<std::ptrdiff_t, 3> step_{};
    std::uint8_t axis_;
    std::vector<std::uint8_t> marks_;  ///< 0 open, 1.. layer
};

}  // namespace

void find_bands(const field::Domain& domain, Solids& solids) {
    const Layout& layout = solids.distance.layout();
    const bool sticky = std::any_of(solids.placed.begin(), solids.placed.end(), [](const auto& p) { return p.body->no_slip; });
    std::array<Solids::Band, 4> bands;  // three face fields and the cells: one item of work each
    parallel_for(4, [&](int axis) {
        const bool faces = axis < 3;
        const Vec3i extent = faces ? field::face_extent(layout, axis) : layout.cells();
        Solids::Band& band = bands[std::size_t(axis)];
        LayerSearch(solids, faces ? solids.aperture[axis] : solids.volume, extent, axis).run(band);
        // At a body to which fluid sticks, closed faces keep the body's velocity.
        if (faces && sticky)
            for (auto& layer : band)
                std::erase_if(layer, [&](const auto& e) { return owner(solids, domain.face_center(axis, e.i, e.j, e.k)).no_slip; });
    });
    solids.band_cells = std::move(bands[3]);
    for (std::size_t layer = 0; layer < solids.band_faces.size(); ++layer) {
        auto& all = solids.band_faces[layer];
        all.clear();
        for (std::size_t axis = 0; axis < 3; ++axis) all.insert(all.end(), bands[axis][layer].begin(), bands[axis][layer].end());
    }
}

}  // namespace phlo::flow
