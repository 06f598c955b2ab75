#include "serve/totals.h"

#include <algorithm>

#include "base/json.h"
#include "base/parallel.h"

namespace phlo::serve {
namespace {

struct Total {
    double sum = 0, most = 0;
};

Total total_of(const field::Grid& grid) {
    const Vec3i cells = grid.layout().cells();
    return parallel_reduce(cells.z, Total{}, [&](int k) {
        Total plane;
        for (int j = 0; j < cells.y; ++j)
            for (int i = 0; i < cells.x; ++i) plane.sum += grid(i, j, k), plane.most = std::max(plane.most, double(grid(i, j, k)));
        return plane;
    }, [](const Total& a, const Total& b) { return Total{a.sum + b.sum, std::max(a.most, b.most)}; });
}

}  // namespace

std::string totals_json(const field::Frame& frame) {
    json::Object result;
    for (const field::Volume& volume : frame.volumes) {
        if (volume.kind != field::VolumeClass::fog) continue;
        const Total total = total_of(*volume.grid);
        const double h = volume.domain.h;
        result.raw(volume.name, json::Object().number("sum", total.sum * h * h * h).number("most", total.most).str());
    }
    return result.str();
}

std::string LedgerTotals::to_json() const {
    json::Object result;
    for (const auto& [quantity, entries] : sums_) {
        json::Object sums;
        for (const auto& [entry, value] : entries) sums.number(entry, value);
        result.raw(quantity, sums.str());
    }
    return result.str();
}

}  // namespace phlo::serve
