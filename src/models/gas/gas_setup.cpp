#include "models/gas/gas_setup.h"

#include <filesystem>

#include <fmt/format.h>

#include "base/error.h"
#include "chem/mechanism/read.h"
#include "models/gas/gas.h"

namespace phlo::models {
namespace {

/// The text of the mechanism takes the place of its name: a scene that was run is complete, and a mechanism edited under a cache is a change.
void read_chemistry(GasSetup& setup, config::Problems& problems) {
    if (setup.gas.method == GasMethod::smoke) return;
    config::Node& written = setup.chemistry.mechanism;
    try {
        if (written.is_null())
            throw InputError("chemistry.mechanism: missing; the methods grid and hybrid need a mechanism: its name, a file, or species and reactions");
        const std::filesystem::path file = written.position.file;
        if (written.is_scalar()) written = chem::find_mechanism(written.text, written.position.line > 0 ? file.parent_path().string() : "");
        setup.mechanism = chem::read_mechanism(written, "chemistry.mechanism");
    } catch (const InputError& error) {
        problems.add({}, "", error.what());
    }
}

}  // namespace

const config::Table<GasSetup>& GasSetup::table() {
    static const auto table = config::Table<GasSetup>("gas", "Smoke, fire, explosions: gas on a grid, with or without chemistry.")
                                  .table("gas", &GasSetup::gas, gas_table())
                                  .table("chemistry", &GasSetup::chemistry, chemistry_table())
                                  .list("emitters", &GasSetup::emitters, emitter_table(), {.help = "where smoke, species and heat come from"});
    return table;
}

void GasSetup::complete(Shot& shot, const config::Node& root, config::Problems& problems) {
    read_chemistry(*this, problems);
    for (std::size_t w = 0; w < 6; ++w)
        if (!root.find(fmt::format("domain.walls.{}.inflow.temperature", wall_names[w])))
            shot.domain.walls[w].temperature = gas.ambient_temperature;
    for (std::size_t i = 0; i < emitters.size(); ++i) {
        if (emitters[i].name.empty()) emitters[i].name = fmt::format("emitter-{}", i + 1);
        if (!root.find(fmt::format("emitters.{}.temperature", i))) emitters[i].temperature = gas.ambient_temperature;
    }
}

std::unique_ptr<Model> GasSetup::make(const Shot& shot) const { return std::make_unique<Gas>(shot, *this); }

}  // namespace phlo::models
