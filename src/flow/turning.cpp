#include "flow/turning.h"

#include <algorithm>
#include <cstdint>
#include <vector>

#include "base/error.h"

namespace phlo::flow {
namespace {

using field::Grid;
using field::Layout;
using field::MacGrid;

constexpr float widest = 0.25f;   ///< half of what the liquid turns [rad]: what turns farther in a step is not resolved by it, and is left as it is

class Turn {
public:
    Turn(const Turning& how, const Layout& layout, const TileSet& tiles, std::vector<std::uint8_t>& known)
        : quarter_dt_(float(0.25 * how.dt)), per_h_(float(1 / how.h)), layout_(layout), tiles_(tiles),
          step_{1, layout.stride_y(), layout.stride_z()}, known_(known) {}

    /// Bit `axis` of an entry: the face is the liquid's, and nothing holds it.
    void find_known(const Grid& phi, const Solids& solids) {
        known_.assign(layout_.size(), 0);
        const float* level = phi.storage().data();
        tiles_.for_each_run([&](const CellBox& box) {
            for_each_row(box, [&](int j, int k, std::ptrdiff_t row) {
                std::uint8_t* mark = known_.data() + row;
                for (int axis = 0; axis < 3; ++axis) {
                    if ((axis == 1 && j == 0) || (axis == 2 && k == 0)) continue;
                    const float *above = level + row, *below = above - step_[axis];
                    const float* open = solids.present() ? solids.aperture[axis].storage().data() + row : nullptr;
                    for (int i = std::max(box.lower.x, int(axis == 0)); i < box.upper.x; ++i)
                        if ((above[i] < 0 || below[i] < 0) && (open == nullptr || open[i] == 1)) mark[i] |= std::uint8_t(1u << axis);
                }
            });
        });
    }

    /// before = u - before
    void find_push(const MacGrid& u, MacGrid& before) const {
        for (int axis = 0; axis < 3; ++axis) {
            const float* now = u[axis].storage().data();
            float* push = before[axis].storage().data();
            tiles_.for_each_run([&](const CellBox& box) {
                for_each_row(box, [&](int, int, std::ptrdiff_t row) {
#pragma omp simd
                    for (int i = box.lower.x; i < box.upper.x; ++i) push[row + i] = now[row + i] - push[row + i];
                });
            });
        }
    }

    /// One component of it.
    void find(int axis, const MacGrid& u, const MacGrid& push, Grid& turn) const {
        const int one = (axis + 1) % 3, two = (axis + 2) % 3;
        float* to = turn.storage().data();
        tiles_.for_each_run([&](const CellBox& box) {
            for_each_row(box, [&](int, int, std::ptrdiff_t row) {
                for (std::ptrdiff_t at = row + box.lower.x; at < row + box.upper.x; ++at)
                    to[at] = is_known(at, axis) ? mean_of_edges(at, axis, one, u, push) + mean_of_edges(at, axis, two, u, push) : 0.f;
            });
        });
    }

    void add(int axis, const Grid& turn, MacGrid& u) const {
        const float* more = turn.storage().data();
        float* to = u[axis].storage().data();
        tiles_.for_each_run([&](const CellBox& box) {
            for_each_row(box, [&](int, int, std::ptrdiff_t row) {
#pragma omp simd
                for (int i = box.lower.x; i < box.upper.x; ++i) to[row + i] += more[row + i];
            });
        });
    }

private:
    template <class Visit>
    void for_each_row(const CellBox& box, const Visit& visit) const {
        for (int k = box.lower.z; k < box.upper.z; ++k)
            for (int j = box.lower.y; j < box.upper.y; ++j) visit(j, k, layout_.offset(0, j, k));
    }

    bool is_known(std::ptrdiff_t at, int axis) const { return (known_[std::size_t(at)] >> axis & 1) != 0; }

    /// The face's two edges across `other`: only those between four known faces tell how the liquid spins.
    float mean_of_edges(std::ptrdiff_t at, int axis, int other, const MacGrid& u, const MacGrid& push) const {
        float sum = 0;
        int edges = 0;
        for (const std::ptrdiff_t edge : {at, at + step_[other]}) {
            if (!(is_known(edge, axis) && is_known(edge - step_[other], axis) && is_known(edge, other) && is_known(edge - step_[axis], other))) continue;
            const float *a = u[axis].storage().data() + edge, *b = u[other].storage().data() + edge, *f = push[other].storage().data() + edge;
            const float angle = quarter_dt_ * per_h_ * ((a[0] - a[-step_[other]]) - (b[0] - b[-step_[axis]]));   // half of what the liquid turns
            sum -= angle * std::max(0.f, 1 - angle * angle / (widest * widest)) * 0.5f * (f[0] + f[-step_[axis]]);
            ++edges;
        }
        return edges == 2 ? 0.5f * sum : sum;
    }

    float quarter_dt_, per_h_;
    Layout layout_;
    const TileSet& tiles_;
    std::ptrdiff_t step_[3];
    std::vector<std::uint8_t>& known_;
};

}  // namespace

void add_turn(const Turning& how, const Grid& phi, const Solids& solids, const TileSet& tiles, MacGrid& before, const std::array<Grid*, 2>& spare, MarchScratch& scratch,
              MacGrid& u) {
    PHLO_CHECK(phi.layout() == u.layout() && before.layout() == u.layout());
    scratch.layout = Layout();   // marks mean something else in a march
    Turn turn(how, phi.layout(), tiles, scratch.mark);
    turn.find_known(phi, solids);
    turn.find_push(u, before);
    turn.find(0, u, before, *spare[0]);
    turn.find(1, u, before, *spare[1]);
    turn.find(2, u, before, before.z);   // which does not ask for it
    turn.add(0, *spare[0], u), turn.add(1, *spare[1], u), turn.add(2, before.z, u);
}

}  // namespace phlo::flow
