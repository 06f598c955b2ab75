#include "flow/extend.h"

#include <algorithm>
#include <cstring>

#include "base/error.h"
#include "base/parallel.h"

namespace phlo::flow {
namespace {

using field::Layout;

enum Mark : std::uint8_t { unknown = 0, known = 1, next = 2, outside = 4 };
constexpr int chunk = 512;   ///< entries of one task

template <class Body>
void for_each_chunk(std::size_t count, const Body& body) {
    parallel_for(int((count + chunk - 1) / chunk), [&](int c) { body(std::size_t(c) * chunk, std::min(count, (std::size_t(c) + 1) * chunk)); });
}

/// Spreads the known entries of a grid of this extent.
class Layers {
public:
    Layers(const Layout& layout, const Vec3i& extent, MarchScratch& scratch)
        : layout_(layout), extent_(extent), scratch_(scratch), step_{1, layout.stride_y(), layout.stride_z()} {
        scratch_.layout = Layout();   // marks mean something else in a march
        scratch_.mark.resize(layout.size());
        std::memset(scratch_.mark.data(), outside, scratch_.mark.size());
    }

    /// find(j, k, marks of the row): sets them to known or unknown.
    template <class Find>
    void mark_rows(const Find& find) {
        parallel_for(extent_.z, [&](int k) {
            for (int j = 0; j < extent_.y; ++j) find(j, k, row(j, k));
        });
    }

    /// nearness(offset): the smaller, the nearer to what is known.
    template <class Nearness>
    void spread(int layers, const Nearness& nearness, field::Grid& q) {
        first_layer();
        std::vector<int>& front = scratch_.wanted;
        for (int layer = 0; layer < layers && !front.empty(); ++layer) {
            fill(front, nearness, q.storage().data());
            for (const int at : front) scratch_.mark[std::size_t(at)] = known;
            if (layer + 1 < layers) next_layer();
        }
        for (const int at : front)
            if (std::uint8_t& mark = scratch_.mark[std::size_t(at)]; mark == next) mark = unknown;
    }

    std::uint8_t* row(int j, int k) { return scratch_.mark.data() + layout_.offset(0, j, k); }

private:
    void first_layer() {
        std::vector<std::vector<int>> of_plane(std::size_t(extent_.z));
        parallel_for(extent_.z, [&](int k) {
            std::vector<std::uint8_t> found(std::size_t(extent_.x) + 8);
            for (int j = 0; j < extent_.y; ++j) {
                const std::uint8_t* mark = row(j, k);
                const std::ptrdiff_t sy = step_[1], sz = step_[2];
#pragma omp simd
                for (int i = 0; i < extent_.x; ++i)
                    found[std::size_t(i)] = std::uint8_t((mark[i] == unknown) & (mark[i - 1] | mark[i + 1] | mark[i - sy] | mark[i + sy] | mark[i - sz] | mark[i + sz]));
                for (int i = 0; i < extent_.x; i += 8) {
                    std::uint64_t eight;
                    std::memcpy(&eight, found.data() + i, 8);
                    if ((eight & 0x0101010101010101u) == 0) continue;
                    for (int n = i; n < std::min(i + 8, extent_.x); ++n)
                        if (found[std::size_t(n)] & known) of_plane[std::size_t(k)].push_back(int(layout_.offset(n, j, k)));
                }
            }
        });
        scratch_.wanted.clear();
        for (const auto& plane : of_plane) scratch_.wanted.insert(scratch_.wanted.end(), plane.begin(), plane.end());
        for (const int at : scratch_.wanted) scratch_.mark[std::size_t(at)] = next;
    }

    void next_layer() {
        scratch_.known.clear();
        for (const int at : scratch_.wanted)
            for (const std::ptrdiff_t s : step_)
                for (const std::ptrdiff_t to : {at - s, at + s})
                    if (std::uint8_t& mark = scratch_.mark[std::size_t(to)]; mark == unknown) mark = next, scratch_.known.push_back(int(to));
        scratch_.wanted.swap(scratch_.known);
    }

    template <class Nearness>
    void fill(const std::vector<int>& front, const Nearness& nearness, float* q) {
        for_each_chunk(front.size(), [&](std::size_t first, std::size_t last) {
            for (std::size_t n = first; n < last; ++n) {
                const std::ptrdiff_t at = front[n];
                const float own = nearness(at);
                float sum = 0, weights = 0;
                for (const std::ptrdiff_t s : step_)
                    for (const std::ptrdiff_t from : {at - s, at + s})
                        if (scratch_.mark[std::size_t(from)] == known) {
                            const float weight = std::max(own - nearness(from), 0.0f) + 1e-3f;
                            sum += weight * q[from], weights += weight;
                        }
                q[at] = sum / weights;
            }
        });
    }

    Layout layout_;
    Vec3i extent_;
    MarchScratch& scratch_;
    std::ptrdiff_t step_[3];
};

void extend_component(const VelocityExtension& how, int axis, const field::Grid& phi, field::Grid& u, MarchScratch& scratch) {
    const Layout& layout = phi.layout();
    const Vec3i extent = field::face_extent(layout, axis);
    const std::ptrdiff_t s = axis == 0 ? 1 : axis == 1 ? layout.stride_y() : layout.stride_z();
    const float* distance = phi.storage().data();
    Layers layers(layout, extent, scratch);
    layers.mark_rows([&](int j, int k, std::uint8_t* mark) {
        const float *above = phi.row(j, k), *below = above - s;
        if (how.open == nullptr) {
#pragma omp simd
            for (int i = 0; i < extent.x; ++i) mark[i] = std::uint8_t((above[i] < 0) | (below[i] < 0));
            return;
        }
        const float* open = (*how.open)[axis].row(j, k);
#pragma omp simd
        for (int i = 0; i < extent.x; ++i) mark[i] = std::uint8_t(((above[i] < 0) | (below[i] < 0)) & (open[i] > 0));
    });
    const float unit = float(0.5 / how.h);
    layers.spread(how.layers, [&](std::ptrdiff_t at) { return unit * (distance[at] + distance[at - s]); }, u);
    parallel_for(extent.z, [&](int k) {
        for (int j = 0; j < extent.y; ++j) {
            const std::uint8_t* mark = layers.row(j, k);
            float* row = u.row(j, k);
#pragma omp simd
            for (int i = 0; i < extent.x; ++i) row[i] = mark[i] == known ? row[i] : 0.0f;
        }
    });
}

}  // namespace

void extend_velocity(const VelocityExtension& how, const field::Grid& phi, field::MacGrid& u, MarchScratch& scratch) {
    PHLO_CHECK(phi.layout() == u.layout());
    for (int axis = 0; axis < 3; ++axis) extend_component(how, axis, phi, u[axis], scratch);
}

void extend_into_solids(const Solids& solids, int layers, field::Grid& q, MarchScratch& scratch) {
    if (!solids.present()) return;
    const Layout& layout = q.layout();
    Layers spread(layout, layout.cells(), scratch);
    spread.mark_rows([&](int j, int k, std::uint8_t* mark) {
        const float* open = solids.volume.row(j, k);
#pragma omp simd
        for (int i = 0; i < layout.nx(); ++i) mark[i] = std::uint8_t(open[i] > 0);
    });
    const float* distance = solids.distance.storage().data();
    const float unit = 1 / solids.far;
    spread.spread(layers, [&](std::ptrdiff_t at) { return -unit * distance[at]; }, q);
}

}  // namespace phlo::flow
