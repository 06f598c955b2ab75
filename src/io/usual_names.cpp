#include "io/usual_names.h"

#include <fmt/format.h>

#include "base/log.h"
#include "base/parallel.h"

namespace phlo::io {
namespace {

constexpr float kelvin_per_unit = 1000;
constexpr const char* thousands_of_kelvin = "kK";
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

void make_kelvin(field::Volume& volume) {
    auto kelvin = std::make_shared<field::Grid>(*volume.grid);
    const Vec3i n = kelvin->layout().cells();
    parallel_for(n.z, [&](int k) {
        for (int j = 0; j < n.y; ++j)
            for (int i = 0; i < n.x; ++i) (*kelvin)(i, j, k) *= kelvin_per_unit;
    });
    volume.grid = kelvin, volume.unit = "K", volume.background *= kelvin_per_unit;
}

}  // namespace

FileForm file_form(const field::Volume& volume, GridNaming naming) {
    if (naming == GridNaming::blender && volume.name == "temperature" && volume.unit == "K")
        return {.unit = thousands_of_kelvin, .per_unit = kelvin_per_unit, .background = 0, .ambient = volume.background / kelvin_per_unit};
    return {.unit = volume.unit, .per_unit = 1, .background = volume.background, .ambient = volume.background};
}

void adopt_usual_names(field::Frame& frame, const std::filesystem::path& path) {
    for (field::Volume& volume : frame.volumes) {
        if (volume.name == "heat" && !frame.find("temperature")) volume.name = "temperature";
        if (volume.name != "temperature") continue;
        if (volume.unit == thousands_of_kelvin) make_kelvin(volume);
        if (!volume.unit.empty() || greatest(*volume.grid) > most_unitless) continue;
        log::once("unitless-temperature",
                  fmt::format("{}: temperature without a unit, read as {} K for each one of it", path.string(), kelvin_per_unit));
        make_kelvin(volume);
    }
}

}  // namespace phlo::io
