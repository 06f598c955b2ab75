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

void make_kelvin(field::ScalarField& scalar) {
    auto kelvin = std::make_shared<field::Grid>(*scalar.grid);
    const Vec3i n = kelvin->layout().cells();
    parallel_for(n.z, [&](int k) {
        for (int j = 0; j < n.y; ++j)
            for (int i = 0; i < n.x; ++i) (*kelvin)(i, j, k) *= kelvin_per_unit;
    });
    scalar.grid = kelvin, scalar.unit = "K", scalar.background *= kelvin_per_unit;
}

}  // namespace

FileForm file_form(const field::ScalarField& scalar, GridNaming naming) {
    if (naming == GridNaming::blender && scalar.name == "temperature" && scalar.unit == "K")
        return {.unit = thousands_of_kelvin, .per_unit = kelvin_per_unit, .background = 0, .ambient = scalar.background / kelvin_per_unit};
    return {.unit = scalar.unit, .per_unit = 1, .background = scalar.background, .ambient = scalar.background};
}

void adopt_usual_names(field::Frame& frame, const std::filesystem::path& path) {
    for (field::ScalarField& scalar : frame.scalars) {
        if (scalar.name == "heat" && !frame.find("temperature")) scalar.name = "temperature";
        if (scalar.name != "temperature") continue;
        if (scalar.unit == thousands_of_kelvin) make_kelvin(scalar);
        if (!scalar.unit.empty() || greatest(*scalar.grid) > most_unitless) continue;
        log::once("unitless-temperature",
                  fmt::format("{}: temperature without a unit, read as {} K for each one of it", path.string(), kelvin_per_unit));
        make_kelvin(scalar);
    }
}

}  // namespace phlo::io
