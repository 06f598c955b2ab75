#include "io/usual_names.h"

#include <fmt/format.h>

#include "base/log.h"
#include "base/parallel.h"

namespace phlo::io {
namespace {

constexpr float kelvin_per_unit = 1000;
constexpr float most_unitless = 20;  // no gas is colder than 20 K, no program's unitless heat is larger

float greatest(const field::Grid& grid) {
    const Vec3i n = grid.layout().cells();
    return float(parallel_max(n.z, 0, [&](int k) {
        float most = 0;
        for (int j = 0; j < n.y; ++j)
            for (int i = 0; i < n.x; ++i) most = std::max(most, grid(i, j, k));
        return double(most);
    }));
}

}  // namespace

void adopt_usual_names(field::Frame& frame, const std::filesystem::path& path) {
    for (field::Volume& volume : frame.volumes) {
        if (volume.name == "heat" && !frame.find("temperature")) volume.name = "temperature";
        if (volume.name != "temperature" || !volume.unit.empty() || greatest(*volume.grid) > most_unitless) continue;
        log::once("unitless-temperature",
                  fmt::format("{}: temperature without a unit, read as {} K for each one of it", path.string(), kelvin_per_unit));
        auto kelvin = std::make_shared<field::Grid>(*volume.grid);
        const Vec3i n = kelvin->layout().cells();
        parallel_for(n.z, [&](int k) {
            for (int j = 0; j < n.y; ++j)
                for (int i = 0; i < n.x; ++i) (*kelvin)(i, j, k) *= kelvin_per_unit;
        });
        volume.grid = kelvin, volume.unit = "K", volume.background *= kelvin_per_unit;
    }
}

}  // namespace phlo::io
