#include "flow/balance.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <vector>

#include "base/parallel.h"

namespace phlo::flow {
namespace {

constexpr int chunk = 512;   ///< cells of one task

struct AirCell {
    std::ptrdiff_t at;        ///< its offset in memory
    unsigned may_change = 0;  ///< which of the faces -x, +x, -y, +y, -z, +z may: a bit each
    int faces = 0;            ///< how many of them
    float outflow = 0;        ///< of the velocity as it was [m/s]
    bool changes(int side) const { return (may_change >> side & 1u) != 0; }
};

template <class Body>
void for_each_cell(const std::vector<AirCell>& cells, const Body& body) {
    parallel_for(int((cells.size() + chunk - 1) / chunk), [&](int c) {
        const std::size_t end = std::min(cells.size(), (std::size_t(c) + 1) * chunk);
        for (std::size_t n = std::size_t(c) * chunk; n < end; ++n) body(cells[n]);
    });
}

class AirAtSurface {
public:
    AirAtSurface(const ExtensionBalance& how, const Walls& walls, const Solids& solids, const field::Grid& phi, const field::MacGrid& u)
        : reach_(float(how.reach * how.h)), walls_(walls), solids_(solids), phi_(phi), u_(u), n_(phi.layout().cells()),
          step_{1, phi.layout().stride_y(), phi.layout().stride_z()} {}

    /// The cells that are balanced, those with an even sum of indices and the others.
    std::array<std::vector<AirCell>, 2> find(const TileSet& tiles) const {
        const std::vector<CellBox> runs = tiles.runs();
        std::vector<std::array<std::vector<AirCell>, 2>> of_run(runs.size());
        parallel_for(int(runs.size()), [&](int r) {
            const CellBox& box = runs[std::size_t(r)];
            for (int k = box.lower.z; k < box.upper.z; ++k)
                for (int j = box.lower.y; j < box.upper.y; ++j)
                    for (int i = box.lower.x; i < box.upper.x; ++i)
                        if (const float level = phi_(i, j, k); level >= 0 && level < reach_ && !beside_body(i, j, k))
                            if (const AirCell c = cell({i, j, k}); c.faces > 0) of_run[std::size_t(r)][std::size_t((i + j + k) & 1)].push_back(c);
        });
        std::array<std::vector<AirCell>, 2> all;
        for (const auto& run : of_run)
            for (int colour : {0, 1}) all[std::size_t(colour)].insert(all[std::size_t(colour)].end(), run[std::size_t(colour)].begin(), run[std::size_t(colour)].end());
        return all;
    }

private:
    AirCell cell(const Vec3i& c) const {
        AirCell made{.at = phi_.layout().offset(c.x, c.y, c.z)};
        for (int side = 0; side < 6; ++side) {
            const int axis = side / 2, upper = side % 2;
            const float u = u_[axis].storage()[std::size_t(made.at + (upper ? step_[axis] : 0))];
            made.outflow += upper ? u : -u;
            if (may_change(c, axis, upper)) made.may_change |= 1u << side, ++made.faces;
        }
        return made;
    }

    /// Through a slit the same flow would be a jet: with such cells among them a ball that swept through a tank made it explode.
    bool beside_body(int i, int j, int k) const {
        if (!solids_.present()) return false;
        const field::MacGrid& a = solids_.aperture;
        return std::min({a.x(i, j, k), a.x(i + 1, j, k), a.y(i, j, k), a.y(i, j + 1, k), a.z(i, j, k), a.z(i, j, k + 1)}) < 1;
    }

    /// Faces between air and air, and those of open walls.
    bool may_change(const Vec3i& c, int axis, int upper) const {
        Vec3i to = c;
        to[axis] += upper ? 1 : -1;
        if (to[axis] < 0 || to[axis] >= n_[axis]) return walls_[std::size_t(2 * axis + upper)].kind == WallKind::open;
        return phi_(to.x, to.y, to.z) >= 0;
    }

    float reach_;
    const Walls& walls_;
    const Solids& solids_;
    const field::Grid& phi_;
    const field::MacGrid& u_;
    Vec3i n_;
    std::ptrdiff_t step_[3];
};

}  // namespace

void balance_extension(const ExtensionBalance& how, const Walls& walls, const Solids& solids, const field::Grid& phi, const TileSet& tiles, field::Grid& q,
                       field::MacGrid& u) {
    const std::array<std::vector<AirCell>, 2> cells = AirAtSurface(how, walls, solids, phi, u).find(tiles);
    const std::ptrdiff_t step[3] = {1, phi.layout().stride_y(), phi.layout().stride_z()};
    const auto beyond = [&](const AirCell& c, int side) { return c.at + (side % 2 ? step[side / 2] : -step[side / 2]); };
    float* const value = q.storage().data();
    for (const auto& colour : cells)
        for (const AirCell& c : colour) {
            value[c.at] = 0;
            for (int side = 0; side < 6; ++side) value[beyond(c, side)] = 0;
        }
    for (int sweep = 0; sweep < how.sweeps; ++sweep)
        for (const auto& colour : cells)
            for_each_cell(colour, [&](const AirCell& c) {
                float sum = -c.outflow;
                for (int side = 0; side < 6; ++side) sum += c.changes(side) ? value[beyond(c, side)] : 0.f;
                value[c.at] = sum / float(c.faces);
            });
    // A face between two such cells hears of either. It has an upper side once and a lower side once.
    for (const bool upper : {false, true})
        for (const auto& colour : cells)
            for_each_cell(colour, [&](const AirCell& c) {
                for (int axis = 0; axis < 3; ++axis)
                    if (c.changes(2 * axis + upper)) u[axis].storage()[std::size_t(c.at + (upper ? step[axis] : 0))] += upper ? value[c.at] : -value[c.at];
            });
}

}  // namespace phlo::flow
