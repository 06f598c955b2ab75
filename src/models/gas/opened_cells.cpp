#include "models/gas/opened_cells.h"

#include "base/parallel.h"

namespace phlo::models {
namespace {

bool inside(const field::Layout& layout, const Vec3i& c) {
    return c.x >= 0 && c.y >= 0 && c.z >= 0 && c.x < layout.nx() && c.y < layout.ny() && c.z < layout.nz();
}

/// Every one of the cells gets the mean of them all, by the room that gas has in them.
void share(std::span<const std::ptrdiff_t> cells, const field::Grid& room, field::Grid& q) {
    float sum = 0, rooms = 0;
    for (const std::ptrdiff_t c : cells) sum += q.storage()[std::size_t(c)] * room.storage()[std::size_t(c)], rooms += room.storage()[std::size_t(c)];
    for (const std::ptrdiff_t c : cells) q.storage()[std::size_t(c)] = sum / rooms;
}

/// The body nearest to a place stands still.
bool at_rest(const flow::Solids& solids, const Vec3d& p) {
    const flow::Solids::Placed* nearest = &solids.placed.front();
    for (const flow::Solids::Placed& placed : solids.placed)
        if (placed.signed_distance(p) < nearest->signed_distance(p)) nearest = &placed;
    return nearest->linear == Vec3d() && nearest->angular == Vec3d();
}

}  // namespace

OpenedCells::OpenedCells(const GasState& gas) {
    const flow::Solids& solids = gas.flow.solids();
    const field::Layout& layout = solids.volume.layout();
    covered_.assign(layout.size(), 0);
    parallel_for(layout.nz(), [&](int k) {
        for (int j = 0; j < layout.ny(); ++j) {
            const float* open = solids.volume.row(j, k);
            std::uint8_t* to = covered_.data() + layout.offset(0, j, k);
            for (int i = 0; i < layout.nx(); ++i) to[i] = open[i] == 0;
        }
    });
}

void OpenedCells::fill(GasState& gas) const {
    const HeatBooking booking(gas, "opened");
    const flow::Solids& solids = gas.flow.solids();
    const field::Layout& layout = solids.volume.layout();
    std::vector<std::vector<Vec3i>> planes(std::size_t(layout.nz()));
    parallel_for(layout.nz(), [&](int k) {
        for (int j = 0; j < layout.ny(); ++j)
            for (int i = 0; i < layout.nx(); ++i)
                if (covered_[std::size_t(layout.offset(i, j, k))] && !solids.covered(i, j, k) && at_rest(solids, gas.flow.domain().cell_center(i, j, k)))
                    planes[std::size_t(k)].push_back({i, j, k});
    });
    for (const auto& plane : planes)   // one after the other: neighbours may open at once
        for (const Vec3i& cell : plane) {
            std::vector<std::ptrdiff_t> together{layout.offset(cell.x, cell.y, cell.z)};
            for (int side = 0; side < 6; ++side) {
                Vec3i beside = cell;
                beside[side / 2] += side % 2 ? 1 : -1;
                if (inside(layout, beside) && !solids.covered(beside.x, beside.y, beside.z)) together.push_back(layout.offset(beside.x, beside.y, beside.z));
            }
            for (Substance& substance : gas.substances)
                if (substance.carried) share(together, gas.room, substance.amount);
            share(together, gas.room, gas.excess_temperature);
        }
}

}  // namespace phlo::models
